import type { Extension, ExtensionStore, ExtensionTx } from '@ergon/core'
import type { Pool } from 'pg'
import { namedRows } from './named-rows.ts'
import type { TransactionLine } from './transaction-line.ts'

type ExtensionRow = { id: string; task_id: string; was: Date; deadline: Date; at: Date }

const toExtension = ({ task_id: taskId, ...row }: ExtensionRow): Extension => ({ ...row, taskId })
const ofTask = 'select * from task_extensions where task_id = $1 order by id'

/** Deadlines that were put off (decision 0237); ids are UUIDv7, so the oldest comes first by its key. */
export function createExtensions(pool: Pool): ExtensionStore {
  const all = namedRows(pool)
  return {
    extensions: async (taskId) => (await all<ExtensionRow>('extensions', ofTask, [taskId])).map(toExtension),
  }
}

export function createExtensionTx(client: TransactionLine): ExtensionTx {
  return {
    async extensionsOf(taskId) {
      return (await client.query<ExtensionRow>(ofTask, [taskId])).rows.map(toExtension)
    },
    async insertExtension({ id, taskId, was, deadline, at }) {
      await client.tell('insert into task_extensions (id, task_id, was, deadline, at) values ($1, $2, $3, $4, $5)', [
        id,
        taskId,
        was,
        deadline,
        at,
      ])
    },
  }
}
