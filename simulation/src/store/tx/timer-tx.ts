import { noDecisions, type Decisions } from '@ergon/core'
import { rowsOf, slotsOf } from '../engine/table.ts'
import { keyOf } from '../schema.ts'
import type { Part, TxDeps } from './parts.ts'
import { anything, changeTasks } from './task-tx.ts'

const earlier = (at: Date, ms: number): Date => new Date(at.getTime() - ms)

const isStanding = ({ status }: { readonly status: string }): boolean => status === 'standing'

export function timerTx({
  disk,
  run,
}: TxDeps): Part<'putTimer' | 'dropTimer' | 'elapseTask' | 'countDecision' | 'keepStandingOrder' | 'countPending'> {
  const { rulings, timers, applications, escrows, decisions } = disk.tables
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
        await changeTasks(disk, session, taskId, (row) => {
          const { deadline, reviewUntil, startBy } = row.task
          const moved = {
            deadline: earlier(deadline, ms),
            reviewUntil: reviewUntil && earlier(reviewUntil, ms),
            startBy: startBy && earlier(startBy, ms),
          }
          return { ...row, task: { ...row.task, ...moved, updatedAt: at } }
        })
        await timers.update(session, slotsOf(session, timers.by.task, taskId), anything, (row) => ({
          ...row,
          dueAt: row.dueAt - ms,
        }))
        await rulings.update(session, slotsOf(session, rulings.by.task, taskId), isStanding, (row) => ({
          ...row,
          appealUntil: earlier(row.appealUntil, ms),
        }))
      }),
    countDecision: (wallet, kind, bucket) =>
      run('tx.countDecision', async (session) => {
        const counted = (row: Decisions): Decisions => ({
          decided: row.decided + (kind === 'silent' ? 0 : 1),
          rejected: row.rejected + (kind === 'rejected' ? 1 : 0),
          silent: row.silent + (kind === 'silent' ? 1 : 0),
          hours: row.hours.map((count, index) => (index === bucket ? count + 1 : count)),
        })
        await decisions.upsert(session, { wallet, ...counted(noDecisions) }, decisions.by.pkey, (row) => ({
          ...row,
          ...counted(row),
        }))
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
