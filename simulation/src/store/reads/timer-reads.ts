import { noDecisions } from '@ergon/core'
import { allSlots, rowOf, takeFree } from '../engine/table.ts'
import { anything } from '../tx/task-tx.ts'
import type { Part, StoreParts } from './parts.ts'

const minuteMs = 60_000

export function timerReads({ disk, line }: StoreParts): Part<'leaseTimers' | 'publisherDecisions' | 'standingOrder'> {
  const { timers, tasks, escrows, decisions } = disk.tables
  return {
    publisherDecisions: (wallet) =>
      line.read('publisherDecisions', (viewer) => {
        const { wallet: _of, ...counted } = rowOf(viewer, decisions.by.pkey, wallet) ?? { wallet, ...noDecisions }
        return counted
      }),
    standingOrder: (taskId) =>
      line.read('standingOrder', (viewer) => rowOf(viewer, escrows.by.pkey, taskId)?.standingOrder ?? null),
    leaseTimers: (network, now, leaseUntil, limit) =>
      line.write('leaseTimers', async (session) => {
        const due = allSlots(
          session,
          timers,
          ({ taskId, dueAt }) =>
            dueAt <= now.getTime() && rowOf(session, tasks.by.pkey, taskId)?.task.bounty.asset.network === network,
        )
        const taken = takeFree(session, due, ({ dueAt }) => dueAt, limit)
        const leased = await timers.update(session, taken, anything, (row) => ({
          ...row,
          attempts: row.attempts + 1,
          dueAt: Math.max(leaseUntil.getTime(), now.getTime() + Math.min(row.attempts, 60) * minuteMs),
        }))
        return leased.map(({ taskId, kind, attempts }) => ({ taskId, kind, attempts }))
      }),
  }
}
