import {
  canReclaim,
  computeLimitInstruction,
  computePriceInstruction,
  encodeTransaction,
  reclaimInstruction,
  signTransaction,
  transactionId,
  unsignedTransaction,
  type ChannelAccount,
} from '@ergon/channels'
import { deliver } from '@ergon/solana-ledger'
import type { SessionDeps } from '../session/deps.ts'
import { channelOnChain } from '../session/on-chain.ts'
import { dropLease, readChannel, takeLease, type Channel } from '../store/channels.ts'
import { releaseOverdue } from '../store/deliveries.ts'
import { findSent, isTooSoon, noteEnd, recordSent, type Sent, type TransactionKind } from '../store/transactions.ts'
import { planClosing, type Next } from './plan-closing.ts'

/**
 * How a closing went: `waiting` for calls under way or the ledger, `homeless`, for an account of its payer that takes
 * the rest, or `unpayable`, for one of its seller that takes its share; to be gone on with.
 */
export type CloseEnd = 'closed' | 'waiting' | 'homeless' | 'unpayable'

const computeUnits = 250_000
const leaseSec = 120
const patienceMs = 20_000
const mostPasses = 6
/** So long after it was opened the rent of a channel can be taken back. */
const reclaimAfter = '12 minutes'

/**
 * Ends a channel with its newest voucher, in steps that each can be taken up again: the transaction is recorded, sent,
 * and booked when the ledger shows what it did. The calls under way are waited for.
 */
export async function closeChannel(deps: SessionDeps, channelId: string): Promise<CloseEnd> {
  const { database } = deps
  if (!(await takeLease(database.query, channelId, leaseSec))) return 'waiting'
  try {
    for (let pass = 0; pass < mostPasses; pass += 1) {
      const channel = await readChannel(database.query, channelId)
      if (channel === undefined || channel.status !== 'closing') return 'closed'
      if (channel.inFlight > 0 && (await releaseOverdue(database, 100)) === 0) return 'waiting'
      const step = await takeStep(deps, channel)
      if (step !== 'done') return step
    }
    return 'waiting'
  } finally {
    await dropLease(database.query, channelId)
  }
}

/** One transaction, or the news that there is nothing left to do. */
async function takeStep(deps: SessionDeps, channel: Channel): Promise<'done' | Exclude<CloseEnd, 'closed'>> {
  const { database } = deps
  const { channelId } = channel
  const open = await findSent(database.query, channelId, 'close')
  if (open !== undefined) return send(deps, open)
  const onChain = await channelOnChain(deps, channelId)
  if (onChain === undefined || onChain.status === 'distributed') {
    await markClosed(deps, channel, onChain)
    return 'done'
  }
  if (await isTooSoon(database.query, channelId, 'close')) return 'waiting'
  const next = await planClosing(deps, channel, onChain)
  if (typeof next === 'string') {
    // Whoever has to make it does not make it within seconds.
    await database.query("update channels set watch_at = now() + interval '1 minute' where channel_id = $1", [
      channelId,
    ])
    if (next === 'seller waits') {
      deps.log.warn({ channelId, seller: channel.seller }, 'the token account of a seller is frozen or given away')
      return 'unpayable'
    }
    return onChain.status === 'open' ? 'homeless' : 'waiting'
  }
  return send(deps, await prepare(deps, { channelId, kind: 'close', ...next }))
}

/** Signs a transaction of the operator and records it before it is sent. */
async function prepare(
  { secrets, database, ledger }: SessionDeps,
  terms: Next & { readonly channelId: string; readonly kind: TransactionKind },
): Promise<Sent> {
  const { operator } = secrets
  const { blockhash, lastValidBlockHeight } = await ledger.blockhash()
  const price = (await ledger.priorityFee?.([terms.channelId])) ?? 0n
  const budget = [computeLimitInstruction(computeUnits), ...(price > 0n ? [computePriceInstruction(price)] : [])]
  const unsigned = unsignedTransaction(operator.address, blockhash, [...budget, ...terms.instructions])
  const signed = signTransaction(unsigned, new Map([[operator.address, operator.seed]]))
  const sent = {
    wire: encodeTransaction(signed),
    signature: transactionId(signed),
    lastValidBlockHeight,
    settles: terms.settles,
  }
  await recordSent(database.query, { channelId: terms.channelId, kind: terms.kind, sent })
  return sent
}

async function send({ database, ledger, log }: SessionDeps, sent: Sent): Promise<'done' | 'waiting'> {
  const delivered = await deliver(ledger, sent, { patienceMs, pollMs: 200 })
  await noteEnd(database.query, sent.signature, delivered)
  if (delivered.end === 'undecided') return 'waiting'
  if (delivered.end === 'landed' && delivered.status.error !== null)
    log.warn({ signature: sent.signature, error: delivered.status.error }, 'the ledger refused a closing')
  return 'done'
}

async function markClosed(
  { database }: SessionDeps,
  channel: Channel,
  onChain: ChannelAccount | undefined,
): Promise<void> {
  const [landed] = await database.query<{ signature: string; settles: string | null }>(
    `select signature, settles from transactions where channel_id = $1 and kind = 'close' and state = 'landed'
     order by sent_at desc limit 1`,
    [channel.channelId],
  )
  // Gone from the ledger without a transaction of ours: its payer sealed it after the grace period, and paid nothing.
  const settled = onChain?.settled ?? BigInt(landed?.settles ?? '0')
  await database.query(
    `update channels set status = 'closed', closed_at = now(), settled = $2, refunded = $3,
       settlement_signature = $4, reclaim_at = case when $5 then opened_at + interval '${reclaimAfter}' end
     where channel_id = $1 and status = 'closing'`,
    [
      channel.channelId,
      settled,
      (onChain?.deposit ?? channel.deposit) - settled,
      landed?.signature ?? null,
      onChain !== undefined,
    ],
  )
}

/** Takes the rent of a spent channel back once its address may be free again. */
export async function reclaimRent(deps: SessionDeps, channelId: string): Promise<void> {
  const { config, secrets, database, ledger } = deps
  const pending = await findSent(database.query, channelId, 'reclaim')
  if (pending !== undefined && (await send(deps, pending)) === 'waiting') return
  const onChain = await channelOnChain(deps, channelId)
  const isFree = onChain !== undefined && canReclaim(onChain, await ledger.slot())
  if (isFree && !(await isTooSoon(database.query, channelId, 'reclaim'))) {
    const rent = reclaimInstruction(
      { channelId, rentPayer: secrets.operator.address },
      { channelProgram: config.channelProgram },
    )
    await send(deps, await prepare(deps, { channelId, kind: 'reclaim', instructions: [rent], settles: 0n }))
  }
  await database.query(
    `update channels set reclaim_at = case when $2 then null else now() + interval '1 minute' end
     where channel_id = $1`,
    [channelId, onChain === undefined],
  )
}
