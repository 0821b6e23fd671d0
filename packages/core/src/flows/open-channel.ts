import type { WalletCaller } from '../caller.ts'
import type { Channel } from '../channels/channel.ts'
import type { MeterTerms } from '../channels/metering.ts'
import { MarketError } from '../errors.ts'
import { parseUsd, type Asset } from '../money/amount.ts'
import { requireOpenNetwork } from '../network.ts'
import type { OpeningLimits, OpeningOffer, OpeningTerms } from '../ports/channel-openings.ts'
import type { Task } from '../tasks/task.ts'
import { inTurns } from './audit-money.ts'
import { bindChannel, bindWithinMs, metered, notReusable, payeeOf, wired } from './bind-channel.ts'
import type { MarketDeps } from './deps.ts'
import { ownTask } from './read.ts'
import { isWaitedOut } from './settle-channel.ts'
import { requireSubmittable } from './submit.ts'

/** Rent of so many channels may be bound at once: some 0.005 SOL each, which comes back with each end. */
const limits: OpeningLimits = { each: 10, inAll: 2_000 }
/** How long a caller waits for the ledger. */
const openWaitMs = 12_000
/** An opening that funds nothing by then is given back; nobody binds it any more long before. */
const windUpAfterMs = 1_800_000
const batch = 20

export type OfferInput = {
  readonly payer: string
  /** Exact decimal text; null: the cap of the task. */
  readonly depositUsd: string | null
  /** The key that is to sign vouchers where the buyer does; null: this deployment signs. */
  readonly voucherKey: string | null
}

export type OpenInput = Pick<OfferInput, 'payer' | 'voucherKey'> & {
  /** Base64, signed by the payer. */
  readonly transaction: string
}

export type ChannelOfferView = OpeningOffer & {
  readonly taskId: string
  readonly payer: string
  readonly worker: string
  readonly asset: Asset
  readonly terms: MeterTerms
  readonly deposit: bigint
  readonly voucherKey: string | null
}

/**
 * What the publisher of a metered task may open: a transaction for its payer to sign, on the terms of the task.
 *
 * @throws NO_PAYEE_RESOLVED, WORKER_USDC_ATA_MISSING, and what `OpeningLedger` throws
 */
export async function channelOffer(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  { payer, depositUsd, voucherKey }: OfferInput,
): Promise<ChannelOfferView> {
  const { opening } = wired(deps)
  const task = await ownTask(deps, caller, taskId)
  if ((await deps.store.channelOf(taskId)) !== null) throw notReusable('task_has_a_channel')
  requireOpenNetwork(deps, task.bounty.asset.network)
  const { terms, agreed } = await agreedOf(deps, task, payer, voucherKey)
  const deposit = depositUsd === null ? terms.cap : parseUsd(depositUsd, agreed.asset).atomic
  const { least, most } = agreed.deposits
  if (deposit < least || deposit > most)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'deposit_usd',
      constraint: 'from the price of one unit to the cap of the task',
      received: depositUsd,
    })
  return { ...(await opening.offer(agreed, deposit)), ...agreed, terms, deposit }
}

/**
 * Opens a channel with a transaction that its payer has signed, and lets it fund the task. What is sent was written
 * down before; sending the same again answers its state.
 *
 * @throws SESSION_CAP_EXCEEDED when too many channels are open, CHANNEL_NOT_ON_CHAIN when the ledger refused, and what
 * `bindChannel` throws
 */
export async function openChannel(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  { payer, transaction, voucherKey }: OpenInput,
): Promise<Channel> {
  const { opening, openings } = wired(deps)
  const task = await ownTask(deps, caller, taskId)
  const bound = await deps.store.channelOf(taskId)
  if (bound !== null) {
    const known = await openings.find(bound.id)
    if (known?.payer !== payer || !opening.isOf(transaction, known)) throw notReusable('task_has_a_channel')
    return bound
  }
  requireOpenNetwork(deps, task.bounty.asset.network)
  const { agreed } = await agreedOf(deps, task, payer, voucherKey)
  const signed = await opening.countersign(transaction, agreed)
  if ((await openings.find(signed.channelId)) === null) await opening.demandLikely(signed, payer)
  const { worker, asset } = agreed
  const row = { ...signed, taskId, wallet: caller.wallet, payer, worker, asset, at: deps.clock.now() }
  if ((await openings.record(row, limits)) === 'full')
    throw new MarketError('SESSION_CAP_EXCEEDED', { reason: 'too_many_channels' })
  const kept = (await openings.find(signed.channelId)) ?? row
  const end = await opening.deliver(kept, openWaitMs)
  if (end === 'unknown') throw new MarketError('channel_unreadable', { fault: 'opening_under_way' })
  if (end !== 'landed') {
    // What was refused may land as long as its blockhash counts, so it is forgotten by the duty alone.
    if (end === 'failed') await openings.forget(kept.channelId)
    throw new MarketError('CHANNEL_NOT_ON_CHAIN', { channel_id: kept.channelId, fault: end })
  }
  return bindChannel(deps, caller, taskId, { channelId: kept.channelId, payer, payee: null, voucherKey })
}

/** Gives openings back that fund nothing, and forgets those of which nothing is left. Answers how many. */
export async function windUpOpenings(deps: MarketDeps): Promise<number> {
  if (deps.channels === undefined) return 0
  const { opening, openings } = deps.channels
  const now = deps.clock.now()
  const due = await openings.lease(now, new Date(now.getTime() + bindWithinMs), batch)
  const done = await inTurns(due, async (one) => {
    const bound = await deps.store.channel(one.channelId)
    const isOld = one.at.getTime() + windUpAfterMs < now.getTime()
    const isGone = bound === null ? isOld && (await opening.windUp(one).catch(unread)) : bound.status === 'reclaimed'
    if (isGone) await openings.forget(one.channelId)
    return isGone
  })
  return done.filter(Boolean).length
}

/** One that cannot be read, or whose parties cannot be paid yet, keeps none of the others waiting. */
function unread(error: unknown): false {
  if (isWaitedOut(error)) return false
  throw error
}

async function agreedOf(
  deps: MarketDeps,
  task: Task,
  payer: string,
  voucherKey: string | null,
): Promise<{ readonly terms: MeterTerms; readonly agreed: OpeningTerms }> {
  const terms = await metered(deps, task)
  if (voucherKey !== null && voucherKey === wired(deps).facts.signer)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'authorized_signer',
      constraint: 'a key of the buyer; left out, this service signs',
      received: voucherKey,
    })
  const { worker } = await payeeOf(deps, task, null)
  requireSubmittable(task, deps.clock.now())
  const { asset } = task.bounty
  if (!(await wired(deps).ledger.canReceive(worker, asset)))
    throw new MarketError('WORKER_USDC_ATA_MISSING', { worker })
  const deposits = { least: terms.price, most: terms.cap }
  return { terms, agreed: { taskId: task.id, payer, worker, asset, deposits, voucherKey } }
}
