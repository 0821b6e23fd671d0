import type { Terms } from '../chain/draft.ts'
import type { GasBook, GasCount } from '../gas/gas-book.ts'
import { budgetSpent, mostOf, ofClient, ofWallet, readDay, type GasLimits, type GasOfDay } from '../gas/gas-budget.ts'

/** Bounds what payments on Solana may cost in a UTC day, in lamports. */
export type SolBudget = {
  /** Counts a payment that is about to be sent. @throws Refusal gas_budget_spent */
  take(
    ask: { readonly payer: string; readonly fee: bigint; readonly rent: bigint },
    terms: Pick<Terms, 'from'>,
  ): Promise<void>
  today(): Promise<GasOfDay>
}

const kind = 'sol:'
const total = `${kind}total`
/** Whoever owns a token account may close it and keep its rent, so all rents together have half of a day's SOL. */
const rentShare = 2

export function createSolBudget(limits: GasLimits, book: GasBook): SolBudget {
  return {
    async take({ payer, fee, rent }, { from }) {
      // Base58 tells capitals from small letters, and the names of wallets are kept in small ones: at worst two payers
      // share a count.
      const counts: readonly GasCount[] = [
        ...ofWallet(kind, payer, limits),
        ...ofClient(kind, from, limits),
        ...(rent === 0n ? [] : [{ key: `${kind}rents`, most: mostOf(limits.total / rentShare), gas: Number(rent) }]),
        { key: total, most: mostOf(limits.total) },
      ]
      const {
        spent: [spent],
        day,
      } = await book.take([{ counts, gas: Number(fee + rent) }])
      // Whoever is told that its payment was not made must not find it made tomorrow.
      if (spent !== undefined) throw budgetSpent('payments on Solana', spent, day, { isPassing: false })
    },
    today: () => readDay(book, total, limits),
  }
}
