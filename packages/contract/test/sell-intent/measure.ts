import { sellIntent, type SellIntent } from '../../src/facts/index.ts'
import heldOut from './held-out.json' with { type: 'json' }
import tuning from './tuning.json' with { type: 'json' }

type Phrases = { readonly buy: readonly string[]; readonly sell: readonly string[] }
/** How many buyers and sellers there are, and how many of them are refused or warned of. */
export type Measured = Readonly<Record<'buyers' | 'sellers', { readonly of: number } & Readonly<Record<Kind, number>>>>
type Kind = 'refused' | 'warned'

/** `held out` was written down before the rule and is not looked at while it changes; by `tuning` it was made. */
export const corpus: Readonly<Record<'held out' | 'tuning', Phrases>> = { 'held out': heldOut, tuning }

/** Holds each phrase as a title over instructions that say nothing of who buys. */
export function intentOf(title: string): SellIntent {
  return sellIntent(title, 'See the details below, they are long enough.')
}

export function measure({ buy, sell }: Phrases): Measured {
  const count = (titles: readonly string[]): Measured['buyers'] => ({
    of: titles.length,
    refused: titles.filter((title) => intentOf(title) === 'sure').length,
    warned: titles.filter((title) => intentOf(title) === 'unsure').length,
  })
  return { buyers: count(buy), sellers: count(sell) }
}
