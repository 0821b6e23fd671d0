import { Refusal } from '../errors.ts'
import type { Terms } from '../chain/draft.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { GasBook } from './gas-book.ts'

/** Gas of a UTC day that identities and ratings may cost; 0 is no limit. */
export type GasLimits = { readonly wallet: number; readonly client: number; readonly total: number }

/** What a write will cost at most, and for whom it is made. */
export type GasAsk = { readonly gas: number; readonly wallet: string | undefined }
export type GasOfDay = { readonly spent: number; readonly limit: number | null; readonly resets_at: string }

/** Bounds the gas that writes cost which nobody pays for (decision 0092). */
export type GasBudget = {
  /** Counts a write that is about to be made. @throws Refusal gas_budget_spent: 429 where its wallet or caller spent its share, 503 where the day's gas is spent */
  take(ask: GasAsk, terms: Pick<Terms, 'from'>): Promise<void>
  /** How the day stands, for health. */
  today(): Promise<GasOfDay>
}

const dayMs = 86_400_000

export function createGasBudget(limits: GasLimits, book: GasBook, surroundings: Surroundings): GasBudget {
  const day = (): { readonly name: string; readonly end: number } => {
    const start = Math.floor(surroundings.now() / dayMs) * dayMs
    return { name: new Date(start).toISOString().slice(0, 10), end: start + dayMs }
  }
  return {
    async take({ gas, wallet }, { from }) {
      const { name, end } = day()
      const counted = [
        ...(wallet === undefined ? [] : [{ key: `wallet ${wallet.toLowerCase()}`, most: limits.wallet }]),
        ...(from === undefined ? [] : [{ key: `client ${from}`, most: limits.client }]),
        { key: total, most: limits.total },
      ]
      const spent = await book.take(name, counted.map((one) => ({ ...one, most: one.most === 0 ? Number.MAX_SAFE_INTEGER : one.most })), gas)
      if (spent === undefined) return
      throw new Refusal('gas_budget_spent', 'the gas that identities and ratings may cost today is spent', {
        status: spent === total ? 503 : 429,
        details: { broadcast: false, spent_by: spent.split(' ', 1)[0], retry_after: Math.max(1, Math.ceil((end - surroundings.now()) / 1_000)) },
      })
    },
    async today() {
      const { name, end } = day()
      return { spent: await book.spent(name, total), limit: limits.total === 0 ? null : limits.total, resets_at: new Date(end).toISOString() }
    },
  }
}

const total = 'total'

/** Storing a byte costs at most this much: a slot of 32 for 22,100. */
const gasOfStoredByte = 691
const gasOfByte = 24

/** Mint and transfer, with the URI and what else is stored. */
export function gasOfRegistration(storedBytes: number): number {
  return 250_000 + storedBytes * (gasOfStoredByte + gasOfByte)
}

/** A rating or an answer to one: most of its texts live in the log. */
export function gasOfRating(requestBytes: number): number {
  return 250_000 + requestBytes * gasOfByte
}
