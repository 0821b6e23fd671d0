import { MarketError } from '../errors.ts'
import { operatorAccount, sweepJournal } from '../ledger/journal.ts'
import type { Market } from '../market.ts'
import { splitFee, type Asset } from '../money/amount.ts'
import type { OwedFee, Sweep } from '../ports/store.ts'
import { retryAfterMs, type Settlement } from '../settlements/settlement.ts'
import { canMove } from '../tasks/lifecycle.ts'
import { auditMoney } from './audit-money.ts'
import { auditRatings } from './audit-ratings.ts'
import { claimRefund } from './cancel.ts'
import type { MarketDeps } from './deps.ts'
import { relayRating } from './rate.ts'
import { attempt, resume } from './settle.ts'

const batch = 20

export function createDuties(deps: MarketDeps): Market['duties'] {
  const lease = (): { readonly now: Date; readonly until: Date } => {
    const now = deps.clock.now()
    return { now, until: new Date(now.getTime() + deps.settings.leaseMs) }
  }

  return {
    async reconcile() {
      const { now, until } = lease()
      const due = await deps.store.leaseSettlements(now, until, batch)
      const endings = await Promise.all(due.map((settlement) => resume(deps, settlement)))
      return endings.filter((ending) => ending.state !== 'open').length
    },
    async expire() {
      const due = await deps.store.dueTasks(deps.clock.now(), batch)
      const expired = await Promise.all(due.map((taskId) => expireTask(deps, taskId)))
      return expired.filter(Boolean).length
    },
    async disburseFees() {
      const owed = await deps.store.owedFees(500)
      const named = await Promise.all(owed.map((fee) => nameFee(deps, fee)))
      const left = owed.filter((_, index) => named[index] === false)
      const assets = new Map(left.map(({ bounty }) => [`${bounty.asset.network}:${bounty.asset.symbol}`, bounty.asset]))
      for (const [key, asset] of assets) await sweep(deps, asset, left.filter(({ bounty }) => `${bounty.asset.network}:${bounty.asset.symbol}` === key), lease())
      return named.filter(Boolean).length
    },
    auditMoney: () => auditMoney(deps),
    auditRatings: () => auditRatings(deps),
    async relayRatings() {
      const { now, until } = lease()
      const due = await deps.store.leaseRatings(now, until, batch)
      const relayed = await Promise.all(due.map((rating) => relayRating(deps, rating)))
      return relayed.filter(Boolean).length
    },
  }
}

/** The deadline passed: EXPIRED at once, and what is held goes back until the chain shows it (decision 0035). */
async function expireTask(deps: MarketDeps, taskId: string): Promise<boolean> {
  const now = deps.clock.now()
  const refund = await deps.store.transaction(async (tx): Promise<Settlement | 'none' | 'not now'> => {
    const task = await tx.lockTask(taskId)
    // What is in flight is finished first: nothing expires under a payment.
    if (task === null || !canMove(task.status, 'expire') || task.deadline > now || (await tx.hasOpenSettlement(taskId))) return 'not now'
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
  const by = await deps.store.sweepAfter(asset, owed.paymentBlock)
  if (by === null) return false
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    if (!(await tx.settleFee(owed.taskId, by.txHash, now))) return
    await tx.addPaymentEvent({ id: deps.ids.next(), taskId: owed.taskId, type: 'disburse_fee', status: 'success', amount: splitFee(owed.bounty).fee, asset, from: null, to: null, txHash: by.txHash, at: now })
  })
  return true
}

/** Moves what the operator contract has collected to the treasury; one sweep in flight an asset. */
async function sweep(deps: MarketDeps, asset: Asset, owed: readonly OwedFee[], lease: { readonly now: Date; readonly until: Date }): Promise<void> {
  const id = deps.ids.next()
  const intent = await deps.store.leaseSweep({ id, asset, key: `sweep:${id}`, attempts: 0 }, lease.now, lease.until)
  if (intent === null) return
  const answer = await deps.rails(asset.network).sweepFees(asset, intent.key)
  const now = deps.clock.now()
  if (answer.outcome === 'settled' && answer.amount !== undefined) {
    await confirmSweep(deps, intent, { ...answer, amount: answer.amount }, now)
    return
  }
  if (answer.outcome === 'nothing') {
    // The key is spent: the next round asks under a new one.
    await deps.store.transaction((tx) => tx.endSweep(intent.id, { status: 'empty' }, now))
    await bookSweptOtherwise(deps, asset, owed.filter(({ since }) => now.getTime() - since.getTime() > otherwiseAfterMs), now)
    return
  }
  const dueAt = new Date(now.getTime() + retryAfterMs(intent.attempts))
  await deps.store.transaction((tx) => tx.endSweep(intent.id, { status: 'open', dueAt }, now))
  if (answer.outcome === 'refused') throw new MarketError(answer.code, { sweep: intent.id })
}

/** How long a contract without fees may contradict a capture before it is believed. */
const otherwiseAfterMs = 600_000

/** Anybody may send the fees on; they reach the treasury all the same, in a transaction that is not ours to name. */
async function bookSweptOtherwise(deps: MarketDeps, asset: Asset, owed: readonly OwedFee[], now: Date): Promise<void> {
  for (const { taskId, bounty } of owed) {
    const { fee } = splitFee(bounty)
    await deps.store.transaction(async (tx) => {
      if (!(await tx.settleFee(taskId, null, now))) return
      await tx.addPaymentEvent({ id: deps.ids.next(), taskId, type: 'disburse_fee', status: 'in_doubt', amount: fee, asset, from: null, to: null, txHash: null, note: 'sent to the treasury by somebody else', at: now })
      // A sweep of ours in the very block of the capture has booked the fee already.
      if ((await tx.ledgerBalance(asset, operatorAccount)) >= fee.atomic) await tx.post({ id: deps.ids.next(), taskId, asset, at: now, postings: sweepJournal(fee.atomic) })
    })
  }
}

async function confirmSweep(deps: MarketDeps, intent: Sweep, landed: { readonly txHash: string; readonly blockNumber: bigint; readonly amount: bigint }, now: Date): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const first = await tx.endSweep(intent.id, { status: 'confirmed', ...landed }, now)
    if (first) await tx.post({ id: deps.ids.next(), taskId: null, asset: intent.asset, at: now, postings: sweepJournal(landed.amount) })
  })
}
