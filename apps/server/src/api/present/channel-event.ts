import type { Operations, OutputOf } from '@ergon/contract'
import { channelState, type AcceptedTick, type Channel } from '@ergon/core'
import { instant } from './instant.ts'

export type ChannelEvent = OutputOf<Operations['taximetro.history']>['events'][number]

export function openingOf(channel: Channel): ChannelEvent {
  const { payer, worker, unit } = channel
  return {
    event: 'session_open',
    channel_id: channel.id,
    received_at: instant(channel.boundAt),
    cumulative_uusdc: 0,
    voucher_index: 0,
    tx_hash: null,
    payload: { task_id: channel.taskId, payer, worker, unit, limit_uusdc: Number(channel.limit) },
  }
}

export function voucherOf(tick: AcceptedTick, { unit }: Pick<Channel, 'unit'>): ChannelEvent {
  return {
    event: 'voucher_accepted',
    channel_id: tick.channelId,
    received_at: instant(tick.at),
    cumulative_uusdc: Number(tick.cumulative),
    voucher_index: tick.index,
    tx_hash: null,
    payload: {
      delivery_id: tick.id,
      unit,
      amount_uusdc: Number(tick.amount),
      evidence: tick.evidence,
      note: tick.note,
      author: tick.author,
      signature: tick.signature,
    },
  }
}

/** What ended a channel so far: that it takes no more work, and that it was paid out. */
export function endingsOf(channel: Channel): readonly ChannelEvent[] {
  const state = channelState(channel)
  if (state === 'open') return []
  const close: ChannelEvent = {
    event: 'session_close',
    channel_id: channel.id,
    received_at: instant(channel.updatedAt),
    cumulative_uusdc: Number(channel.cumulative),
    voucher_index: channel.vouchers,
    tx_hash: null,
    payload: {},
  }
  return state === 'settled' ? [close, { ...close, event: 'settlement_complete' }] : [close]
}
