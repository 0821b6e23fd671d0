import { Refusal } from '../errors.ts'
import type { Terms } from '../chain/draft.ts'
import type { GasBook, GasCount, GasDay } from './gas-book.ts'

/** Gas of a UTC day; 0 is no limit. */
export type GasLimits = { readonly wallet: number; readonly client: number; readonly total: number }

/** What a write will cost at most, and for whom it is made. */
export type GasAsk = {
  readonly of: 'identities' | 'ratings'
  readonly gas: number
  readonly wallet: string | undefined
}
export type GasOfDay = { readonly spent: number; readonly limit: number | null; readonly resets_at: string }

/** Bounds the gas that writes cost which nobody pays for (decision 0092). */
export type GasBudget = {
  /**
   * Counts a write that is about to be made. @throws Refusal gas_budget_spent: 429 where its wallet or caller spent its
   * share, 503 where the day's gas is spent
   */
  take(ask: GasAsk, terms: Pick<Terms, 'from'>): Promise<void>
  /** What the day has spent so far, for health. */
  today(): Promise<GasOfDay>
}

const total = 'total'
/**
 * Anybody may ask for an identity. A quarter of a day is for ratings alone, which need a payment behind them.
 */
const identitiesShare = 3 / 4

export function createGasBudget(limits: GasLimits, book: GasBook): GasBudget {
  return {
    async take({ of, gas, wallet }, { from }) {
      const counts = [
        ...ofWallet('', wallet, limits),
        ...ofClient('', from, limits),
        { key: total, most: mostOf(limits.total) },
        ...(of === 'identities' ? [{ key: 'identities', most: mostOf(limits.total * identitiesShare) }] : []),
      ]
      const {
        spent: [spent],
        day,
      } = await book.take([{ counts, gas }])
      if (spent !== undefined) throw budgetSpent('identities and ratings', spent, day, { isPassing: true })
    },
    today: () => readDay(book, total, limits),
  }
}

export const mostOf = (limit: number): number => (limit === 0 ? Number.MAX_SAFE_INTEGER : limit)

export function ofWallet(kind: string, wallet: string | undefined, limits: GasLimits): readonly GasCount[] {
  return wallet === undefined ? [] : [{ key: `${kind}wallet ${wallet.toLowerCase()}`, most: mostOf(limits.wallet) }]
}

export function ofClient(kind: string, from: string | undefined, limits: GasLimits): readonly GasCount[] {
  return from === undefined ? [] : [{ key: `${kind}client ${from}`, most: mostOf(limits.client) }]
}

/** 429 where a wallet or a caller spent its share, 503 where a share of all is spent. Nothing was sent. */
export function budgetSpent(
  what: string,
  spent: string,
  { secondsLeft }: GasDay,
  { isPassing }: { readonly isPassing: boolean },
): Refusal {
  const by = /(?:^|:)([a-z]+)(?: |$)/.exec(spent)?.[1] ?? total
  return new Refusal('gas_budget_spent', `the gas that ${what} may cost today is spent`, {
    status: by === 'wallet' || by === 'client' ? 429 : 503,
    details: { broadcast: false, spent_by: by, retry_after: secondsLeft },
    isPassing,
  })
}

export async function readDay(book: GasBook, key: string, limits: GasLimits): Promise<GasOfDay> {
  const { gas, day } = await book.today(key)
  return { spent: gas, limit: limits.total === 0 ? null : limits.total, resets_at: day.endsAt.toISOString() }
}

/** Storing a byte costs at most this much: a slot of 32 for 22,100. */
const gasOfStoredByte = 691
const gasOfByte = 24

/** Mint and hand-over, with the URI and what else is stored. */
export function gasOfRegistration(storedBytes: number): number {
  return 250_000 + storedBytes * (gasOfStoredByte + gasOfByte)
}

/** A rating or an answer to one: its tags are stored, its other texts live in the log. */
export function gasOfRating({ stored, logged }: { readonly stored: number; readonly logged: number }): number {
  return 250_000 + stored * (gasOfStoredByte + gasOfByte) + logged * gasOfByte
}
