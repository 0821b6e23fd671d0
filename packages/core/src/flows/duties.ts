import { splitFee } from '../money/amount.ts'
import type { OwedFee } from '../ports/store.ts'
import { leaseEnd, sendBefore, type Settlement } from '../settlements/settlement.ts'
import { canMove } from '../tasks/lifecycle.ts'
import { auditMoney } from './audit-money.ts'
import { auditRatings } from './audit-ratings.ts'
import { claimRefund } from './cancel.ts'
import type { MarketDeps } from './deps.ts'
import { followChains } from './follow-chain.ts'
import { purgeUploads } from './purge-uploads.ts'
import { relayRating } from './rate.ts'
import { attempt, resume } from './settle.ts'
import { leaseOf, sweepDue } from './sweep-fees.ts'
import { verifyDue } from './verify.ts'
import { watchRefused } from './watch.ts'

const batch = 20

/** One round of each background duty; each takes due rows with a lease and answers how many it finished. */
export const duties = {
  ...{ reconcile, renewLeases, watchRefused, expire, disburseFees, relayRatings },
  ...{ verify: verifyDue, purgeUploads, auditMoney, auditRatings, followChains },
} as const

/** Finishes settlements that a crash, a timeout or a slow chain left (claimed, sent or in doubt). */
async function reconcile(deps: MarketDeps): Promise<number> {
  const now = deps.clock.now()
  const due = await deps.store.leaseSettlements(now, leaseEnd(now), sendBefore(now), batch)
  const endings = await Promise.all(due.map((settlement) => resume(deps, settlement)))
  return endings.filter((ending) => ending.state !== 'open').length
}

/**
 * Keeps what this process works on from being taken up by another; called every few seconds, well within
 * `claimLeaseMs`. Changes nothing else.
 */
async function renewLeases({ held, store, clock }: MarketDeps): Promise<number> {
  const mine = held.list()
  return mine.length === 0 ? 0 : store.renewSettlements(mine, leaseEnd(clock.now()))
}

/** Expires tasks whose deadline passed and refunds what they hold. */
async function expire(deps: MarketDeps): Promise<number> {
  const due = await deps.store.dueTasks(deps.clock.now(), batch)
  const expired = await Promise.all(due.map((taskId) => expireTask(deps, taskId)))
  return expired.filter(Boolean).length
}

/** Moves accrued fees to the treasury and names the transaction in the payment events. */
async function disburseFees(deps: MarketDeps): Promise<number> {
  const owed = await deps.store.owedFees(500)
  const named = await Promise.all(owed.map((fee) => nameFee(deps, fee)))
  const left = owed.filter((_, index) => named[index] === false)
  const assets = new Map(left.map(({ bounty }) => [`${bounty.asset.network}:${bounty.asset.symbol}`, bounty.asset]))
  for (const [key, asset] of assets)
    await sweepDue(
      deps,
      asset,
      left.filter(({ bounty }) => `${bounty.asset.network}:${bounty.asset.symbol}` === key),
      leaseOf(deps),
    )
  return named.filter(Boolean).length
}

/** Relays ratings given with an approval. */
async function relayRatings(deps: MarketDeps): Promise<number> {
  const { now, until } = leaseOf(deps)
  const due = await deps.store.leaseRatings(now, until, batch)
  const relayed = await Promise.all(due.map((rating) => relayRating(deps, rating)))
  return relayed.filter(Boolean).length
}

/** The deadline passed: EXPIRED at once, and what is held goes back until the chain shows it (decision 0035). */
async function expireTask(deps: MarketDeps, taskId: string): Promise<boolean> {
  const now = deps.clock.now()
  const refund = await deps.store.transaction(async (tx): Promise<Settlement | 'none' | 'not now'> => {
    const task = await tx.lockTask(taskId)
    // What is in flight is finished first: nothing expires under a payment.
    if (task === null || !canMove(task.status, 'expire') || task.deadline > now || (await tx.hasOpenSettlement(taskId)))
      return 'not now'
    await tx.moveTask(taskId, 'expired', now)
    await tx.expireDisputes(taskId, now)
    await tx.addEvent({ id: deps.ids.next(), type: 'task.expired', taskId, at: now, data: { task_id: taskId } })
    return task.escrowStatus === 'authorized' ? claimRefund(deps, tx, task, true, now) : 'none'
  })
  if (refund === 'not now') return false
  if (refund !== 'none') await attempt(deps, refund)
  return true
}

/** A fee has its transaction once a sweep went by after the capture. */
async function nameFee(deps: MarketDeps, owed: OwedFee): Promise<boolean> {
  const { asset } = owed.bounty
  const by = await deps.store.sweepAfter(asset, owed.captured)
  if (by === null) return false
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    if (!(await tx.settleFee(owed.taskId, by.txHash, now))) return
    await tx.addPaymentEvent({
      id: deps.ids.next(),
      taskId: owed.taskId,
      type: 'disburse_fee',
      status: 'success',
      amount: splitFee(owed.bounty).fee,
      asset,
      from: null,
      to: null,
      txHash: by.txHash,
      at: now,
    })
  })
  return true
}
