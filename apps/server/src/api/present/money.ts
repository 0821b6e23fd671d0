import type { Amount } from '@ergon/core'

/**
 * Dollars as the wire carries them: the number nearest to the decimal text (decision 0009). Nothing is computed with
 * it.
 */
export function usd(amount: Amount): number {
  return Number(amount.atomic) / 10 ** amount.asset.decimals
}

export function usdOrNull(amount: Amount | null): number | null {
  return amount === null ? null : usd(amount)
}
