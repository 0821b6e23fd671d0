import { zeroAddress, type TransferAuthorization } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import type { Simulation } from '../../src/chain/chain.ts'
import { directShare } from '../../src/gas/gas-share.ts'
import { planDirect } from '../../src/settle/direct.ts'
import {
  addresses,
  aTransfer,
  exactV1,
  exactV2,
  payer,
  stranger,
  treasury,
  worker,
  type ExactOverrides,
} from '../../src/testing/payments.ts'
import { checkExactOnChain, faultOf, judgeExact, simulateExact, type ExactPayment } from '../../src/verify/exact.ts'
import { readEnvelope, type Envelope } from '../../src/wire/envelope.ts'
import { networksOf, now, otherToken, served } from './served.ts'

const other = served({ name: 'elsewhere', caip2: 'eip155:99' })
const networks = networksOf(served(), other)
const aPayment = (change: Partial<TransferAuthorization> = {}): TransferAuthorization =>
  aTransfer({ validBefore: BigInt(now + 600), ...change })
const judged = (body: unknown) => judgeExact(readEnvelope(body), networks, now)
const reasonOf = (change: Partial<TransferAuthorization> = {}, of: ExactOverrides = {}): string | undefined =>
  judged(exactV2(aPayment(change), of)).reason
const asked = (requirements: Record<string, unknown>): string | undefined => reasonOf({}, { requirements })

type Judging = () => string | undefined
const is = 'invalid_exact_evm'

describe('a direct payment', () => {
  test('that is good names its payer, its token and what it pays', () => {
    const transfer = aPayment()
    for (const body of [exactV1(transfer), exactV2(transfer)])
      expect(judged(body)).toMatchObject({
        payer: payer.address,
        payment: { network: { name: 'localnet' }, asset: addresses.token, authorization: transfer },
      })
  })

  test.each<readonly [what: string, good: Judging, bad: Judging, reason: string]>([
    [
      'ends when a block can still take it',
      () => reasonOf({ validBefore: BigInt(now + 6) }),
      () => reasonOf({ validBefore: BigInt(now + 5) }),
      `${is}_payload_authorization_valid_before`,
    ],
    [
      'begins when the next block may take it',
      () => reasonOf({ validAfter: BigInt(now + 6) }),
      () => reasonOf({ validAfter: BigInt(now + 7) }),
      `${is}_payload_authorization_valid_after`,
    ],
    [
      'pays what is asked for at least',
      () => reasonOf({ value: 50_001n }, { requirements: { amount: '50001' } }),
      () => reasonOf({ value: 50_000n }, { requirements: { amount: '50001' } }),
      `${is}_payload_authorization_value_mismatch`,
    ],
    [
      'pays something where nothing is asked for',
      () => reasonOf({ value: 1_000n }, { requirements: { amount: '0' } }),
      () => reasonOf({ value: 0n }, { requirements: { amount: '0' } }),
      `${is}_payload_authorization_value_mismatch`,
    ],
    ['is worth its gas', () => reasonOf({ value: 1_000n }), () => reasonOf({ value: 999n }), 'amount_below_minimum'],
    [
      'goes where it is asked to go',
      () => asked({ payTo: worker.address.toUpperCase().replace('0X', '0x') }),
      () => asked({ payTo: stranger.address }),
      `${is}_recipient_mismatch`,
    ],
    [
      'is of a token that is served',
      () => asked({}),
      () => asked({ asset: stranger.address }),
      `${is}_asset_not_supported`,
    ],
    [
      'names the token',
      () => asked({ extra: { version: '2' } }),
      () => asked({ extra: { name: 'USDC' } }),
      `${is}_token_name_mismatch`,
    ],
    [
      'names its version',
      () => asked({ extra: { name: 'USD Coin' } }),
      () => asked({ extra: { version: '1' } }),
      `${is}_token_version_mismatch`,
    ],
    ['is asked for by a network that is served', () => asked({}), () => asked({ network: 'base' }), 'invalid_network'],
    ['is asked for', () => asked({}), () => asked({ amount: undefined }), 'invalid_payment_requirements'],
    ['is asked for in a token', () => asked({}), () => asked({ asset: undefined }), 'invalid_payment_requirements'],
    ['is asked for by a payee', () => asked({}), () => asked({ payTo: undefined }), 'invalid_payment_requirements'],
    ['is exact', () => asked({}), () => asked({ scheme: 'upto' }), 'unsupported_scheme'],
    ['pays another', () => reasonOf(), () => reasonOf({ to: payer.address }), 'self_payment'],
  ])('%s', (_what, good, bad, reason) => {
    expect([good(), bad()]).toEqual([undefined, reason])
  })

  test.each([
    ['nobody', zeroAddress],
    ["the token's contract", addresses.token],
    ["another token's contract", otherToken],
    ['the escrow', addresses.escrow],
    ['the operator', addresses.operator],
    ['the collector', addresses.collector],
  ])('to %s is refused, for nobody gets it out again', (_, to) => {
    expect(reasonOf({ to })).toBe('forbidden_receiver')
  })

  test('may go to the treasury, and to what is a contract of another deployment alone', () => {
    expect(reasonOf({ to: treasury.address })).toBeUndefined()
    const bare = networksOf(served({ escrow: undefined }))
    const body = readEnvelope(exactV2(aPayment({ to: addresses.escrow })))
    expect(judgeExact(body, bare, now).reason).toBeUndefined()
  })

  const paidAs = (side: Record<string, unknown>): string | undefined => {
    const body = exactV1(aPayment())
    return judged({ ...body, paymentPayload: { ...(body['paymentPayload'] as object), ...side } }).reason
  }
  test('is paid as it is asked for: by the same scheme and on the same network, by either of its names', () => {
    expect(paidAs({ network: 'eip155:31337' })).toBeUndefined()
    expect(paidAs({ network: undefined, scheme: undefined })).toBeUndefined()
    expect(paidAs({ network: 'elsewhere' })).toBe(`${is}_network_mismatch`)
    expect(paidAs({ network: 'nowhere' })).toBe(`${is}_network_mismatch`)
    expect(paidAs({ scheme: 'escrow' })).toBe(`${is}_scheme`)
  })

  test('without what is asked for is none', () => {
    const { paymentPayload } = exactV1(aPayment())
    expect(judged({ x402Version: 1, paymentPayload }).reason).toBe('invalid_payment_requirements')
  })

  test('whose payer is named tells the payer in every verdict', () => {
    expect(judged(exactV2(aPayment(), { network: 'nowhere' })).payer).toBe(payer.address)
  })
})

const paymentOn = (network: ReturnType<typeof served>, of: ExactOverrides = {}): ExactPayment => {
  const verdict = judgeExact(readEnvelope(exactV2(aPayment(), of)), networksOf(network), now)
  if (verdict.reason !== undefined) throw new Error(verdict.reason)
  return verdict.payment
}
const nobody = { batch: () => Promise.resolve([{ result: '0x' }, { result: '0x' }]) }
const stateOf = (nonceUsed: boolean, balance: bigint) => ({
  rpc: nobody,
  states: { read: () => Promise.resolve({ nonceUsed, balance }) },
})

describe('what a chain holds against a direct payment', () => {
  const fault = (nonceUsed: boolean, balance: bigint, of: ExactOverrides = {}) =>
    checkExactOnChain(paymentOn(served(stateOf(nonceUsed, balance)), of))

  test('is nothing where the payer has what it pays', async () => {
    expect(await fault(false, 50_000n)).toBeUndefined()
  })
  test('is that the payer has one unit less', async () => {
    expect(await fault(false, 49_999n)).toBe(`${is}_insufficient_balance`)
  })
  test('is that its nonce was used, before what the payer has', async () => {
    expect(await fault(true, 0n)).toBe(`${is}_nonce_already_used`)
  })
  test('is that another signed, before anything else', async () => {
    expect(await fault(true, 0n, { key: stranger.privateKey })).toBe(`${is}_signature`)
  })
  test('is nothing where the wallet of its payer is a contract that says yes', async () => {
    const yes = `0x1626ba7e${'0'.repeat(56)}`
    const rpc = { batch: () => Promise.resolve([{ result: '0x60' }, { result: yes }]) }
    const payment = paymentOn(served({ ...stateOf(false, 50_000n), rpc }), { key: stranger.privateKey })
    expect(await checkExactOnChain(payment)).toBeUndefined()
  })
})

const simulating = (answer: Simulation) =>
  simulateExact(paymentOn(served({ simulator: { simulate: () => Promise.resolve(answer) } })))

describe('a simulated direct payment', () => {
  test('goes while it costs no more than a payment may', async () => {
    expect(await simulating({ gas: 1n })).toBeUndefined()
    expect(await simulating({ gas: 1n, spends: 2_000_000 })).toBeUndefined()
    expect(await simulating({ gas: 1n, spends: 2_000_001 })).toEqual({
      reason: `${is}_transaction_simulation_failed`,
      message: 'it would cost more than 2000000 gas',
    })
  })

  test.each([
    ['insufficient_balance', 'ERC20: transfer amount exceeds balance', `${is}_insufficient_balance`],
    ['invalid_signature', 'FiatTokenV2: invalid signature', `${is}_signature`],
    ['expired_authorization', 'FiatTokenV2: authorization is expired', `${is}_payload_authorization_valid_before`],
    ['nonce_already_used', 'FiatTokenV2: authorization is used or canceled', `${is}_nonce_already_used`],
    ['ContractCall', 'FiatTokenV2: authorization is not yet valid', `${is}_payload_authorization_valid_after`],
  ] as const)('that fails with %s has the name of the reference', async (code, reason, name) => {
    expect(faultOf({ code, reason })).toEqual({ reason: name })
    expect(await simulating({ revert: { code, reason } })).toEqual({ reason: name })
  })

  test('that fails for a reason of its own tells the words of the contract', () => {
    const reason = 'Pausable: paused'
    expect(faultOf({ code: 'ContractCall', reason })).toEqual({
      reason: `${is}_transaction_simulation_failed`,
      message: reason,
    })
  })
})

describe('the plan of a direct payment', () => {
  const envelopeOf = (change: Partial<TransferAuthorization> = {}, of: ExactOverrides = {}): Envelope =>
    readEnvelope(exactV2(aPayment(change), of))
  const planned = (envelope: Envelope, network = served(stateOf(false, 50_000n))) =>
    planDirect(envelope, networksOf(network), { requestHash: 'hash', idempotencyKey: 'key' }, now)

  test('may happen once for a nonce of a payer, and counts as what it costs', async () => {
    const nonce = `0x${'7'.repeat(64)}` as const
    const { draft, payer: from, payee } = await planned(envelopeOf({ nonce }))
    expect({ from, payee }).toEqual({ from: payer.address, payee: worker.address })
    expect(draft).toMatchObject({
      kind: 'exact',
      requestHash: 'hash',
      idempotencyKey: 'key',
      onceKey: `exact:${addresses.token}:${payer.address}:${nonce}`,
      sameness: `${worker.address}:50000`,
      conflictKeys: [`authorization:${addresses.token}:${payer.address}:${nonce}`],
      call: { to: addresses.token },
      gas: directShare(payer.address),
    })
    expect(draft.expectations.map(({ emitter }) => emitter)).toEqual([addresses.token, addresses.token])
    expect(draft.spent('0x5')).toMatchObject({ code: 'nonce_already_used', details: { transaction: '0x5' } })
  })

  test('leaves a used nonce to what knows whose transaction used it', async () => {
    expect((await planned(envelopeOf(), served(stateOf(true, 0n)))).draft.kind).toBe('exact')
  })

  test.each<
    readonly [code: string, message: string, envelope: () => Envelope, network: ReturnType<typeof served> | undefined]
  >([
    ['UnsupportedNetwork', 'invalid_network', () => envelopeOf({}, { network: 'nowhere' }), undefined],
    [
      'expired_authorization',
      `${is}_payload_authorization_valid_before`,
      () => envelopeOf({ validBefore: BigInt(now) }),
      undefined,
    ],
    ['insufficient_balance', `${is}_insufficient_balance`, () => envelopeOf(), served(stateOf(false, 1n))],
    ['invalid_signature', `${is}_signature`, () => envelopeOf({}, { key: stranger.privateKey }), undefined],
    ['self_payment', 'self_payment', () => envelopeOf({ to: payer.address }), undefined],
  ])('is refused as %s', async (code, message, envelope, network) => {
    await expect(planned(envelope(), network)).rejects.toMatchObject({ code, message })
  })

  test('says why the chain refused it, by the name of the specification or in the words of the contract', async () => {
    const { draft } = await planned(envelopeOf())
    expect(draft.refuse({ code: 'nonce_already_used', reason: '' })).toMatchObject({
      code: 'nonce_already_used',
      message: `${is}_nonce_already_used`,
    })
    expect(draft.refuse({ code: 'ContractCall', reason: 'Pausable: paused' })).toMatchObject({
      code: 'ContractCall',
      message: `${is}_transaction_simulation_failed: Pausable: paused`,
    })
  })
})
