import { limits } from '@ergon/contract'

/** What of a bounty the worker gets and what is fee, in dollars; the fee is rounded down (spec §4). */
export function splitOf(usd: number): { readonly payout: number; readonly fee: number } {
  const gross = BigInt(Math.round(usd * 1_000_000))
  const fee = (gross * BigInt(limits.feeBps)) / 10_000n
  return { payout: Number(gross - fee) / 1_000_000, fee: Number(fee) / 1_000_000 }
}
