import { expect } from 'vitest'
import type { AcceptedOffer, Offer, Ruling, RulingInput, WalletCaller } from '@ergon/core'
import { plainSignature } from '@ergon/core/testing'
import { publisher, type Stage } from './stage.ts'

export const refusedWith = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as object }) as Error

/** One side offers so many dollars to the worker, signed. */
export async function offer(
  { market }: Pick<Stage, 'market'>,
  by: WalletCaller,
  taskId: string,
  toWorker: string,
  validHours: number | null = null,
): Promise<Offer> {
  const challenge = await market.offerChallenge(by, taskId, { toWorker, validHours })
  const { nonce, expiresAt, payments } = challenge
  return market.proposeOffer(by, taskId, {
    toWorker,
    expiresAt,
    nonce,
    signature: plainSignature(by.wallet, nonce),
    message: null,
    payments: paymentsOf(payments),
  })
}

type Asked = Awaited<ReturnType<Stage['market']['offerChallenge']>>['payments']

const paymentsOf = (asked: Asked) =>
  asked === null
    ? null
    : {
        payout: JSON.stringify(asked.payout.envelope),
        fee: asked.fee === null ? null : JSON.stringify(asked.fee.envelope),
      }

/** The other side signs all that it is asked for. */
export async function accept(
  { market }: Pick<Stage, 'market'>,
  by: WalletCaller,
  offerId: string,
): Promise<AcceptedOffer> {
  const { offer: of, release, payments } = await market.acceptChallenge(by, offerId)
  return market.acceptOffer(by, offerId, {
    signature: plainSignature(by.wallet, of.words.nonce),
    order:
      release === null
        ? null
        : { signer: publisher.wallet, deadline: release.deadline, nonce: release.nonce, signature: '0x' },
    payments: paymentsOf(payments),
  })
}

export type Verdict = Pick<RulingInput, 'verdict' | 'splitPct'>

/** An arbiter rules, citing a criterion. */
export async function rule(
  { market }: Pick<Stage, 'market'>,
  by: WalletCaller,
  disputeId: string,
  verdict: Verdict,
): Promise<Ruling> {
  const said = { ...verdict, reason: 'By what was asked for.', criteria: ['The gate is on it.'] }
  const { nonce, deadline } = await market.rulingChallenge(by, disputeId, said)
  return market.rule(by, disputeId, { ...said, nonce, deadline, signature: plainSignature(by.wallet, nonce) })
}
