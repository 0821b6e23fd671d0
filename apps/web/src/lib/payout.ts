/** What reaches the worker and what is kept of a bounty. */
export type Split = { readonly payoutUsd: number; readonly feeUsd: number }

const atomicPerUsd = 1_000_000

/** The split as the service makes it: the fee rounded down to the atomic unit, the rest to the worker (spec §1.8). */
export function splitOf(bountyUsd: number, feeBps: number): Split {
  const gross = BigInt(Math.round(bountyUsd * atomicPerUsd))
  const fee = (gross * BigInt(feeBps)) / 10_000n
  return { payoutUsd: Number(gross - fee) / atomicPerUsd, feeUsd: Number(fee) / atomicPerUsd }
}
