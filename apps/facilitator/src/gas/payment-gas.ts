import type { Refusal } from '../errors.ts'
import type { GasBook, GasCount, GasWish } from './gas-book.ts'
import type { GasShare } from './gas-share.ts'
import { budgetSpent, mostOf, ofClient, ofWallet, readDay, type GasLimits, type GasOfDay } from './gas-budget.ts'

/** `spends`: what the simulation says, where the chain tells. */
export type PaymentAsk = {
  readonly share: GasShare
  readonly from: string | undefined
  readonly spends: number | undefined
}

/** Bounds the gas of payments that are about to be sent. */
export type PaymentGas = {
  /** Counts each; the refusal of each that may not be sent. */
  take(asks: readonly PaymentAsk[]): Promise<readonly (Refusal | undefined)[]>
  today(): Promise<GasOfDay>
}

const kind = 'pay:'
const total = `${kind}total`
/**
 * Anybody may ask that fees move; a tenth of the gas of a day is theirs, and the other nine are safe from it. Another
 * tenth is what payers may cost whose wallet is put up with their payment.
 */
const smallShare = 10

export function createPaymentGas(limits: GasLimits, book: GasBook): PaymentGas {
  const countsOf = ({ share, from }: PaymentAsk): readonly GasCount[] =>
    share.of === 'sweeps'
      ? [...ofClient(kind, from, limits), { key: `${kind}sweeps`, most: mostOf(limits.total / smallShare) }]
      : [
          ...ofWallet(kind, share.wallet, limits),
          ...ofClient(kind, from, limits),
          ...(share.deploys === true ? [{ key: `${kind}deployments`, most: mostOf(limits.total / smallShare) }] : []),
          { key: total, most: mostOf(limits.total) },
        ]
  const wishOf = (ask: PaymentAsk): GasWish => ({
    counts: countsOf(ask),
    gas: Math.max(ask.spends ?? 0, ask.share.usual) + ask.share.later,
  })
  return {
    async take(asks) {
      if (asks.length === 0) return []
      const { spent, day } = await book.take(asks.map(wishOf))
      // Whoever is told that its payment was not made must not find it made tomorrow. A sweep moves the same fees
      // whenever it is carried out.
      return spent.map((key, index) =>
        key === undefined
          ? undefined
          : budgetSpent('payments', key, day, { isPassing: asks[index]?.share.of === 'sweeps' }),
      )
    },
    today: () => readDay(book, total, limits),
  }
}
