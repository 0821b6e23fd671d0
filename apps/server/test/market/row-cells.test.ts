import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Pool } from 'pg'
import { expect, test, vi } from 'vitest'
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
  await using stage = await openCells()
  const read = readingCells<{ one: number; two: string | null; three?: number }>(['one', 'two', 'three'])
  const rows: unknown[] = []
  await read(stage.pool, { name: 'cells', text: 'select 1 as one, $1::text as two', values: [null] }, (row) => {
    rows.push([row.one, row.two, row.three])
  })
  expect(rows).toEqual([[1, null, undefined]])
})

/** Decision 0267: what is read lives no longer than a piece of the answer. */
test('a row is told as it comes, before the statement has ended, and none is kept', async () => {
  await using stage = await openCells()
  const read = readingCells<{ at: number; value: object }>(['at', 'value'])
  const told: number[] = []
  const values: WeakRef<object>[] = []
  let hasEnded = false
  const reading = read(stage.pool, { name: 'slow', text: slowly, values: ['x'.repeat(20_000)] }, ({ at, value }) => {
    told.push(at)
    values.push(new WeakRef(value))
  }).then(() => {
    hasEnded = true
  })
  await vi.waitFor(
    () => {
      expect(told).toContain(2)
      collect()
      expect(values[0]?.deref()).toBeUndefined()
    },
    { timeout: 20_000, interval: 20 },
  )
  expect(hasEnded).toBe(false)
  await reading
  expect(told).toEqual([1, 2, 3, 4])
})

test('what a row does wrong is told to who reads, and the connection goes on', async () => {
  await using stage = await openCells()
  const read = readingCells<{ at: number }>(['at'])
  const statement = { name: 'two', text: 'select * from generate_series(1, 2)', values: [] }
  const told: number[] = []
  const reading = read(stage.pool, statement, ({ at }) => {
    told.push(at)
    throw new Error(`row ${String(at)} is not understood`)
  })
  await expect(reading).rejects.toThrow('row 1 is not understood')
  await read(stage.pool, statement, ({ at }) => {
    told.push(at)
  })
  expect(told).toEqual([1, 2, 1, 2])
})

test('a statement that fails says why, and one whose columns changed meanwhile is asked for again', async () => {
  await using stage = await openCells()
  const read = readingCells<{ at: unknown }>(['at'])
  const wrong = { name: 'wrong', text: 'select 1 / $1::int', values: [0] }
  await expect(read(stage.pool, wrong, () => undefined)).rejects.toThrow('division by zero')
  await stage.pool.query('create table changing (at int); insert into changing values (7)')
  const told: unknown[] = []
  const ask = (): Promise<void> =>
    read(stage.pool, { name: 'changing', text: 'select at from changing', values: [] }, ({ at }) => {
      told.push(at)
    })
  await ask()
  await stage.pool.query('alter table changing alter at type text')
  await ask()
  expect(told).toEqual([7, '7'])
})

/** Four rows, each of which the database is done with a while after the one before. */
const slowly = `select at, '{}'::jsonb as value, $1::text, pg_sleep(0.4) from generate_series(1, 4) at`

async function openCells(): Promise<AsyncDisposable & { readonly pool: Pool }> {
  const database = await openStageDatabase()
  const pool = createPool(database.databaseUrl, { size: 1 })
  return {
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end()
      await database.drop()
    },
  }
}

/** The collector, which only a flag makes reachable. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}
