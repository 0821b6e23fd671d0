import type { Store } from '@ergon/core'
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
  return createTogether(
    async (ids: readonly string[]) => {
      const rows = await readRows(pool, { name: 'task-view', text: statement, values: [ids] })
      const found = new Map(rows.map((row) => [row.asked, toTaskView(row)]))
      return ids.map((_, index) => found.get(index + 1) ?? null)
    },
    { most, isOfOne: (error) => troubleOf(error) === null },
  )
}
