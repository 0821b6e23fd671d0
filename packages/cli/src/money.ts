import { splitFee } from '@ergon/contract/facts'

/** What of a bounty the worker gets and what is fee, in dollars; the fee is rounded down (spec §4). */
export function splitOf(usd: number): { readonly payout: number; readonly fee: number } {
  const { payout, fee } = splitFee(BigInt(Math.round(usd * 1_000_000)))
  return { payout: Number(payout) / 1_000_000, fee: Number(fee) / 1_000_000 }
}
