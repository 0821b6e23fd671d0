import type { AcceptedTick, Channel, ChannelEnd, ChannelOrder, CloseReason, Closing, MeterTerms } from '@ergon/core'

export type ChannelRow = {
  readonly id: string
  readonly task_id: string
  readonly executor_id: string
  readonly network: string
  readonly token: string
  readonly decimals: number
  readonly payer: string
  readonly payee: string
  readonly worker: string
  readonly voucher_signer: Channel['voucherSigner']
  readonly voucher_key: string | null
  readonly status: Channel['status']
  readonly unit: Channel['unit']
  readonly price_atomic: bigint
  readonly limit_atomic: bigint
  readonly deposit_atomic: bigint
  readonly measured: bigint
  readonly cumulative_atomic: bigint
  readonly measured_until: Date
  readonly vouchers: number
  readonly signature: string | null
  readonly bound_at: Date
  readonly updated_at: Date
  readonly close_reason: CloseReason | null
  readonly closing_at: Date | null
  readonly submission_id: string | null
  readonly rating: Closing['rating']
  readonly attempts: number
  readonly paid_atomic: bigint | null
  readonly paid_tx: string | null
  readonly paid_slot: bigint | null
  readonly paid_at: Date | null
  readonly settled_atomic: bigint | null
  readonly settlement_tx: string | null
  readonly settlement_slot: bigint | null
  readonly settled_at: Date | null
}
export type TickRow = {
  readonly id: string
  readonly channel_id: string
  readonly voucher_index: number
  readonly amount_atomic: bigint
  readonly cumulative_atomic: bigint
  readonly measured: bigint
  readonly signature: string
  readonly evidence: AcceptedTick['evidence']
  readonly note: string | null
  readonly author: string
  readonly idempotency_key: string | null
  readonly body_hash: string | null
  readonly at: Date
}

export type TermsRow = {
  readonly unit: MeterTerms['unit']
  readonly price_atomic: bigint
  readonly cap_atomic: bigint
}

export const termsOf = (row: TermsRow): MeterTerms => ({
  unit: row.unit,
  price: row.price_atomic,
  cap: row.cap_atomic,
})

export function channelValues(one: Channel): unknown[] {
  const { asset } = one
  return [
    ...[one.id, one.taskId, one.executorId, asset.network, asset.symbol, asset.decimals, one.payer, one.payee],
    ...[one.worker, one.voucherSigner, one.status, one.unit, one.price, one.limit, one.deposit, one.measured],
    ...[one.cumulative, one.measuredUntil, one.vouchers, one.signature, one.boundAt, one.updatedAt],
    ...[one.boundAt, one.voucherKey],
  ]
}

export const toChannel = (row: ChannelRow): Channel => ({
  id: row.id,
  taskId: row.task_id,
  executorId: row.executor_id,
  asset: { symbol: row.token, network: row.network, decimals: row.decimals },
  payer: row.payer,
  payee: row.payee,
  worker: row.worker,
  voucherSigner: row.voucher_signer,
  voucherKey: row.voucher_key,
  status: row.status,
  unit: row.unit,
  price: row.price_atomic,
  limit: row.limit_atomic,
  deposit: row.deposit_atomic,
  measured: row.measured,
  cumulative: row.cumulative_atomic,
  measuredUntil: row.measured_until,
  vouchers: row.vouchers,
  signature: row.signature,
  boundAt: row.bound_at,
  updatedAt: row.updated_at,
  closing: closingOf(row),
  paid: endIn(row.paid_atomic, row.paid_tx, row.paid_slot, row.paid_at),
  end: endIn(row.settled_atomic, row.settlement_tx, row.settlement_slot, row.settled_at),
})

function closingOf({
  close_reason: reason,
  closing_at: at,
  submission_id,
  rating,
  attempts,
}: ChannelRow): Closing | null {
  return reason === null || at === null ? null : { reason, at, submissionId: submission_id, rating, attempts }
}

function endIn(settled: bigint | null, txHash: string | null, slot: bigint | null, at: Date | null): ChannelEnd | null {
  return settled === null || txHash === null || slot === null || at === null ? null : { settled, txHash, slot, at }
}

export type OrderRow = {
  readonly id: string
  readonly channel_id: string
  readonly act: ChannelOrder['act']
  readonly wire: string
  readonly signature: string
  readonly last_valid_height: bigint
  readonly settled_atomic: bigint
  readonly deposit_atomic: bigint
  readonly status: ChannelOrder['status']
  readonly sent_at: Date
}

export const toOrder = (row: OrderRow): ChannelOrder => ({
  ...{ id: row.id, channelId: row.channel_id, act: row.act, wire: row.wire, signature: row.signature },
  ...{ lastValidHeight: row.last_valid_height, settled: row.settled_atomic, deposit: row.deposit_atomic },
  ...{ status: row.status, sentAt: row.sent_at },
})

export const toTick = (row: TickRow): AcceptedTick => ({
  id: row.id,
  channelId: row.channel_id,
  index: row.voucher_index,
  amount: row.amount_atomic,
  cumulative: row.cumulative_atomic,
  measured: row.measured,
  signature: row.signature,
  evidence: row.evidence,
  note: row.note,
  author: row.author,
  idempotency:
    row.idempotency_key === null || row.body_hash === null
      ? null
      : { key: row.idempotency_key, bodyHash: row.body_hash },
  at: row.at,
})
