import fc from 'fast-check'
import {
  type Address,
  authorizationStateCalldata,
  authorizeCalldata,
  balanceOfCalldata,
  bytesToHex,
  eventTopic,
  expectAuthorized,
  expectCaptured,
  type Hex,
  hexToBytes,
  keccak256Hex,
  operatorAbi,
  privateKeySigner,
  refundCalldata,
  releaseCalldata,
  tokenAbi,
  transferWithAuthorizationCalldata,
} from '@ergon/protocols'
import { encodeErrorResult, encodeFunctionData, toRlp, type Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { matchLogs, type Log } from '../../src/chain/expectation.ts'
import { decodeRevert } from '../../src/chain/reverts.ts'
import { rlpEncode, type RlpItem } from '../../src/chain/rlp.ts'
import { signTransaction } from '../../src/chain/transaction.ts'
import { aPaymentInfo, aTransfer, payer, worker } from '../../src/testing/payments.ts'

const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => bytesToHex(bytes))
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((value) => bytesToHex(value))

describe("encodings equal an independent encoder's", () => {
  test('RLP', () => {
    const { item } = fc.letrec<{ item: RlpItem; list: RlpItem; leaf: Uint8Array }>((tie) => ({
      item: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('list')),
      list: fc.array(tie('item'), { maxLength: 6 }),
      leaf: fc.uint8Array({ maxLength: 70 }),
    }))
    // viem's type of a nested list is its own.
    fc.assert(
      fc.property(item, (value) => {
        expect(bytesToHex(rlpEncode(value))).toBe(toRlp(value as Uint8Array, 'hex'))
      }),
    )
  })

  test('signed transactions, plain and with a delegation', async () => {
    const account = privateKeyToAccount(payer.privateKey)
    const signer = privateKeySigner(worker.privateKey)
    const authorization = await signer.signAuthorization({ chainId: 31337, address: worker.address, nonce: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1_000_000),
        uint(60),
        uint(60),
        address,
        bytes(300),
        fc.boolean(),
        async (nonce, fee, gas, to, data, delegates) => {
          const fields = {
            chainId: 31337,
            nonce,
            maxFeePerGas: fee + 1n,
            maxPriorityFeePerGas: fee,
            gas,
            to,
            data,
            ...(delegates ? { authorizationList: [authorization] } : {}),
          }
          const signed = signTransaction(fields, hexToBytes(payer.privateKey))
          const expected = await account.signTransaction(
            delegates
              ? { ...fields, type: 'eip7702', authorizationList: [authorization] }
              : { ...fields, type: 'eip1559', authorizationList: undefined },
          )
          expect(signed.raw).toBe(expected)
          expect(signed.hash).toBe(keccak256Hex(hexToBytes(expected)))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('calls of the hot paths', () => {
    const encode = (abi: Abi, functionName: string, args: readonly unknown[]): Hex =>
      encodeFunctionData({ abi, functionName, args })
    fc.assert(
      fc.property(uint(120), uint(256), address, bytes(200), (amount, salt, who, signature) => {
        const info = aPaymentInfo({ salt, receiver: who, maxAmount: amount })
        expect(authorizeCalldata(info, amount, who, signature)).toBe(
          encode(operatorAbi.legacy, 'authorize', [info, amount, who, signature]),
        )
        expect(releaseCalldata('legacy', info, amount)).toBe(encode(operatorAbi.legacy, 'release', [info, amount]))
        expect(releaseCalldata('create3', info, amount)).toBe(
          encode(operatorAbi.create3, 'release', [info, amount, '0x']),
        )
        expect(refundCalldata('legacy', info, amount)).toBe(
          encode(operatorAbi.legacy, 'refundInEscrow', [info, amount]),
        )
        expect(refundCalldata('create3', info, amount)).toBe(
          encode(operatorAbi.create3, 'refundInEscrow', [info, amount, '0x']),
        )
        const transfer = aTransfer({ value: amount, to: who })
        const head = [
          transfer.from,
          transfer.to,
          transfer.value,
          transfer.validAfter,
          transfer.validBefore,
          transfer.nonce,
        ]
        const key: Hex = `0x${'ab'.repeat(32)}${'cd'.repeat(32)}1c`
        expect(transferWithAuthorizationCalldata(transfer, key)).toBe(
          encode(tokenAbi, 'transferWithAuthorization', [...head, 28, `0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`]),
        )
        if (signature.length !== 132)
          expect(transferWithAuthorizationCalldata(transfer, signature)).toBe(
            encode(tokenAbi, 'transferWithAuthorization', [...head, signature]),
          )
        expect(balanceOfCalldata(who)).toBe(encode(tokenAbi, 'balanceOf', [who]))
        expect(authorizationStateCalldata(who, transfer.nonce)).toBe(
          encode(tokenAbi, 'authorizationState', [who, transfer.nonce]),
        )
      }),
      { numRuns: 50 },
    )
  })
})

describe('a revert', () => {
  const text = (message: string): Hex =>
    encodeErrorResult({
      abi: [{ type: 'error', name: 'Error', inputs: [{ type: 'string', name: 'message' }] }] as const,
      errorName: 'Error',
      args: [message],
    })
  test.each<[string, string, string]>([
    ['ERC20: transfer amount exceeds balance', 'insufficient_balance', text('ERC20: transfer amount exceeds balance')],
    [
      'FiatTokenV2: authorization is used or canceled',
      'nonce_already_used',
      text('FiatTokenV2: authorization is used or canceled'),
    ],
    ['FiatTokenV2: authorization is expired', 'expired_authorization', text('FiatTokenV2: authorization is expired')],
    ['FiatTokenV2: invalid signature', 'invalid_signature', text('FiatTokenV2: invalid signature')],
    ['Self-feedback not allowed', 'ContractCall', text('Self-feedback not allowed')],
    ['PaymentAlreadyCollected', 'nonce_already_used', `0xad7c145a${'00'.repeat(32)}`],
    ['AfterPreApprovalExpiry', 'expired_authorization', `0xc46cf60f${'00'.repeat(64)}`],
    ['AfterAuthorizationExpiry', 'expired_authorization', `0x36f2d211${'00'.repeat(64)}`],
    ['InvalidSender', 'operator_not_registered', `0xe1130dba${'00'.repeat(64)}`],
    ['ConditionNotMet', 'operator_not_registered', '0x741926a1'],
    ['FeeBoundsIncompatible', 'PaymentInfoInvalid', `0xa465d66c${'00'.repeat(96)}`],
    ['panic 0x11', 'ContractCall', `0x4e487b71${'00'.repeat(31)}11`],
    ['selector=0xdeadbeef', 'ContractCall', '0xdeadbeef'],
    ['reverted without a reason', 'ContractCall', '0x'],
  ])('%s is %s, wherever the node puts the data', (reason, code, data) => {
    for (const place of [data, { data }, `Reverted ${data}`])
      expect(decodeRevert({ code: 3, message: 'execution reverted', data: place })).toEqual({ code, reason })
  })

  test('is not what a failing node reports', () => {
    expect(decodeRevert({ code: -32603, message: 'header not found' })).toBeUndefined()
    expect(decodeRevert({ code: -32000, message: 'too many requests', data: undefined })).toBeUndefined()
  })
})

describe('an expected event', () => {
  const escrow: Address = `0x${'11'.repeat(20)}`
  const hash: Hex = `0x${'22'.repeat(32)}`
  const log: Log = {
    address: escrow,
    topics: [eventTopic('PaymentCaptured'), hash],
    data: `0x${'5'.padStart(64, '0')}`,
  }
  test('is met only by its emitter, its payment and its amount', () => {
    expect(matchLogs([expectCaptured(escrow, hash, 5n)], [log])).toHaveLength(1)
    expect(matchLogs([expectCaptured(escrow, hash, 6n)], [log])).toBeUndefined()
    expect(matchLogs([expectCaptured(escrow, `0x${'23'.repeat(32)}`, 5n)], [log])).toBeUndefined()
    expect(matchLogs([expectCaptured(`0x${'12'.repeat(20)}`, hash, 5n)], [log])).toBeUndefined()
    expect(matchLogs([expectAuthorized(escrow, hash, 5n)], [log])).toBeUndefined()
    expect(matchLogs([expectCaptured(escrow, hash, 5n)], [])).toBeUndefined()
  })
})
