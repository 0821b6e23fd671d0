import { taskIn } from '@ergon/contract/facts'
import { totalsOf } from '../escrow/movement.ts'
import type { SeenLock, SeenMovement } from '../ports/chain-logs.ts'
import type { KnownPayment } from '../ports/store-follow.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import { canMove } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import { confirmSettlement } from './confirm.ts'
import type { MarketDeps } from './deps.ts'
import { readable } from './readable.ts'

/** `unread`: the chain could not be asked. `unfit`: no task waits for it, and a person decides; `task`: whose. */
export type LostLock =
  | { readonly state: 'booked'; readonly known: KnownPayment }
  | { readonly state: 'over' | 'unread' }
  | { readonly state: 'unfit'; readonly task: Task | null }

/**
 * A lock that we sent and no row of ours names: the database is older than the chain, as after a restore (decision
 * 0115). It is claimed again for the task that its salt carries, and its log confirms it: the task is assigned as it
 * was, and nobody locks for it twice.
 */
export async function bookLostLock(deps: MarketDeps, seen: SeenMovement): Promise<LostLock> {
  const { lock } = seen
  const taskId = lock === null ? null : taskIn(lock.payment.salt)
  const task = taskId === null ? null : await deps.store.task(taskId)
  if (lock === null || task === null) return { state: 'unfit', task }
  const movements = await readable(() => deps.rails(seen.network).movements(lock.payment))
  if (movements === null || movements.length === 0) return { state: 'unread' }
  const { capturable, captured } = totalsOf(movements)
  if (capturable === 0n && captured === 0n) return { state: 'over' }
  if (!isFor(task, seen, lock)) return { state: 'unfit', task }
  const settlement = await claimAgain(deps, task, lock)
  if (settlement === null) return { state: 'unfit', task }
  const { txHash, blockNumber, logIndex } = seen
  await confirmSettlement(deps, settlement, { txHash, blockNumber, logIndex })
  return { state: 'booked', known: { payment: lock.payment, lock: settlement } }
}

/** What an assignment asks of a signature, as far as the log repeats it; the rest its adapter looked at. */
function isFor({ publisherWallet, bounty, deadline }: Task, { atomic }: SeenMovement, { payment }: SeenLock): boolean {
  return (
    payment.payer === publisherWallet &&
    payment.receiver !== payment.payer &&
    payment.asset.network === bounty.asset.network &&
    payment.asset.symbol === bounty.asset.symbol &&
    payment.maxAmount === bounty.atomic &&
    atomic === bounty.atomic &&
    payment.authorizationExpiry * 1_000 >= deadline.getTime()
  )
}

/** Null when the task waits for nobody any more, or was claimed meanwhile. */
async function claimAgain(
  deps: MarketDeps,
  task: Task,
  { payment, authorization }: SeenLock,
): Promise<Settlement | null> {
  const now = deps.clock.now()
  // Who applied after the backup is not known here any more; the chain names the wallet.
  const fresh = { id: deps.ids.next(), wallet: payment.receiver, at: now }
  const party = task.target === 'any' ? {} : { party: task.target }
  const worker =
    (await deps.store.workerByWallet(payment.receiver)) ?? (await deps.store.putWorker({ ...fresh, ...party }))
  const id = deps.ids.next()
  const settlement = claimed(id, now, {
    taskId: task.id,
    executorId: worker.id,
    purpose: 'lock',
    subject: task.id,
    order: { kind: 'authorize', key: `authorize:${payment.hash}:${id}`, payment, authorization },
  })
  return deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(task.id)
    if (current === null || !canMove(current.status, 'assign')) return null
    if (!(await tx.claimSettlement(settlement, leaseEnd(now)))) return null
    const application = { id: deps.ids.next(), taskId: task.id, executorId: worker.id }
    await tx.insertApplication({ ...application, status: 'pending', message: null, createdAt: now })
    await tx.moveTask(task.id, 'assigning', now, { escrowStatus: 'authorizing' })
    await tx.putEscrow(task.id, payment)
    return settlement
  })
}
