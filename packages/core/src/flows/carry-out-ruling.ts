import type { Ruling } from '../disputes/ruling.ts'
import { MarketError } from '../errors.ts'
import type { Timer } from '../ports/store-timers.ts'
import type { Tx } from '../ports/store.ts'
import { isFinal } from '../tasks/lifecycle.ts'
import type { MarketDeps } from './deps.ts'
import { resolveDispute } from './resolve.ts'

/**
 * Nobody appealed: the ruling is carried out as any resolution. One that cannot be paid now stays as it is and is tried
 * again (decision 0168).
 */
export async function carryOutRuling(deps: MarketDeps, timer: Timer): Promise<void> {
  const now = deps.clock.now()
  const due = await deps.store.transaction(async (tx): Promise<Ruling | null> => {
    const task = await tx.lockTask(timer.taskId)
    const ruling = task === null ? null : await tx.lockRulingOf(task.id)
    if (task === null || ruling?.status !== 'standing') return drop(tx, timer)
    // What is in flight is finished first.
    if (await tx.hasOpenSettlement(task.id)) return null
    if (isFinal(task.status)) {
      await tx.endRuling(ruling.id, await endOfTask(tx, ruling), now)
      return drop(tx, timer)
    }
    return ruling.appealUntil > now || task.turn?.kind === 'owed' ? null : ruling
  })
  if (due === null) return
  try {
    const { verdict, splitPct, reason } = due
    await resolveDispute(deps, { kind: 'anonymous' }, due.disputeId, { verdict, splitPct, reason, ruling: due })
  } catch (error) {
    if (!(error instanceof MarketError)) throw error
  }
}

/** Whether the dispute ended by this ruling. */
async function endOfTask(tx: Tx, { disputeId }: Ruling): Promise<'executed' | 'overtaken'> {
  const dispute = await tx.lockDispute(disputeId)
  return dispute?.status === 'resolved' ? 'executed' : 'overtaken'
}

async function drop(tx: Tx, timer: Timer): Promise<null> {
  await tx.dropTimer(timer)
  return null
}
