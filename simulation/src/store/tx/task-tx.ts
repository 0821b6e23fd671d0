import { isFinal, type TaskChanges } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import { lockRows, rowsOf, slotsOf } from '../engine/table.ts'
import type { TaskRow } from '../rows.ts'
import { tell } from '../tell.ts'
import type { Part, TxDeps } from './parts.ts'

type TaskPart = Part<'lockTask' | 'moveTask' | 'changeTask' | 'hasApplications' | 'addEvent' | 'addEvents'>

export function taskTx({ disk, run }: TxDeps): TaskPart {
  const { tables } = disk
  return {
    lockTask: (id) =>
      run(
        'tx.lockTask',
        async (session) =>
          (await lockRows(session, slotsOf(session, tables.tasks.by.pkey, id), anything))[0]?.task ?? null,
      ),
    moveTask: (id, to, at, changes = {}) =>
      run('tx.moveTask', async (session) => {
        const moved = await changeTasks(disk, session, id, (row) => changed(row, changes, at, to))
        if (isFinal(to))
          await tables.applications.update(
            session,
            slotsOf(session, tables.applications.by.task, id),
            (row) => row.status === 'pending',
            (row) => ({ ...row, status: 'rejected' }),
          )
        if (moved.length > 0) await tables.history.insert(session, { taskId: id, status: to, at, seq: disk.nextSeq() })
      }),
    changeTask: (id, changes, at) =>
      run('tx.changeTask', async (session) => {
        await changeTasks(disk, session, id, (row) => changed(row, changes, at, row.task.status))
      }),
    hasApplications: (taskId) =>
      run('tx.hasApplications', (session) => rowsOf(session, tables.applications.by.task, taskId).length > 0),
    addEvent: (event) => run('tx.addEvent', (session) => tell(disk, session, event)),
    addEvents: (events) =>
      run('tx.addEvents', (session) => {
        for (const event of events) tell(disk, session, event)
      }),
  }
}

export const anything = (): boolean => true

/** Updates the task with this id where it may be. */
export function changeTasks(
  { tables }: Disk,
  session: Session,
  id: string,
  change: (row: TaskRow) => TaskRow,
  where: (row: TaskRow) => boolean = anything,
): Promise<readonly TaskRow[]> {
  return tables.tasks.update(session, slotsOf(session, tables.tasks.by.pkey, id, where), where, change)
}

function changed(row: TaskRow, changes: TaskChanges, at: Date, status: TaskRow['task']['status']): TaskRow {
  const { feeTx, paymentBlock, captured, ...rest } = changes
  const task = {
    ...row.task,
    ...given(rest),
    status,
    updatedAt: at,
    ...(feeTx === undefined ? {} : { feeTx }),
    captured: captured ?? row.task.captured,
  }
  return { ...row, task, paymentBlock: paymentBlock === undefined ? row.paymentBlock : paymentBlock }
}

/** What is undefined is not changed. */
function given<T extends object>(changes: T): T {
  for (const value of Object.values(changes))
    if (value === undefined)
      return Object.fromEntries(Object.entries(changes).filter(([, one]) => one !== undefined)) as T
  return changes
}
