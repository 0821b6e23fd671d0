import { rowsOf, slotsOf } from '../engine/table.ts'
import { keyOf } from '../schema.ts'
import type { Part, TxDeps } from './parts.ts'
import { anything, changeTasks } from './task-tx.ts'

const earlier = (at: Date, ms: number): Date => new Date(at.getTime() - ms)

export function timerTx({
  disk,
  run,
}: TxDeps): Part<'putTimer' | 'dropTimer' | 'elapseTask' | 'keepStandingOrder' | 'countPending'> {
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
    elapseTask: (taskId, ms, at) =>
      run('tx.elapseTask', async (session) => {
        await timers.update(session, slotsOf(session, timers.by.task, taskId), anything, (row) => ({
          ...row,
          dueAt: row.dueAt - ms,
        }))
        await changeTasks(disk, session, taskId, (row) => {
          const { deadline, reviewUntil } = row.task
          const moved = { deadline: earlier(deadline, ms), reviewUntil: reviewUntil && earlier(reviewUntil, ms) }
          return { ...row, task: { ...row.task, ...moved, updatedAt: at } }
        })
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
