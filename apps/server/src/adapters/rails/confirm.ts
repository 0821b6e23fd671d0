import { type ExpectedEvent, findEvent } from '@ergon/protocols'
import type { Landed, RailAnswer } from '@ergon/core'
import type { Time } from '../../surroundings/platform-time.ts'
import type { Receipt } from '../chain/chain-reader.ts'
import type { ChainLog } from '../chain/log-search.ts'
import type { ServedNetwork } from '../networks.ts'

/** Time to wait for our own node beyond the caller's, for it may be a block behind the facilitator's. */
const graceMs = 2_000
const pollMs = 50

export type Confirmed = { readonly answer: RailAnswer; readonly logs: readonly ChainLog[] }
type Named = {
  readonly network: ServedNetwork
  readonly txHash: string
  /** By the clock that only goes forward. */
  readonly until: number
  readonly time: Time
}

/**
 * Believes a named transaction only after its receipt: mined, not reverted, and with every expected event. Anything
 * less is `unknown`, for the facilitator says that it moved money.
 */
export async function confirm(named: Named, expected: readonly ExpectedEvent[]): Promise<Confirmed> {
  const unknown: Confirmed = { answer: { outcome: 'unknown', txHash: named.txHash }, logs: [] }
  const receipt = await awaitReceipt({ ...named, until: named.until + graceMs })
  if (receipt === null || !receipt.succeeded) return unknown
  const logs = expected.flatMap((event) => findEvent(event, receipt.logs) ?? [])
  const [first] = logs
  return first === undefined || logs.length < expected.length
    ? unknown
    : { answer: { outcome: 'settled', ...landedBy(first) }, logs }
}

/** The place of a log, as the core names it. */
export function landedBy({ transactionHash, blockNumber, logIndex }: ChainLog): Landed {
  return { txHash: transactionHash, blockNumber, logIndex }
}

async function awaitReceipt({ network, txHash, until, time }: Named): Promise<Receipt | null> {
  for (;;) {
    // A node that does not answer now may answer before the time is up.
    const receipt = await network.chain.receipt(txHash).catch(() => null)
    if (receipt !== null || time.monotonic() >= until) return receipt
    await time.delay(pollMs)
  }
}
