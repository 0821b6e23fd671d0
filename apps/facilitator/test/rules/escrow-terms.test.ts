import type { Address } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createNetworks, type ServedEscrow, type ServedNetwork } from '../../src/network/served-network.ts'
import { planEscrow } from '../../src/settle/escrow.ts'
import {
  addresses,
  aPaymentInfo,
  authorizeBody,
  caip2,
  escrowRequirements,
  payer,
  refundBody,
  releaseBody,
  stranger,
  tokenDomain,
  treasury,
} from '../../src/testing/payments.ts'
import { judgeEscrowAuthorization } from '../../src/verify/escrow.ts'
import { readEnvelope } from '../../src/wire/envelope.ts'

/** What is judged of an escrow before any chain is asked. */
const now = 1_800_000_000
const escrow: ServedEscrow = { ...addresses, operatorAbi: 'create3', owner: treasury.address }
const token = { symbol: 'USDC', decimals: 6, smallest: 1_000n, domain: tokenDomain }
// No chain is asked, so none is there.
const network = {
  name: 'localnet',
  caip2,
  chainId: 31_337,
  tokens: new Map<Address, typeof token>([[addresses.token, token]]),
  escrow,
} as unknown as ServedNetwork
const networks = createNetworks([network])
const terms = { preApprovalExpiry: now + 6, authorizationExpiry: now + 7_200, refundExpiry: now + 86_400 }
const info = (change = {}) => aPaymentInfo({ ...terms, ...change })

const judged = (body: Record<string, unknown>) => judgeEscrowAuthorization(readEnvelope(body), networks, now)
const asking = (requirements: Record<string, unknown>) => ({
  ...authorizeBody(info()),
  paymentRequirements: escrowRequirements(requirements),
})
const deployedAt = (change: Record<string, unknown>) => {
  const { extra } = escrowRequirements()
  return asking({ extra: { ...(extra as object), ...change } })
}

describe('an authorization', () => {
  test('on its last second, of the least and of what is asked for, is good', () => {
    expect(judged(authorizeBody(info({ maxAmount: 1_000n }))).recovered).toBe(true)
    expect(judged(authorizeBody(info({ maxAmount: 100_000_000n, minFeeBps: 1_300, maxFeeBps: 10_000 })))).toBeDefined()
    expect(judged(asking({ maxAmountRequired: '1000000', asset: addresses.token })).recovered).toBe(true)
  })

  test.each<readonly [what: string, code: string, text: RegExp, body: () => Record<string, unknown>]>([
    [
      'that ends before a block can take it',
      'expired_authorization',
      /has passed/,
      () => authorizeBody(info({ preApprovalExpiry: now + 5 })),
    ],
    [
      'that begins later',
      'PaymentInfoInvalid',
      /validAfter/,
      () => authorizeBody(info(), { authorization: { validAfter: 1n } }),
    ],
    [
      'that ends at another time than its terms',
      'PaymentInfoInvalid',
      /validBefore/,
      () => authorizeBody(info(), { authorization: { validBefore: BigInt(now + 60) } }),
    ],
    ['of more than 100 USD', 'deposit_limit', /100 USD/, () => authorizeBody(info({ maxAmount: 100_000_001n }))],
    ['of less than the least', 'amount_below_minimum', /1000 /, () => authorizeBody(info({ maxAmount: 999n }))],
    ['of less than is asked for', 'PaymentInfoInvalid', /below the required/, () => asking({ amount: '1000001' })],
    [
      'in another token than is asked for',
      'PaymentInfoInvalid',
      /required asset/,
      () => asking({ asset: stranger.address }),
    ],
    ['that asks for a higher fee', 'PaymentInfoInvalid', /fee bounds/, () => authorizeBody(info({ minFeeBps: 1_301 }))],
    [
      'whose fee may be more than all',
      'PaymentInfoInvalid',
      /fee bounds/,
      () => authorizeBody(info({ maxFeeBps: 10_001 })),
    ],
    [
      'for another escrow',
      'PaymentInfoInvalid',
      /escrow mismatch/,
      () => deployedAt({ escrowAddress: stranger.address }),
    ],
    [
      'for another collector',
      'PaymentInfoInvalid',
      /collector mismatch/,
      () => deployedAt({ tokenCollector: stranger.address }),
    ],
    [
      'for another operator',
      'operator_not_registered',
      /not an operator/,
      () => deployedAt({ operatorAddress: stranger.address }),
    ],
  ])('%s is refused', (_what, code, text, body) => {
    expect(() => judged(body())).toThrow(expect.objectContaining({ code, message: expect.stringMatching(text) }))
  })
})

describe('an end of what is held', () => {
  const planned = (body: Record<string, unknown>) =>
    planEscrow(
      readEnvelope(body),
      networks,
      { requestHash: 'hash' },
      { mode: 'off', delegates: [], onUnorderly: () => undefined },
      now,
    )

  test('of all of it is a plan', async () => {
    expect((await planned(releaseBody(info(), 1_000_000n))).payee).toBe(info().receiver)
    expect((await planned(refundBody(info(), 1_000_000n))).payer).toBe(payer.address)
  })

  test('was counted with its lock where it is of all, and counts by itself where it is of a part', async () => {
    expect((await planned(releaseBody(info(), 1_000_000n))).draft.gas).toBeUndefined()
    expect((await planned(releaseBody(info(), 999_999n))).draft.gas).toMatchObject({ wallet: payer.address })
  })

  test.each<readonly [what: string, code: string, text: RegExp, body: () => Record<string, unknown>]>([
    ['of nothing', 'PaymentInfoInvalid', /amount is zero/, () => releaseBody(info(), 0n)],
    ['of more than there is', 'PaymentInfoInvalid', /above maxAmount/, () => releaseBody(info(), 1_000_001n)],
    ['of more back than there is', 'PaymentInfoInvalid', /above maxAmount/, () => refundBody(info(), 1_000_001n)],
    ['to the payer', 'self_payment', /same/, () => releaseBody(info({ receiver: payer.address }), 1n)],
    ['to the treasury', 'forbidden_receiver', /may not/, () => releaseBody(info({ receiver: treasury.address }), 1n)],
    [
      'through another operator',
      'operator_not_registered',
      /not an operator/,
      () => releaseBody(info({ operator: stranger.address }), 1n),
    ],
  ])('%s is refused', async (_what, code, text, body) => {
    await expect(planned(body())).rejects.toMatchObject({ code, message: expect.stringMatching(text) })
  })

  test('gives back what was locked for its own payer', async () => {
    expect((await planned(refundBody(info({ receiver: payer.address }), 1n))).payer).toBe(payer.address)
  })
})
