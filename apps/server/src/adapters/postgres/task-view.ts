import type { Store, TaskView } from '@ergon/core'
import type { Pool } from 'pg'
import { createTogether } from '../../surroundings/together.ts'
import { readingCells } from './row-cells.ts'
import { toTaskView, type TaskViewRow } from './rows.ts'
import { taskViewColumns, taskViewJoins, taskViewNames } from './task-view-columns.ts'
import { troubleOf } from './trouble.ts'

/** So many share a statement at the most. */
const most = 64

const statement = `select a.n::int as asked, ${taskViewColumns}
  from unnest($1::uuid[]) with ordinality a (id, n) join tasks t on t.id = a.id ${taskViewJoins}`

const readRows = readingCells<TaskViewRow & { readonly asked: number }>(['asked', ...taskViewNames])

/** One task by its id: the commonest question. Whoever asks while others are answered shares the next statement. */
export function createTaskView(pool: Pool): Store['taskView'] {
  return createTogether<string, TaskView | null>(
    async (ids, tell) => {
      await readRows(pool, { name: 'task-view', text: statement, values: [ids] }, (row) => {
        tell(row.asked - 1, toTaskView(row))
      })
      // Whoever has not been told by now is told that there is no such task.
      return ids.map(() => null)
    },
    { most, isOfOne: (error) => troubleOf(error) === null },
  )
}
