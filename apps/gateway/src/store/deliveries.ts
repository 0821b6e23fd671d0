import { signVoucher, type SignedVoucher } from '@ergon/channels'
import { Refusal, unpaid } from '../errors.ts'
import { admissionFault, dueCumulative, endsTooSoon, settleAheadSec, type AdmissionFault } from '../rules/admission.ts'
import { readChannel, type Channel } from './channels.ts'
import type { Database, Query } from './database.ts'

/** A call as it asks to be let through. */
export type Call = {
  readonly channelId: string
  readonly seller: string
  readonly key: string
  readonly requestHash: string
  readonly path: string
  readonly price: bigint
  /** A client's; undefined where the operator signs. */
  readonly signed: SignedVoucher | undefined
  readonly mostInFlight: number
  /** For how long its upstream may take; after that another attempt may begin. */
  readonly leaseMs: number
}

/** The answer of an upstream as it is kept for whoever asks again. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Undefined for what is too long to keep, or was streamed. */
  readonly body: Uint8Array | undefined
}

/** What a charged call's channel had taken when it was charged. */
export type Standing = { readonly accepted: bigint; readonly spent: bigint }

/** A call that was let through: its price is set aside until it is charged or released. */
export type Claim = {
  readonly id: string
  readonly attempt: number
  readonly channelId: string
  readonly price: bigint
}

export type Claimed =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'charged'; readonly answer: Answer | undefined; readonly standing: Standing }

type DeliveryRow = {
  readonly id: string
  readonly request_hash: string
  readonly state: 'asked' | 'charged' | 'released'
  readonly attempt: number
  readonly price: string
  readonly is_late: boolean
  readonly spent_then: string | null
  readonly status: number | null
  readonly headers: Answer['headers'] | null
  readonly body: Buffer | null
}

const words: Readonly<Record<AdmissionFault, string>> = {
  deposit_exhausted: 'the channel does not hold the price of another call: top it up or open another',
  voucher_goes_back: 'the voucher says less than the last one and the price of this call',
  voucher_repeats: 'the voucher has bought a call already',
  voucher_not_the_price: 'the voucher has to say exactly the price more than the last one that bought a call',
  voucher_over_deposit: 'the voucher says more than the channel holds',
}

/**
 * Lets a call through and sets its price aside, in one transaction under the lock of its channel: the voucher is
 * durable before the upstream is asked. A call that was charged before answers what it answered then.
 *
 * @throws Refusal
 */
export function claimCall(database: Database, call: Call): Promise<Claimed> {
  return database.transaction(async (query) => {
    const channel = await readChannel(query, call.channelId, 'for update')
    if (channel === undefined) throw unpaid('channel_not_found', 'no channel of this gateway has that id')
    if (channel.seller !== call.seller)
      throw unpaid('channel_of_another_seller', 'the channel was opened for another seller of this gateway')
    const known = await findDelivery(query, call)
    // A call that was given back counts no more: its voucher may buy another.
    if (known !== undefined && known.state !== 'released' && known.request_hash !== call.requestHash)
      throw new Refusal(422, 'idempotency_key_reused', 'the key was used for another request')
    if (known?.state === 'charged') return { kind: 'charged', ...keptOf(known, channel) }
    if (known?.state === 'asked' && !known.is_late)
      throw new Refusal(409, 'call_under_way', 'the same call is under way: ask again', { retryAfterSec: 1 })
    if (known?.state === 'asked') await setFree(query, channel.channelId, known)
    const now = known?.state === 'asked' ? await readChannel(query, call.channelId, 'for update') : channel
    demandAdmission(now ?? channel, call)
    if (known !== undefined) await keepVoucher(query, known.id, call)
    return { kind: 'claimed', claim: await ask(query, call, known) }
  })
}

function demandAdmission(channel: Channel, call: Call): void {
  const { signed, price } = call
  if (channel.status !== 'open') throw unpaid('channel_closing', `the channel is ${channel.status}: open another`)
  if ((signed === undefined) !== (channel.voucherSigner === 'operator'))
    throw unpaid('wrong_voucher_signer', `vouchers of this channel are signed by the ${channel.voucherSigner}`)
  if (channel.inFlight >= call.mostInFlight)
    throw new Refusal(429, 'channel_busy', 'too many calls of the channel are under way', { retryAfterSec: 1 })
  const fault = admissionFault(channel, price, signed?.voucher.cumulative)
  if (fault !== undefined)
    throw unpaid(fault, words[fault], {
      spent: channel.spent.toString(),
      deposit: channel.deposit.toString(),
      ...(signed === undefined ? {} : { due: dueCumulative(channel, price).toString() }),
    })
  if (signed !== undefined && endsTooSoon(signed.voucher.expiresAt, channel.nowSec))
    throw unpaid('voucher_expires_soon', 'the voucher ends before it could be settled')
}

async function findDelivery(query: Query, { channelId, key }: Call): Promise<DeliveryRow | undefined> {
  const [row] = await query<DeliveryRow>(
    `select id, request_hash, state, attempt, price, lease_until < now() as is_late, spent_then, status, headers, body
     from deliveries where channel_id = $1 and key = $2`,
    [channelId, key],
  )
  return row
}

function keptOf(
  row: DeliveryRow,
  channel: Channel,
): { readonly answer: Answer | undefined; readonly standing: Standing } {
  const standing = { accepted: channel.accepted, spent: channel.spent }
  if (row.status === null || row.headers === null || row.body === null) return { answer: undefined, standing }
  return { answer: { status: row.status, headers: row.headers, body: row.body }, standing }
}

/**
 * A call that is asked again with another voucher is written anew: the one it brought before may be the best that says
 * no more than what is charged. No buyer has a key with a space.
 */
async function keepVoucher(query: Query, id: string, { signed }: Call): Promise<void> {
  await query(
    `update deliveries set key = 'kept ' || id where id = $1 and cumulative is not null
       and (cumulative, signature) is distinct from ($2::bigint, $3::text)`,
    [id, signed?.voucher.cumulative ?? null, signed?.signature ?? null],
  )
}

async function ask(query: Query, call: Call, known: DeliveryRow | undefined): Promise<Claim> {
  const { channelId, price, signed } = call
  const attempt = (known?.attempt ?? 0) + 1
  const [row] = await query<{ readonly id: string }>(
    `insert into deliveries
       (channel_id, key, request_hash, path, price, state, attempt, cumulative, signature, expires_at, lease_until)
     values ($1, $2, $3, $4, $5, 'asked', $6, $7, $8, $9, now() + $10 * interval '1 millisecond')
     on conflict (channel_id, key) do update set
       state = 'asked', attempt = $6, price = $5, path = $4, request_hash = $3,
       cumulative = $7, signature = $8, expires_at = $9, lease_until = excluded.lease_until, asked_at = now()
     returning id`,
    [
      channelId,
      call.key,
      call.requestHash,
      call.path.slice(0, 256),
      price,
      attempt,
      signed?.voucher.cumulative ?? null,
      signed?.signature ?? null,
      signed?.voucher.expiresAt ?? 0n,
      call.leaseMs,
    ],
  )
  await query(
    `update channels set held = held + $2, in_flight = in_flight + 1, used_at = now(),
       accepted = greatest(accepted, coalesce($3, accepted)),
       expires_at = case when $4::bigint = 0 then expires_at
         else least(expires_at, to_timestamp($4::bigint - $5)) end
     where channel_id = $1`,
    [channelId, price, signed?.voucher.cumulative ?? null, signed?.voucher.expiresAt ?? 0n, settleAheadSec],
  )
  if (row === undefined) throw new Error('an insert that returns its row returned none')
  return { id: row.id, attempt, channelId, price }
}

/**
 * Books a call that was answered: the price is charged, and where the operator signs, the voucher is raised, in one
 * transaction before the answer. Undefined for an attempt whose lease has run out: it may not be charged any more.
 */
export function chargeCall(
  database: Database,
  claim: Claim,
  answer: Answer,
  voucherSeed: Uint8Array,
): Promise<Standing | undefined> {
  return database.transaction(async (query) => {
    const channel = await readChannel(query, claim.channelId, 'for update')
    const spent = (channel?.spent ?? 0n) + claim.price
    const [row] = await query<{ readonly cumulative: string | null }>(
      `update deliveries set
         state = 'charged', charged_at = now(), spent_then = $3, status = $4, headers = $5, body = $6
       where id = $1 and attempt = $2 and state = 'asked' returning cumulative`,
      [claim.id, claim.attempt, spent, answer.status, JSON.stringify(answer.headers), answer.body ?? null],
    )
    if (row === undefined || channel === undefined) return undefined
    await query(
      `update channels set held = held - $2, in_flight = in_flight - 1, spent = $3, used_at = now(),
         taken = greatest(taken, coalesce($4::bigint, 0))
       where channel_id = $1`,
      [claim.channelId, claim.price, spent, row.cumulative],
    )
    const payable =
      channel.voucherSigner === 'operator'
        ? signedByOperator(channel.channelId, spent, voucherSeed)
        : await bestVoucher(query, channel.channelId, spent)
    if (payable !== undefined) await keepPayable(query, payable)
    const accepted = channel.voucherSigner === 'operator' ? spent : channel.accepted
    return { accepted, spent }
  })
}

function signedByOperator(channelId: string, cumulative: bigint, seed: Uint8Array): SignedVoucher {
  const voucher = { channelId, cumulative, expiresAt: 0n }
  return { voucher, signature: signVoucher(voucher, seed) }
}

/** The client's highest voucher that says no more than what was charged: nobody is settled for more. */
async function bestVoucher(query: Query, channelId: string, spent: bigint): Promise<SignedVoucher | undefined> {
  const [row] = await query<{ cumulative: string; signature: string; expires_at: string }>(
    `select cumulative, signature, expires_at from deliveries
     where channel_id = $1 and cumulative <= $2 order by cumulative desc, expires_at = 0 desc, expires_at desc limit 1`,
    [channelId, spent],
  )
  if (row === undefined) return undefined
  const voucher = { channelId, cumulative: BigInt(row.cumulative), expiresAt: BigInt(row.expires_at) }
  return { voucher, signature: row.signature }
}

async function keepPayable(query: Query, { voucher, signature }: SignedVoucher): Promise<void> {
  await query(
    `update channels set payable = $2, payable_signature = $3, payable_expires_at = $4,
       accepted = greatest(accepted, $2)
     where channel_id = $1 and payable < $2`,
    [voucher.channelId, voucher.cumulative, signature, voucher.expiresAt],
  )
}

/** Gives a price back that was set aside for a call without an answer. Harmless where it was charged or given back. */
export async function releaseCall(database: Database, claim: Claim): Promise<void> {
  await database.transaction(async (query) => {
    await readChannel(query, claim.channelId, 'for update')
    await setFree(query, claim.channelId, claim)
  })
}

async function setFree(
  query: Query,
  channelId: string,
  { id, attempt }: { id: string; attempt: number },
): Promise<void> {
  await query(
    `with freed as (
       update deliveries set state = 'released' where id = $2 and attempt = $3 and state = 'asked' returning price)
     update channels set held = held - freed.price, in_flight = in_flight - 1 from freed where channel_id = $1`,
    [channelId, id, attempt],
  )
}

/** Frees the calls of processes that ended without saying how their calls did. @returns how many. */
export async function releaseOverdue(database: Database, most: number): Promise<number> {
  const rows = await database.query<{ id: string; attempt: number; channel_id: string; price: string }>(
    `select id, attempt, channel_id, price from deliveries
     where state = 'asked' and lease_until < now() order by lease_until limit $1`,
    [most],
  )
  for (const { id, attempt, channel_id: channelId, price } of rows)
    await releaseCall(database, { id, attempt, channelId, price: BigInt(price) })
  return rows.length
}

/** Notes that an answer went out whole. */
export async function noteReceipted(database: Database, { id }: Claim): Promise<void> {
  await database.query('update deliveries set receipted_at = now() where id = $1 and receipted_at is null', [id])
}
