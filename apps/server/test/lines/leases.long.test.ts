import { createTestDatabase } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPool, leaseKeeperOf, migrate, queues } from '../../src/adapters/postgres/index.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** A lease is short and renewed while its process lives, as long as the work may take and nobody else wrote the row. */

const id = '00000000-0000-4000-8000-000000000001'

async function scene() {
  const database = await createTestDatabase(serverSchema)
  onTestFinished(() => database[Symbol.asyncDispose]())
  const pool = createPool(database.url)
  onTestFinished(() => pool.end())
  await migrate(pool)
  const due = new Date('2026-01-01T00:00:07Z')
  await pool.query(
    `insert into sweeps (id, network, token, decimals, key, status, due_at, updated_at)
      values ($1, 'localnet', 'USDC', 6, 'sweep', 'open', $2, $2)`,
    [id, due],
  )
  const dueNow = async (): Promise<Date | undefined> =>
    (await pool.query<{ due_at: Date }>('select due_at from sweeps')).rows[0]?.due_at
  return { pool, due, dueNow }
}

test('a lease is written on while the work may take its time, and no longer', async () => {
  const { pool, due, dueNow } = await scene()
  leaseKeeperOf(pool).keep(queues.sweeps, [{ keys: [id], due }], 10_000)
  await vi.waitFor(async () => {
    expect((await dueNow())?.getTime()).toBeGreaterThan(due.getTime() + 1_500)
  }, 5_000)
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  // Ten seconds were asked for, and seven stood in the row already.
  expect((await dueNow())?.getTime()).toBeLessThan(due.getTime() + 5_500)
})

test('a row that another party wrote is let go', async () => {
  const { pool, due, dueNow } = await scene()
  leaseKeeperOf(pool).keep(queues.sweeps, [{ keys: [id], due }], 60_000)
  const other = new Date('2026-01-01T00:05:00Z')
  await pool.query('update sweeps set due_at = $1', [other])
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  expect(await dueNow()).toEqual(other)
})
