import type { PaymentInfo } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc } from './harness-env.ts'
import { balanceOf, sentByFacilitator, startRig, startRigBeside, type Rig } from './harness.ts'
import {
  account,
  addresses,
  aPaymentInfo,
  authorizeBody,
  escrowRequirements,
  nowSec,
  payer,
  randomHex32,
  releaseBody,
  service,
  stranger,
  treasury,
  worker,
} from '../src/testing/payments.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

type Row = readonly [what: string, code: string, body: () => Record<string, unknown>]
const wrongSigner = stranger.privateKey
const info = (overrides: Partial<PaymentInfo>) => () => authorizeBody(aPaymentInfo(overrides))
const poor = account(8)

const rows: readonly Row[] = [
  [
    'of a payer without the money',
    'insufficient_balance',
    () => authorizeBody(aPaymentInfo({ payer: poor.address }), { key: poor.privateKey }),
  ],
  ['signed by another wallet', 'invalid_signature', () => authorizeBody(aPaymentInfo(), { key: wrongSigner })],
  [
    "with a signature that is no key's",
    'invalid_signature',
    () => authorizeBody(aPaymentInfo(), { signature: '0x1234' }),
  ],
  ['past its preApprovalExpiry', 'expired_authorization', info({ preApprovalExpiry: nowSec() - 1 })],
  ['with another operator', 'operator_not_registered', info({ operator: worker.address, feeReceiver: worker.address })],
  ['from the payer to the payer', 'self_payment', info({ receiver: payer.address })],
  ['to the treasury', 'forbidden_receiver', info({ receiver: treasury.address })],
  ['to the operator', 'forbidden_receiver', info({ receiver: addresses.operator })],
  ['to the escrow', 'forbidden_receiver', info({ receiver: addresses.escrow })],
  ['to the token collector', 'forbidden_receiver', info({ receiver: addresses.collector })],
  ['to nobody', 'forbidden_receiver', info({ receiver: `0x${'0'.repeat(40)}` })],
  ["to the token's own contract", 'forbidden_receiver', info({ receiver: addresses.token })],
  ['above 100 USD', 'deposit_limit', info({ maxAmount: 100_000_001n })],
  ['of nothing', 'PaymentInfoInvalid', info({ maxAmount: 0n })],
  ['of a token that is not served', 'PaymentInfoInvalid', info({ token: worker.address })],
  ['whose fee bounds exclude 13 %', 'PaymentInfoInvalid', info({ maxFeeBps: 1_200 })],
  ['whose fee goes elsewhere', 'PaymentInfoInvalid', info({ feeReceiver: worker.address })],
  [
    'with expiries out of order',
    'PaymentInfoInvalid',
    info({ refundExpiry: nowSec() + 3_700, authorizationExpiry: nowSec() + 7_200 }),
  ],
  [
    'with a nonce that is not the hash',
    'PaymentInfoInvalid',
    () => authorizeBody(aPaymentInfo(), { authorization: { nonce: randomHex32() } }),
  ],
  [
    'paying another than the collector',
    'PaymentInfoInvalid',
    () => authorizeBody(aPaymentInfo(), { authorization: { to: worker.address } }),
  ],
  [
    'of another value than maxAmount',
    'PaymentInfoInvalid',
    () => authorizeBody(aPaymentInfo(), { authorization: { value: 999_999n } }),
  ],
  [
    'on an unknown network',
    'UnsupportedNetwork',
    () => ({ ...authorizeBody(aPaymentInfo()), paymentRequirements: escrowRequirements({ network: 'eip155:8453' }) }),
  ],
  [
    'on a network by its short name',
    'UnsupportedNetwork',
    () => ({ ...authorizeBody(aPaymentInfo()), paymentRequirements: escrowRequirements({ network: 'localnet' }) }),
  ],
  ['with an unknown action', 'UnknownAction', () => ({ ...authorizeBody(aPaymentInfo()), action: 'charge' })],
  [
    'whose payload is of another scheme',
    'InvalidScheme',
    () => ({ ...authorizeBody(aPaymentInfo()), scheme: 'exact' }),
  ],
  [
    'whose payload is for another network',
    'PaymentInfoInvalid',
    () => ({ ...authorizeBody(aPaymentInfo()), network: 'eip155:8453' }),
  ],
  [
    'without its deployment',
    'MissingField',
    () => ({ ...authorizeBody(aPaymentInfo()), paymentRequirements: { scheme: 'escrow', network: 'eip155:31337' } }),
  ],
  [
    'with an unknown field beside what is signed',
    'invalid_payload',
    () => {
      const body = authorizeBody(aPaymentInfo())
      return { ...body, payload: { ...(body['payload'] as object), tip: '1' } }
    },
  ],
  ['of a payment that was never authorized', 'ContractCall', () => releaseBody(aPaymentInfo(), 1_000_000n)],
]

describe('a settlement', () => {
  test.each(rows)('%s is refused as %s before any transaction', async (_what, code, body) => {
    const before = [await sentByFacilitator(rig.rpcUrl), await balanceOf(rig.rpcUrl, payer.address)]
    const answer = await rig.post('/settle', body())
    expect(answer).toMatchObject({ status: 400, body: { success: false, errorCode: code } })
    if (code !== 'invalid_payload') expect(answer.body['errorReason']).toMatch(/^Escrow scheme error: /)
    expect([await sentByFacilitator(rig.rpcUrl), await balanceOf(rig.rpcUrl, payer.address)]).toEqual(before)
  })

  test.each(rows.filter(([, code]) => !['ContractCall', 'invalid_payload'].includes(code)))(
    '%s is refused as %s by verify too',
    async (_what, code, body) => {
      expect((await rig.post('/verify', body())).body).toMatchObject({ isValid: false, errorCode: code })
    },
  )

  test.each(['release', 'refundInEscrow'])('that is to %s is nothing that verify answers for', async (action) => {
    const { body } = await rig.post('/verify', { ...authorizeBody(aPaymentInfo()), action })
    expect(body).toMatchObject({ isValid: false, errorCode: 'UnknownAction' })
    expect(body['invalidReason']).toMatch(new RegExp(`not for ${action}`))
  })

  test('of a payment already authorized names the earlier transaction', async () => {
    const body = authorizeBody(aPaymentInfo())
    const first = await rig.post('/settle', body)
    expect(first.body['success']).toBe(true)
    expect(await rig.post('/settle', body)).toMatchObject({
      status: 400,
      body: {
        errorCode: 'nonce_already_used',
        transaction: first.body['transaction'],
        transaction_hash: first.body['transaction'],
      },
    })
  })

  test('of a payment another party authorized is nonce_already_used too', async () => {
    const own = aPaymentInfo()
    await rig.post('/settle', authorizeBody(own))
    await using other = await startRigBeside(rig.chain)
    expect(await other.post('/settle', authorizeBody(own))).toMatchObject({
      status: 400,
      body: { errorCode: 'nonce_already_used' },
    })
  })

  test('after authorizationExpiry is mined as a failure and answered as expired_authorization, never as 400', async () => {
    const short = aPaymentInfo({
      preApprovalExpiry: nowSec() + 60,
      authorizationExpiry: nowSec() + 60,
      refundExpiry: nowSec() + 86_400,
    })
    expect((await rig.post('/settle', authorizeBody(short))).body['success']).toBe(true)
    const snapshot = await rpc(rig.rpcUrl, 'evm_snapshot', [])
    await rpc(rig.rpcUrl, 'evm_increaseTime', [120])
    await rpc(rig.rpcUrl, 'evm_mine', [])
    const answer = await rig.post(
      '/settle',
      releaseBody(short, 1n, { key: service.privateKey, signer: service.address }),
    )
    await rpc(rig.rpcUrl, 'evm_revert', [snapshot])
    expect(answer).toMatchObject({ status: 200, body: { success: false, errorCode: 'expired_authorization' } })
    expect(answer.body['transaction']).toMatch(/^0x[0-9a-f]{64}$/)
  })
})
