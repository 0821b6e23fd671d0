import {
  computeLimitInstruction,
  computePriceInstruction,
  createTokenAccountInstruction,
  directPaymentInstructions,
  encodeTransaction,
  signTransaction,
  transferTokensInstruction,
  unsignedTransaction,
  type Instruction,
} from '@ergon/channels'
import { describe, expect, test } from 'vitest'
import { networkNameIn, readSolanaEnvelope } from '../../src/solana/envelope.ts'
import { readSolanaPayment, refusal } from '../../src/solana/payment.ts'
import { feePayer, keyOf, payer, seller, stranger, treasury, worker, type Key } from '../solana-keys.ts'

const mint = keyOf(90).address
const caip2 = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const terms = { name: 'solana', caip2, feePayer: feePayer.address, mint, decimals: 6, smallest: 1_000n }
const blockhash = keyOf(91).address
const budget = [computeLimitInstruction(60_000), computePriceInstruction(1n)]

const signedBy = (signer: Key, instructions: readonly Instruction[], of = feePayer.address): string => {
  const unsigned = unsignedTransaction(of, blockhash, instructions)
  return Buffer.from(encodeTransaction(signTransaction(unsigned, new Map([[signer.address, signer.seed]])))).toString(
    'base64',
  )
}
const transfer = (amount: bigint, to = seller.address): Instruction =>
  transferTokensInstruction({ from: payer.address, to, mint, amount, decimals: 6 })
const exactOf = (amount: bigint, change: object = {}, to = seller.address): Record<string, unknown> => {
  const accepted = { scheme: 'exact', network: caip2, asset: mint, amount: String(amount), payTo: to, ...change }
  const transaction = signedBy(payer, [...budget, transfer(amount, to)])
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted, payload: { transaction } },
    paymentRequirements: accepted,
  }
}

const fault = (read: () => unknown): unknown => {
  try {
    read()
    return 'good'
  } catch (error) {
    // A Refusal, with the reason of the scheme where it has one.
    const { code, details } = error as { readonly code: string; readonly details: { readonly reason?: string } }
    return details.reason ?? code
  }
}
const faultOf = (body: unknown): unknown => fault(() => readSolanaPayment(body, terms))

describe('a payment on Solana', () => {
  test('that is exact pays one payee what was asked for', () => {
    const read = readSolanaPayment(exactOf(1_000n), terms)
    expect(read).toMatchObject({
      payer: payer.address,
      payees: [{ owner: seller.address, amount: 1_000n }],
      makesAccounts: 'no',
      budget: { units: 60_000 },
    })
    expect(readSolanaPayment(exactOf(1_000n, { network: 'solana' }), terms).payer).toBe(payer.address)
    expect(readSolanaPayment(exactOf(1_000n, { extra: { feePayer: feePayer.address } }), terms).payees).toHaveLength(1)
  })

  test.each<readonly [reason: string, body: () => unknown]>([
    ['amount_below_minimum', () => exactOf(999n)],
    ['self_payment', () => exactOf(1_000n, {}, payer.address)],
    ['invalid_network', () => exactOf(1_000n, { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })],
    ['invalid_network', () => exactOf(1_000n, { network: undefined })],
    ['unsupported_scheme', () => exactOf(1_000n, { scheme: 'upto' })],
    ['fee_payer_not_managed_by_facilitator', () => exactOf(1_000n, { extra: { feePayer: stranger.address } })],
    ['invalid_exact_svm_asset_not_supported', () => exactOf(1_000n, { asset: stranger.address })],
    ['invalid_exact_svm_asset_not_supported', () => exactOf(1_000n, { asset: undefined })],
    ['invalid_payment_requirements', () => exactOf(1_000n, { payTo: undefined })],
    ['invalid_payment_requirements', () => exactOf(1_000n, { amount: undefined })],
    ['invalid_exact_svm_payload_amount_mismatch', () => exactOf(1_000n, { amount: '1001' })],
    ['invalid_exact_svm_payload_memo_mismatch', () => exactOf(1_000n, { extra: { memo: 'order 5' } })],
  ])('is refused as %s', (reason, body) => {
    expect(faultOf(body())).toBe(reason)
  })

  test('may make the account of its payee at the cost of its payer', () => {
    const body = exactOf(1_000n)
    const making = createTokenAccountInstruction({ funder: payer.address, owner: seller.address, mint })
    const payload = { transaction: signedBy(payer, [...budget, making, transfer(1_000n)]) }
    const paid = { ...(body['paymentPayload'] as object), payload }
    expect(readSolanaPayment({ ...body, paymentPayload: paid }, terms).makesAccounts).toBe('payer')
  })

  const withTransaction = (transaction: unknown) => {
    const { paymentPayload, ...body } = exactOf(1_000n)
    return { ...body, paymentPayload: { ...(paymentPayload as object), payload: { transaction } } }
  }
  test('is bytes in base64, and 2,048 characters at most', () => {
    const undecodable = 'invalid_exact_svm_payload_transaction_could_not_be_decoded'
    expect(faultOf(withTransaction('*'))).toBe(undecodable)
    expect(faultOf(withTransaction(''))).toBe(undecodable)
    expect(faultOf(withTransaction('A'.repeat(2_048)))).toBe(undecodable)
    expect(faultOf(withTransaction('A'.repeat(2_049)))).toBe('invalid_payload')
    expect(faultOf(withTransaction(undefined))).toBe('invalid_payload')
  })

  const split = (
    payees: readonly { readonly owner: string; readonly amount: bigint }[],
    change: object = {},
    extra: object = {},
  ) => {
    const own = { payer: payer.address, reference: 'task 1', computeUnits: 120_000, computePrice: 7n }
    const offered = payees.slice(0, 4)
    const instructions = directPaymentInstructions({
      ...own,
      payees: offered,
      mint,
      decimals: 6,
      feePayer: feePayer.address,
    })
    const requirements = {
      scheme: 'split',
      network: caip2,
      asset: mint,
      payees: payees.map(({ owner, amount }) => ({ payTo: owner, amount: String(amount) })),
      extra: { ...own, computePrice: '7', ...extra },
      ...change,
    }
    const payload = { transaction: signedBy(payer, instructions) }
    return { x402Version: 2, paymentPayload: { x402Version: 2, payload }, paymentRequirements: requirements }
  }
  const two = [
    { owner: worker.address, amount: 870n },
    { owner: treasury.address, amount: 130n },
  ]

  test('that is split pays several, together no less than the least, and their accounts are made for it', () => {
    const read = readSolanaPayment(split(two), terms)
    expect(read).toMatchObject({ payer: payer.address, payees: two, makesAccounts: 'fee-payer' })
    expect(read.budget).toEqual({ units: 120_000, price: 7n })
    const [first] = two
    expect(faultOf(split([{ owner: worker.address, amount: 869n }, ...two.slice(1)]))).toBe('amount_below_minimum')
    const four = [71, 72, 73, 74].map((byte) => ({ owner: keyOf(byte).address, amount: 250n }))
    expect(faultOf(split(four))).toBe('good')
    expect(faultOf(split([...four, first ?? { owner: '', amount: 0n }]))).toBe('invalid_payload')
  })

  test.each<readonly [reason: string, change: object, extra: object]>([
    ['direct_terms', { payees: [] }, {}],
    ['direct_message', {}, { reference: 'task 2' }],
    ['direct_message', {}, { computeUnits: 120_001 }],
    ['direct_message', {}, { computePrice: '8' }],
    ['direct_message', {}, { payer: stranger.address }],
    ['invalid_payload', {}, { payer: 'somewhere' }],
    ['invalid_payload', {}, { reference: 'r'.repeat(65) }],
    ['direct_message', {}, { reference: 'r'.repeat(64) }],
    ['invalid_payload', {}, { computeUnits: 400_001 }],
    ['direct_message', {}, { computeUnits: 400_000 }],
    ['invalid_payload', {}, { computePrice: String(2n ** 64n) }],
    ['direct_message', {}, { computePrice: String(2n ** 64n - 1n) }],
    ['invalid_payload', { payees: 'all' }, {}],
    ['invalid_payload', { payees: [5] }, {}],
    ['invalid_payload', { payees: [{ payTo: 'x', amount: '1' }] }, {}],
    ['invalid_payload', { payees: [{ payTo: worker.address, amount: 1 }] }, {}],
    ['invalid_payload', { payees: [{ payTo: worker.address, amount: String(2n ** 64n) }] }, {}],
  ])('that is split otherwise is refused as %s: %j %j', (reason, change, extra) => {
    expect(faultOf(split(two, change, extra))).toBe(reason)
  })

  test.each<readonly [sentence: string, change: object, extra: object]>([
    ['paymentRequirements.payees must be a list of at most 4 entries', { payees: 5 }, {}],
    ['paymentRequirements.payees[0] must be an object', { payees: [5] }, {}],
    ['paymentRequirements.payees[0].payTo must be a Solana address', { payees: [{ payTo: 'x' }] }, {}],
    ['extra.payer must be a Solana address', {}, { payer: 'x' }],
    ['extra.reference must be a text of at most 64 characters', {}, { reference: 5 }],
    ['extra.computeUnits must be an integer from 0 to 400000', {}, { computeUnits: -1 }],
    ['extra.computePrice must be a decimal integer as text', {}, { computePrice: 5 }],
  ])('that is split tells what is wrong in a sentence: %s', (sentence, change, extra) => {
    expect(() => readSolanaPayment(split(two, change, extra), terms)).toThrow(
      expect.objectContaining({ message: sentence }),
    )
  })

  test('is refused by the name of the specification, with the reason of the scheme beside it', () => {
    for (const [reason, code] of [
      ['invalid_exact_svm_payload_signature_invalid', 'invalid_signature'],
      ['signature', 'invalid_signature'],
      ['invalid_exact_svm_insufficient_balance', 'insufficient_balance'],
      ['invalid_exact_svm_blockhash_stale', 'expired_authorization'],
      ['duplicate_settlement', 'nonce_already_used'],
      ['invalid_network', 'UnsupportedNetwork'],
      ['self_payment', 'self_payment'],
    ] as const)
      expect(refusal(reason)).toMatchObject({ code, message: reason, status: 400, details: { reason } })
    expect(refusal('x', 'why').details).toEqual({ reason: 'x', errorMessage: 'why' })
    const unsigned = exactOf(1_000n)
    const transaction = signedBy(stranger, [...budget, transfer(1_000n)])
    const payload = { ...(unsigned['paymentPayload'] as object), payload: { transaction } }
    expect(() => readSolanaPayment({ ...unsigned, paymentPayload: payload }, terms)).toThrow(
      expect.objectContaining({ code: 'invalid_signature' }),
    )
  })
})

describe('a body for Solana', () => {
  test('names its network wherever its carrier puts it', () => {
    const at = { network: 'here' }
    expect(networkNameIn({ paymentRequirements: at, network: 'there' })).toBe('here')
    expect(networkNameIn({ paymentPayload: { accepted: at, network: 'there' }, network: 'nowhere' })).toBe('here')
    expect(networkNameIn({ paymentPayload: at, accepted: { network: 'there' } })).toBe('here')
    expect(networkNameIn({ accepted: at, network: 'there' })).toBe('here')
    expect(networkNameIn(at)).toBe('here')
    for (const none of [null, 5, 'text', {}, [], { network: 5 }, { paymentRequirements: null }])
      expect(networkNameIn(none)).toBeUndefined()
  })

  const asked = { scheme: 'exact', network: caip2 }
  const read = (body: object) => readSolanaEnvelope({ x402Version: 2, ...body })
  const payload = { transaction: 'AA==' }
  test('is read with its wrapper or without, as version 1 or 2', () => {
    const whole = { scheme: 'exact', requirements: { network: caip2 }, transaction: 'AA==' }
    expect(read({ x402Version: 1, paymentPayload: { payload }, paymentRequirements: asked })).toMatchObject(whole)
    expect(read({ paymentPayload: { accepted: asked, payload } })).toMatchObject(whole)
    expect(read({ accepted: asked, payload })).toMatchObject(whole)
    const most = { ...asked, maxAmountRequired: '1', amount: '2', extra: null }
    expect(read({ accepted: most, payload }).requirements).toMatchObject({ amount: 1n, memo: undefined })
    const extra = { feePayer: feePayer.address, memo: 'm'.repeat(256) }
    expect(read({ accepted: { ...asked, extra }, payload }).requirements).toMatchObject(extra)
  })

  test.each<readonly [reason: string, body: object]>([
    ['invalid_x402_version', { x402Version: 3 }],
    ['invalid_exact_svm_scheme_mismatch', { paymentPayload: { accepted: { ...asked, scheme: 'split' }, payload } }],
    ['invalid_exact_svm_scheme_mismatch', { paymentPayload: { scheme: 'split', payload } }],
    ['invalid_exact_svm_network_mismatch', { paymentPayload: { accepted: { ...asked, network: 'solana' }, payload } }],
    ['invalid_exact_svm_network_mismatch', { paymentPayload: { network: 'solana', payload } }],
    ['invalid_payload', { paymentPayload: 5 }],
    ['invalid_payload', { paymentPayload: { payload: 5 } }],
    ['invalid_payload', { paymentRequirements: 5 }],
    ['invalid_payload', { paymentRequirements: { network: caip2 } }],
    ...[
      { scheme: 's'.repeat(33) },
      { network: 'n'.repeat(65) },
      { asset: '0x5' },
      { payTo: 'O'.repeat(44) },
      { amount: String(2n ** 64n) },
      { extra: 5 },
      { extra: { feePayer: 'x' } },
      { extra: { memo: 'm'.repeat(257) } },
    ].map((change) => ['invalid_payload', { paymentRequirements: { ...asked, ...change } }] as const),
  ])('is refused as %s: %j', (reason, change) => {
    expect(fault(() => read({ paymentPayload: { payload }, paymentRequirements: asked, ...change }))).toBe(reason)
  })

  test.each<readonly [sentence: string, body: object]>([
    ['x402Version must be 1 or 2', { x402Version: 0 }],
    ['paymentPayload must be an object', { paymentPayload: 5 }],
    ['paymentPayload.payload must be an object', { paymentPayload: {} }],
    ['payload.transaction must be a text of at most 2048 characters', { paymentPayload: { payload: {} } }],
    ['accepted must be an object', { paymentPayload: { accepted: 5, payload } }],
    ['scheme must be a text of at most 32 characters', { paymentRequirements: {} }],
    [
      'the payment names another scheme than what was asked for',
      { paymentPayload: { scheme: 'split', payload }, paymentRequirements: asked },
    ],
    ...(
      [
        [{ scheme: 5 }, 'paymentRequirements.scheme must be a text of at most 32 characters'],
        [{ network: 5 }, 'paymentRequirements.network must be a text of at most 64 characters'],
        [{ asset: 'x' }, 'paymentRequirements.asset must be a Solana address'],
        [{ payTo: 'x' }, 'paymentRequirements.payTo must be a Solana address'],
        [{ amount: 5 }, 'paymentRequirements.amount must be a decimal integer as text'],
        [{ extra: 5 }, 'paymentRequirements.extra must be an object'],
        [{ extra: { feePayer: 'x' } }, 'paymentRequirements.extra.feePayer must be a Solana address'],
        [{ extra: { memo: 5 } }, 'paymentRequirements.extra.memo must be a text of at most 256 characters'],
      ] as const
    ).map(([change, sentence]) => [sentence, { paymentRequirements: { ...asked, ...change } }] as const),
  ])('is refused with a sentence: %s', (sentence, change) => {
    const body = { paymentPayload: { payload }, paymentRequirements: asked, ...change }
    expect(() => read(body)).toThrow(expect.objectContaining({ message: sentence }))
  })

  test('is an object', () => {
    expect(() => readSolanaEnvelope([])).toThrow('body must be an object')
  })
})
