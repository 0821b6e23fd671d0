import { limits } from '@ergon/contract'
import { splitFee } from '@ergon/contract/facts'
import { CliError } from './cli-error.ts'

/** What of a bounty the worker gets and what is fee, in dollars; the fee is rounded down (spec §4). */
export function splitOf(usd: number): { readonly payout: number; readonly fee: number } {
  const { payout, fee } = splitFee(BigInt(Math.round(usd * 1_000_000)))
  return { payout: Number(payout) / 1_000_000, fee: Number(fee) / 1_000_000 }
}

/** What no deployment takes, whatever its own bounds are (spec §2). @throws CliError */
export function requireBounty(usd: number): void {
  if (usd >= limits.bountyMinUsd && Math.round(usd * 1_000_000) / 1_000_000 === usd) return
  throw new CliError(
    'validation',
    'INVALID_BOUNTY',
    `bounty_usd must be ${String(limits.bountyMinUsd)} at least, with at most six decimals`,
    'Correct what is named; nothing was sent.',
  )
}
