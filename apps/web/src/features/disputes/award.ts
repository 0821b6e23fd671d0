import type { DisputeVerdict } from '@ergon/contract'

/**
 * What a decision gives to each side; `gross` is what leaves the escrow for the worker, before the fee is taken of it.
 */
export type Award = { readonly backUsd: number; readonly grossUsd: number }

const atomicPerUsd = 1_000_000

/**
 * The bounty as the service divides it: the payer's share rounded down to the atomic unit, the rest to the worker (spec
 * §4).
 */
export function awardOf(bountyUsd: number, verdict: DisputeVerdict, payerPct: number): Award {
  const bounty = BigInt(Math.round(bountyUsd * atomicPerUsd))
  const pct = verdict === 'refund' ? 100n : verdict === 'release' ? 0n : BigInt(payerPct)
  const back = (bounty * pct) / 100n
  return { backUsd: Number(back) / atomicPerUsd, grossUsd: Number(bounty - back) / atomicPerUsd }
}

/** The payer's share as it was typed, where it is one that a split can have. */
export function readShare(typed: string): number | undefined {
  return /^[1-9]\d?$/.test(typed.trim()) ? Number(typed) : undefined
}
