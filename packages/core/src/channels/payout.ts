import { feeBps } from '@ergon/contract/facts'
import type { ChannelPayout } from '../ledger/journal.ts'

const wholeBps = 10_000
/** What a channel is opened with for its worker; the rest is the deployment's fee. */
export const workerShareBps = wholeBps - feeBps

/**
 * How the program shares a channel out when it is over: both shares are rounded down, what that leaves over is the
 * dust of its treasury, and what was never settled goes back to the payer.
 */
export function payoutOf({ settled, deposit }: { readonly settled: bigint; readonly deposit: bigint }): ChannelPayout {
  const worker = shareOf(settled, workerShareBps)
  const fee = shareOf(settled, feeBps)
  return { worker, fee, dust: settled - worker - fee, refund: deposit - settled }
}

function shareOf(atomic: bigint, bps: number): bigint {
  return (atomic * BigInt(bps)) / BigInt(wholeBps)
}
