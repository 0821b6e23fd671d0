import type { TaskWords } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Viewer } from '../engine/session.ts'
import { rowOf, rowsOf, slotsOf } from '../engine/table.ts'
import { keyOf } from '../schema.ts'
import type { Part, TxDeps } from './parts.ts'
import { anything } from './task-tx.ts'

/** What was written with the moves of a task, the oldest first. */
export function wordsOf({ tables: { words, workers } }: Disk, viewer: Viewer, taskId: string): readonly TaskWords[] {
  return rowsOf(viewer, words.by.task, taskId)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ kind, author, executorId, text, at }) => {
      const wallet = executorId === null ? undefined : rowOf(viewer, workers.by.pkey, executorId)?.wallet
      return {
        kind,
        author,
        text,
        at,
        worker: executorId === null || wallet === undefined ? null : { id: executorId, wallet },
      }
    })
}

export function wordsTx({ disk, run }: TxDeps): Part<'taskWords' | 'putTaskWords'> {
  const { words } = disk.tables
  return {
    taskWords: (taskId) => run('tx.taskWords', (session) => wordsOf(disk, session, taskId)),
    putTaskWords: (taskId, { kind, author, executorId, text, at }) =>
      run('tx.putTaskWords', async (session) => {
        const key = keyOf(taskId, kind, executorId ?? taskId)
        if (text === null) await words.remove(session, slotsOf(session, words.by.pkey, key), anything)
        else
          await words.upsert(session, { taskId, kind, author, executorId, text, at }, words.by.pkey, (row) => ({
            ...row,
            author,
            text,
            at,
          }))
      }),
  }
}
