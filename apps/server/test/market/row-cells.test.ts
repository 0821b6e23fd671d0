import { expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { readingCells } from '../../src/adapters/postgres/row-cells.ts'
import { taskViewColumns, taskViewNames } from '../../src/adapters/postgres/task-view-columns.ts'
import { openStageDatabase } from './stage-database.ts'

/** Decision 0266: what is read by the cell is found by the names that the statement gives. */
test('the names of a view of a task are those of its columns, in their order', async () => {
  const database = await openStageDatabase()
  const pool = createPool(database.databaseUrl)
  const { fields } = await pool.query(
    `select ${taskViewColumns} from tasks t, publisher_scores p, workers w, workers pw limit 0`,
  )
  expect(fields.map(({ name }) => name)).toEqual(taskViewNames)
  await pool.end()
  await database.drop()
})

test('a cell is found by its name, and one that the statement does not have is undefined', async () => {
  const database = await openStageDatabase()
  const pool = createPool(database.databaseUrl)
  const read = readingCells<{ one: number; two: string | null; three?: number }>(['one', 'two', 'three'])
  const rows = await read(pool, { name: 'cells', text: 'select 1 as one, $1::text as two', values: [null] })
  expect(rows.map(({ one, two, three }) => [one, two, three])).toEqual([[1, null, undefined]])
  await pool.end()
  await database.drop()
})
