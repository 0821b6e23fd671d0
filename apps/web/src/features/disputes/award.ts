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
export function awardOf(bountyUsd: number, verdict: DisputeVerdict, share: number): Award {
  const bounty = BigInt(Math.round(bountyUsd * atomicPerUsd))
  const pct = BigInt(payerPctOf(verdict, share))
  const back = (bounty * pct) / 100n
  return { backUsd: Number(back) / atomicPerUsd, grossUsd: Number(bounty - back) / atomicPerUsd }
}

/** The payer's share in percent, as a ruling is signed; `share` counts where the bounty is split. */
export function payerPctOf(verdict: DisputeVerdict, share: number): number {
  return verdict === 'refund' ? 100 : verdict === 'release' ? 0 : share
}

/** The payer's share as it was typed, where it is one that a split can have. */
export function readShare(typed: string): number | undefined {
  return /^[1-9]\d?$/.test(typed.trim()) ? Number(typed) : undefined
}
