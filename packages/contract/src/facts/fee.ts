/** The service's share of a bounty, in basis points (spec §1.8). */
export const feeBps = 1_300

/** What of an amount is fee and what is left for the payee, in atomic units. */
export type FeeSplit = { readonly fee: bigint; readonly payout: bigint }

/**
 * The one place that rounds: the fee down, the rest is the payout, as the escrow contract does (decision 0009).
 * `shareBps`: the share that a chain says it kept, where that is known.
 */
export function splitFee(gross: bigint, shareBps: number = feeBps): FeeSplit {
  const fee = (gross * BigInt(shareBps)) / 10_000n
  return { fee, payout: gross - fee }
}
