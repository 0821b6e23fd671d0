import { sellIntent } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'

/**
 * Publishing makes the caller the buyer, so a task that surely offers to sell is refused (spec §1.7), unless whoever
 * publishes insists on paying (decision 0141). @throws sell_intent_rejected
 */
export function requireBuyer(
  { title, instructions }: { readonly title: string; readonly instructions: string },
  insists: boolean,
): void {
  if (!insists && sellIntent(title, instructions) === 'sure') throw new MarketError('sell_intent_rejected')
}
