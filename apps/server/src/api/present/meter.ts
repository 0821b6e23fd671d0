import type { Operations, OutputOf } from '@ergon/contract'
import {
  channelState,
  formatUsd,
  isTimed,
  partsPerUnit,
  readMeter,
  workerShareBps,
  type AcceptedTick,
  type Channel,
  type ChannelFacts,
  type ChannelOfferView,
  type MeterView,
  type StreamView,
} from '@ergon/core'
import { feeBps } from '@ergon/contract/facts'
import { instant } from './instant.ts'
import { usd } from './money.ts'

type WireMeter = OutputOf<Operations['meters.get']>
type WirePublic = OutputOf<Operations['meters.channel']>
type WireChannel = OutputOf<Operations['channels.get']>
type WireStream = OutputOf<Operations['streams.get']>
type WireOffer = OutputOf<Operations['channels.offer']>
type WireTick = OutputOf<Operations['channels.tick']>

/** What a meter shows; amounts of micro dollars are far below what a number holds exactly, because caps are. */
export function presentMeter({ taskId, asset, terms, channel, updatedAt }: MeterView): WireMeter {
  const reading = readMeter(terms, channel)
  const dollars = (atomic: bigint): number => usd({ atomic, asset })
  const parts = Number(partsPerUnit(terms.unit))
  return {
    task_id: taskId,
    channel_id: channel?.id ?? null,
    state: reading.state,
    rail: 'solana_channel',
    unit: terms.unit,
    price_per_unit: formatUsd({ atomic: terms.price, asset }),
    cap_usd: dollars(terms.cap),
    units_accepted: Number(reading.measured) / parts,
    consumed_usd: dollars(reading.consumed),
    consumed_uusdc: Number(reading.consumed),
    consumed_share: Number(reading.consumed) / Number(reading.limit),
    remaining_usd: dollars(reading.remaining),
    rate_usd_per_sec: isTimed(terms.unit) ? (dollars(terms.price) * 1_000) / parts : null,
    fee_bps: feeBps,
    worker_usd: dollars(reading.worker),
    fee_usd: dollars(reading.fee),
    settled_usd: dollars(reading.settled),
    refund_usd: reading.refund === null ? null : dollars(reading.refund),
    settlement_tx: (channel?.end ?? channel?.paid)?.txHash ?? null,
    updated_at: instant(updatedAt),
  }
}

/** A session: its meter, and what it is about. */
export function presentStream({ stream, ...view }: StreamView): WireStream {
  return {
    ...presentMeter(view),
    session_id: stream.id,
    buyer_wallet: stream.publisherWallet,
    executor_id: stream.executorId ?? '',
    note: stream.instructions === '' ? null : stream.instructions,
    is_over: view.isTaskOver || (view.channel !== null && view.channel.status !== 'open'),
    created_at: instant(stream.createdAt),
    ends_at: instant(stream.deadline),
  }
}

export function presentPublicChannel(channel: Channel, facts: ChannelFacts): WirePublic {
  const dollars = (atomic: bigint): number => usd({ atomic, asset: channel.asset })
  const state = channelState(channel)
  return {
    task_id: channel.taskId,
    channel_id: channel.id,
    network: channel.asset.network,
    program_id: facts.program,
    mint: facts.mint,
    token: channel.asset.symbol,
    payer: channel.payer,
    payee: channel.payee,
    worker: channel.worker,
    splits: [{ recipient: channel.worker, bps: workerShareBps }],
    authorized_signer: channel.voucherKey ?? facts.signer,
    voucher_signer: channel.voucherSigner,
    deposit_usd: dollars(channel.deposit),
    cap_usd: dollars(channel.limit),
    settled_usd: dollars((channel.end ?? channel.paid)?.settled ?? 0n),
    status: state,
    opened_at: instant(channel.boundAt),
    closing_at: channel.closing === null ? null : instant(channel.closing.at),
    settlement_tx: (channel.end ?? channel.paid)?.txHash ?? null,
    waits_for: channel.end === null && channel.paid !== null ? 'payer_account' : null,
  }
}

/** What a payer is asked to sign, in words beside its bytes. */
export function presentOffer(offer: ChannelOfferView, facts: ChannelFacts): WireOffer {
  const { asset, terms } = offer
  return {
    task_id: offer.taskId,
    channel_id: offer.channelId,
    network: asset.network,
    program_id: facts.program,
    mint: facts.mint,
    token: asset.symbol,
    payer: offer.payer,
    payee: offer.payee,
    worker: offer.worker,
    splits: [{ recipient: offer.worker, bps: workerShareBps }],
    authorized_signer: offer.voucherKey ?? facts.signer,
    voucher_signer: offer.voucherKey === null ? 'operator' : 'client',
    unit: terms.unit,
    price_per_unit: formatUsd({ atomic: terms.price, asset }),
    cap_usd: usd({ atomic: terms.cap, asset }),
    deposit_usd: usd({ atomic: offer.deposit, asset }),
    grace_period_seconds: offer.gracePeriodSec,
    memo: offer.memo,
    transaction: offer.transaction,
  }
}

export function presentChannel(channel: Channel, facts: ChannelFacts): WireChannel {
  const shown = presentPublicChannel(channel, facts)
  return {
    ...shown,
    vouchers: channel.vouchers,
    newest_voucher:
      channel.signature === null
        ? null
        : {
            voucher: { channelId: channel.id, cumulativeAmount: channel.cumulative.toString(), expiresAt: 0 },
            signer: shown.authorized_signer,
            signature: channel.signature,
            signatureType: 'ed25519',
          },
  }
}

export function presentTick(tick: AcceptedTick, channel: Channel, replayed: boolean): WireTick {
  return {
    success: true,
    data: {
      task_id: channel.taskId,
      channel_id: channel.id,
      voucher_index: tick.index,
      unit: channel.unit,
      amount_uusdc: Number(tick.amount),
      cumulative_uusdc: Number(tick.cumulative),
      remaining_uusdc: Number(channel.limit - tick.cumulative),
      delivery_id: tick.id,
      accepted_at: instant(tick.at),
      ...(replayed ? { replayed } : {}),
    },
  }
}
