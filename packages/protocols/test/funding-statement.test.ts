import { hashTypedData as viemHashTypedData } from 'viem'
import { expect, test } from 'vitest'
import {
  bytesToHex,
  fundingStatementTypedData,
  hashTypedData,
  isFundingStatementSigned,
  privateKeySigner,
  type FundingStatement,
  type Hex,
} from '../src/index.ts'

const [service, stranger] = [privateKeySigner(`0x${'11'.repeat(32)}`), privateKeySigner(`0x${'22'.repeat(32)}`)]
const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const statement: FundingStatement = {
  taskId: '0190c2a4-0000-7000-8000-000000000001',
  state: 'held',
  escrow: address('01'),
  paymentHash: `0x${'02'.repeat(32)}`,
  payer: address('03'),
  receiver: address('04'),
  token: address('05'),
  capturable: 10_000_000n,
  authorizationExpiry: 1_795_000_000,
  asOf: 1_794_000_000,
}
const chainId = 8_453
const document = fundingStatementTypedData(statement, chainId)

test('what a service says about money is a document that any wallet library hashes alike', () => {
  expect(document.domain).toEqual({ name: 'Task Marketplace', version: '1', chainId })
  expect(document.types).toEqual({
    FundingStatement: [
      { name: 'taskId', type: 'string' },
      { name: 'state', type: 'string' },
      { name: 'escrow', type: 'address' },
      { name: 'paymentHash', type: 'bytes32' },
      { name: 'payer', type: 'address' },
      { name: 'receiver', type: 'address' },
      { name: 'token', type: 'address' },
      { name: 'capturable', type: 'uint256' },
      { name: 'authorizationExpiry', type: 'uint256' },
      { name: 'asOf', type: 'uint256' },
    ],
  })
  expect(bytesToHex(hashTypedData(document))).toBe(viemHashTypedData(JSON.parse(JSON.stringify(document))))
})

test('it holds where one of the keys signed it, as it is and for its chain', async () => {
  const signature = await service.signTypedData(document)
  const isSigned = (change: Partial<FundingStatement>, keys: readonly string[], chain = chainId): boolean =>
    isFundingStatementSigned({ ...statement, ...change }, chain, signature, keys)
  expect(isSigned({}, [service.address])).toBe(true)
  expect(isSigned({}, [stranger.address, service.address.toUpperCase().replace('0X', '0x')])).toBe(true)
  expect(isSigned({}, [stranger.address])).toBe(false)
  expect(isSigned({}, [])).toBe(false)
  expect(isSigned({}, [service.address], 1)).toBe(false)
  const others: FundingStatement = {
    taskId: '0190c2a4-0000-7000-8000-000000000002',
    state: 'returned',
    escrow: address('11'),
    paymentHash: `0x${'12'.repeat(32)}`,
    payer: address('13'),
    receiver: address('14'),
    token: address('15'),
    capturable: 10_000_001n,
    authorizationExpiry: 1_795_000_001,
    asOf: 1_794_000_001,
  }
  for (const [name, value] of Object.entries(others))
    expect(isSigned({ [name]: value }, [service.address]), name).toBe(false)
  // Neither a signature nor an address that is one proves anything by its shape.
  expect(isFundingStatementSigned(statement, chainId, `0x${'00'.repeat(65)}`, [service.address])).toBe(false)
})
