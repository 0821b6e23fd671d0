import { lowerAddress, networks, paymentInfoHash, type PaymentInfo } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { createServedNetworks, escrowOf } from '../../src/adapters/networks.ts'
import { lockIn } from '../../src/adapters/rails/lock-in.ts'
import { payer, worker } from './rig.ts'

using served = createServedNetworks([{ network: networks.localnet, rpcUrls: ['http://127.0.0.1:1'] }])
const network = served.named('localnet')
const { operator, escrow } = escrowOf(network)
const token = Object.values(networks.localnet.tokens)[0]
if (token === undefined) throw new Error('localnet has a token')

const terms: PaymentInfo = {
  operator,
  payer: payer.address,
  receiver: worker.address,
  token: lowerAddress(token.address),
  maxAmount: 1_070_000n,
  preApprovalExpiry: 1_800_000_000,
  authorizationExpiry: 1_800_600_000,
  refundExpiry: 1_801_200_000,
  minFeeBps: 0,
  maxFeeBps: 1_300,
  feeReceiver: operator,
  salt: 77n,
}

function read(change: Partial<PaymentInfo> = {}, hashed = change) {
  const word = (value: string | number | bigint): string => BigInt(value).toString(16).padStart(64, '0')
  const data = `0x${Object.values({ ...terms, ...change })
    .map(word)
    .join('')}${word(1_070_000)}`
  return lockIn({ data }, network, paymentInfoHash({ ...terms, ...hashed }, network.chainId, escrow))
}

test('the terms of a log are the payment that was signed, and its nonce', () => {
  expect(read()).toMatchObject({
    payment: {
      payer: payer.address.toLowerCase(),
      receiver: worker.address.toLowerCase(),
      maxAmount: 1_070_000n,
      salt: 77n,
      asset: { symbol: token.symbol, network: 'localnet', decimals: 6 },
    },
    authorization: { validBefore: 1_800_000_000n, nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string },
  })
})

test.each<[string, Partial<PaymentInfo>]>([
  ['a fee for another wallet', { feeReceiver: payer.address }],
  ['no room for the fee', { maxFeeBps: 1_299 }],
  ['more than the fee at least', { minFeeBps: 1_301, maxFeeBps: 1_400 }],
  ['another token', { token: worker.address }],
])('terms nobody would be assigned on are no lock of ours: %s', (_what, change) => {
  expect(read(change)).toBeNull()
})

test('terms whose hash is another one are not believed', () => {
  expect(read({ maxAmount: 1n }, {})).toBeNull()
})
