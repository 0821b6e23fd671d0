import { sellIntent } from '@ergon/contract/facts'
import { page, table } from './table.ts'

export type SellPhrases = { readonly buy: readonly string[]; readonly sell: readonly string[] }

/** What the rule against offers to sell does to phrases of buyers and of sellers (decision 0141). */
export function sellIntentPage(halves: Readonly<Record<string, SellPhrases>>): string {
  const rows = Object.entries(halves).flatMap(([half, { buy, sell }]) => [
    [half, 'buyers', ...counts(buy)],
    [half, 'sellers', ...counts(sell)],
  ])
  return page(
    'Offers to sell',
    'packages/contract/src/facts/sell-intent.ts',
    table(['Phrases', 'By', 'In all', 'Refused', 'Warned', 'Passed'], rows),
  )
}

function counts(titles: readonly string[]): readonly string[] {
  const found = titles.map((title) => sellIntent(title, ''))
  const share = (level: string): string => {
    const count = found.filter((one) => one === level).length
    return `${String(count)} (${String(Math.round((count / titles.length) * 100))} %)`
  }
  return [String(titles.length), share('sure'), share('unsure'), share('none')]
}
