import type { SignedVoucher, VoucherSigner } from '@ergon/channels'
import type { Meter } from '../rules/admission.ts'
import type { Query } from './database.ts'
import { inSteps } from './in-steps.ts'

export type ChannelStatus = 'opening' | 'open' | 'closing' | 'closed' | 'void'

/** A channel as the gateway keeps its books of it. Amounts in atomic units. */
export type Channel = Meter & {
  readonly channelId: string
  readonly seller: string
  readonly payer: string
  readonly authorizedSigner: string
  readonly status: ChannelStatus
  readonly inFlight: number
  /** The highest voucher that was shown. */
  readonly accepted: bigint
  /** The highest voucher that says no more than what was charged. */
  readonly payable: SignedVoucher | null
  readonly settled: bigint | null
  readonly refunded: bigint | null
  readonly settlementSignature: string | null
  readonly closeReason: string | null
  /** The shared clock when this was read, in unix seconds. */
  readonly nowSec: bigint
}

type ChannelRow = {
  readonly channel_id: string
  readonly seller: string
  readonly payer: string
  readonly authorized_signer: string
  readonly voucher_signer: VoucherSigner
  readonly status: ChannelStatus
  readonly deposit: string
  readonly spent: string
  readonly held: string
  readonly taken: string
  readonly asked: string | null
  readonly accepted: string
  readonly in_flight: number
  readonly payable: string
  readonly payable_signature: string | null
  readonly payable_expires_at: string
  readonly settled: string | null
  readonly refunded: string | null
  readonly settlement_signature: string | null
  readonly close_reason: string | null
  readonly now_sec: string
}

const columns = `channel_id, seller, payer, authorized_signer, voucher_signer, status, deposit, spent, held, taken,
  accepted, in_flight, payable, payable_signature, payable_expires_at, settled, refunded, settlement_signature,
  close_reason, floor(extract(epoch from now()))::bigint as now_sec`

/** Reads a channel; with its row locked until the transaction ends where `lock` says so. */
export async function readChannel(
  query: Query,
  channelId: string,
  lock: '' | 'for update' = '',
): Promise<Channel | undefined> {
  const [row] = await query<ChannelRow>(
    `select ${columns}, (select max(d.cumulative) from deliveries d
       where d.channel_id = c.channel_id and d.state = 'asked') as asked
     from channels c where channel_id = $1 ${lock}`,
    [channelId],
  )
  return row === undefined ? undefined : channelOf(row)
}

function channelOf(row: ChannelRow): Channel {
  const { channel_id: channelId, payable_signature: signature } = row
  const amount = (text: string | null): bigint | null => (text === null ? null : BigInt(text))
  const [taken, asked] = [BigInt(row.taken), BigInt(row.asked ?? '0')]
  const voucher = { channelId, cumulative: BigInt(row.payable), expiresAt: BigInt(row.payable_expires_at) }
  return {
    channelId,
    seller: row.seller,
    payer: row.payer,
    authorizedSigner: row.authorized_signer,
    voucherSigner: row.voucher_signer,
    status: row.status,
    deposit: BigInt(row.deposit),
    spent: BigInt(row.spent),
    held: BigInt(row.held),
    taken: taken > asked ? taken : asked,
    accepted: BigInt(row.accepted),
    inFlight: row.in_flight,
    payable: signature === null ? null : { voucher, signature },
    settled: amount(row.settled),
    refunded: amount(row.refunded),
    settlementSignature: row.settlement_signature,
    closeReason: row.close_reason,
    nowSec: BigInt(row.now_sec),
  }
}

/** Ends metering: no further call is let through. What is under way may still be charged. */
export async function beginClosing(query: Query, channelId: string, reason: string): Promise<void> {
  await query(
    `update channels set status = 'closing', close_reason = $2, watch_at = now()
     where channel_id = $1 and status = 'open'`,
    [channelId, reason],
  )
}

// What a call holds right now is asked about again in a second.
const idleText = `
  with over as (select channel_id from channels
    where status = 'open' and (expires_at <= now() or (in_flight = 0 and used_at < now() - $2 * interval '1 second'))
    order by watch_at limit $1 for update skip locked),
  ended as (update channels c set status = 'closing', watch_at = now(),
      close_reason = case when expires_at <= now() then 'voucher_expires' else 'idle' end
    from over where c.channel_id = over.channel_id returning 1)
  select count(*)::int as count from ended`

/**
 * A channel that nobody uses, or whose voucher ends soon, is settled: what was earned is not left to chance. A voucher
 * ends whether or not calls are under way; those are waited for once no other is let through.
 */
export async function endIdle(query: Query, idleSec: number): Promise<void> {
  await inSteps(query, idleText, [idleSec])
}

/** Takes the right to end a channel for a while; false where another process has it. */
export async function takeLease(query: Query, channelId: string, seconds: number): Promise<boolean> {
  const rows = await query(
    `update channels set lease_until = now() + $2 * interval '1 second'
     where channel_id = $1 and (lease_until is null or lease_until < now()) returning channel_id`,
    [channelId, seconds],
  )
  return rows.length > 0
}

export async function dropLease(query: Query, channelId: string): Promise<void> {
  await query('update channels set lease_until = null where channel_id = $1', [channelId])
}
