import type { ChannelState } from '@ergon/contract'
import type { Channel, ChannelStatus } from './channel.ts'
import type { MeterTerms } from './metering.ts'
import { payoutOf } from './payout.ts'

/** What a meter shows: of the work what was accepted, of the money where it is. Atomic units. */
export type MeterReading = {
  readonly state: ChannelState
  /** The cap before a channel is bound. */
  readonly limit: bigint
  readonly measured: bigint
  readonly consumed: bigint
  readonly remaining: bigint
  readonly worker: bigint
  readonly fee: bigint
  readonly settled: bigint
  /** Null before the channel is settled. */
  readonly refund: bigint | null
}

const stateOf: Readonly<Record<ChannelStatus, ChannelState>> = {
  open: 'open',
  closing: 'closing',
  settled: 'settled',
  reclaimed: 'settled',
}

/** How far a channel has come, in the words of the wire. */
export function channelState(channel: Pick<Channel, 'status'> | null): ChannelState {
  return channel === null ? 'unbound' : stateOf[channel.status]
}

/** Nothing of a meter changes any more: its channel was settled, or its task ended before one was bound. */
export function isMeterOver(channel: Pick<Channel, 'status'> | null, isTaskOver: boolean): boolean {
  return channel === null ? isTaskOver : stateOf[channel.status] === 'settled'
}

/** Reads a meter: pure, so that one reading serves everybody who watches it. */
export function readMeter(terms: MeterTerms, channel: Channel | null): MeterReading {
  const state = channelState(channel)
  const limit = channel?.limit ?? terms.cap
  // What the ledger shows in the end is what was paid, whoever ended it.
  const consumed = channel?.end?.settled ?? channel?.cumulative ?? 0n
  const { worker, fee } = payoutOf({ settled: consumed, deposit: channel?.deposit ?? 0n })
  const isSettled = state === 'settled'
  return {
    state,
    limit,
    measured: channel?.measured ?? 0n,
    consumed,
    remaining: limit > consumed ? limit - consumed : 0n,
    worker,
    fee,
    settled: isSettled ? consumed : (channel?.paid?.settled ?? 0n),
    refund: isSettled && channel !== null ? channel.deposit - consumed : null,
  }
}
