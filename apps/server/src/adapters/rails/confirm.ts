import { setTimeout as delay } from 'node:timers/promises'
import type { RailAnswer } from '@ergon/core'
import type { Receipt } from '../chain/chain-reader.ts'
import { findEvent, type ChainLog, type ExpectedEvent } from '../chain/events.ts'
import type { ServedNetwork } from '../networks.ts'

/** Time to wait for our own node beyond the caller's, for it may be a block behind the facilitator's. */
const graceMs = 2_000
const pollMs = 50

export type Confirmed = { readonly answer: RailAnswer; readonly logs: readonly ChainLog[] }

/**
 * Believes a named transaction only after its receipt: mined, not reverted, and with every expected event. Anything less
 * is `unknown`, for the facilitator says that it moved money.
 */
export async function confirm(network: ServedNetwork, txHash: string, expected: readonly ExpectedEvent[], until: number): Promise<Confirmed> {
  const unknown: Confirmed = { answer: { outcome: 'unknown', txHash }, logs: [] }
  const receipt = await awaitReceipt(network, txHash, until + graceMs)
  if (receipt === null || !receipt.succeeded) return unknown
  const logs = expected.flatMap((event) => findEvent(event, receipt.logs) ?? [])
  return logs.length < expected.length ? unknown : { answer: { outcome: 'settled', txHash, blockNumber: receipt.blockNumber }, logs }
}

async function awaitReceipt(network: ServedNetwork, txHash: string, until: number): Promise<Receipt | null> {
  for (;;) {
    // A node that does not answer now may answer before the time is up.
    const receipt = await network.chain.receipt(txHash).catch(() => null)
    if (receipt !== null || performance.now() >= until) return receipt
    await delay(pollMs)
  }
}
