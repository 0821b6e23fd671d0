import { rowsOf, slotsOf } from '../engine/table.ts'
import { keyOf } from '../schema.ts'
import type { Part, TxDeps } from './parts.ts'
import { anything } from './task-tx.ts'

export function timerTx({ disk, run }: TxDeps): Part<'putTimer' | 'dropTimer' | 'keepStandingOrder' | 'countPending'> {
  const { timers, applications, escrows } = disk.tables
  return {
    putTimer: (taskId, kind, dueAt) =>
      run('tx.putTimer', async (session) => {
        const due = dueAt.getTime()
        await timers.upsert(session, { taskId, kind, dueAt: due, attempts: 0 }, timers.by.pkey, (row) => ({
          ...row,
          dueAt: due,
          attempts: 0,
        }))
      }),
    dropTimer: ({ taskId, kind, attempts }) =>
      run('tx.dropTimer', async (session) => {
        await timers.remove(
          session,
          slotsOf(session, timers.by.pkey, keyOf(taskId, kind)),
          (row) => row.attempts === attempts,
        )
      }),
    keepStandingOrder: (taskId, order) =>
      run('tx.keepStandingOrder', async (session) => {
        await escrows.update(session, slotsOf(session, escrows.by.pkey, taskId), anything, (row) => ({
          ...row,
          standingOrder: order,
        }))
      }),
    countPending: (taskId) =>
      run(
        'tx.countPending',
        (session) => rowsOf(session, applications.by.task, taskId, ({ status }) => status === 'pending').length,
      ),
  }
}
