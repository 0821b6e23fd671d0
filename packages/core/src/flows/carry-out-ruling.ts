import type { Resolution } from '../disputes/dispute.ts'
import type { Ruling } from '../disputes/ruling.ts'
import { MarketError } from '../errors.ts'
import type { Timer } from '../ports/store-timers.ts'
import type { Tx } from '../ports/store.ts'
import { isFinal } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'
import { resolveDispute } from './resolve.ts'

type Due = { readonly ruling: Ruling; readonly resolution: Resolution }

/**
 * Nobody appealed: the ruling is carried out as any resolution. One that cannot be paid now stays as it is and is tried
 * again (decision 0168).
 */
export async function carryOutRuling(deps: MarketDeps, timer: Timer): Promise<void> {
  const now = deps.clock.now()
  const due = await deps.store.transaction(async (tx): Promise<Due | null> => {
    const task = await tx.lockTask(timer.taskId)
    const ruling = task === null ? null : await tx.lockRulingOf(task.id)
    if (task === null || ruling?.status !== 'standing') return drop(tx, timer)
    // What is in flight is finished first.
    if (await tx.hasOpenSettlement(task.id)) return null
    if (isFinal(task.status)) {
      await tx.endRuling(ruling.id, await endOfTask(tx, ruling), now)
      return drop(tx, timer)
    }
    const waits = ruling.appealUntil > now || task.turn?.kind === 'owed'
    return waits ? null : { ruling, resolution: resolutionOf(ruling, task) }
  })
  if (due === null) return
  try {
    const { ruling, resolution } = due
    await resolveDispute(deps, { kind: 'anonymous' }, ruling.disputeId, { ...resolution, ruling })
  } catch (error) {
    if (!(error instanceof MarketError)) throw error
  }
}

/** What was ruled, unless the publisher paid the worker on chain all the same: that decides (decision 0261). */
function resolutionOf({ verdict, splitPct, reason }: Ruling, { escrowStatus }: Task): Resolution {
  return verdict === 'refund' && escrowStatus === 'released' ? paidAllTheSame : { verdict, splitPct, reason }
}

const paidAllTheSame: Resolution = {
  verdict: 'release',
  splitPct: null,
  reason: 'The publisher paid the worker on chain.',
}

/** Whether the dispute ended by this ruling: as it says, in its words. */
async function endOfTask(tx: Tx, { disputeId, verdict, splitPct, reason }: Ruling): Promise<'executed' | 'overtaken'> {
  const dispute = await tx.lockDispute(disputeId)
  const how = dispute?.status === 'resolved' ? dispute.resolution : null
  return how?.verdict === verdict && how.splitPct === splitPct && how.reason === reason ? 'executed' : 'overtaken'
}

async function drop(tx: Tx, timer: Timer): Promise<null> {
  await tx.dropTimer(timer)
  return null
}
