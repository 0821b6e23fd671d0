import { createTestDatabase } from '@ergon/dev-env/testing'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { lockAccount } from '../src/store/account-lease.ts'
import { watchPlace, type DatabasePlace } from '../src/store/database-place.ts'
import { platform } from '../src/surroundings/platform.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

const account = '0xaccount'

async function openPool(connectionString: string): Promise<Pool> {
  const pool = new Pool({ connectionString, max: 4, pipeline: true, idleTimeoutMillis: 1 })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  return pool
}

type Watched = { pool: Pool; aside: Pool; begin(): Promise<number>; place: DatabasePlace; told: string[] }

async function watched(wentBackAt: number | null = null): Promise<Watched> {
  const database = await createTestDatabase(facilitatorSchema)
  onTestFinished(() => database[Symbol.asyncDispose]())
  const [pool, aside] = [await openPool(database.url), await openPool(database.url)]
  const told: string[] = []
  const onTrouble = (message: string): void => {
    told.push(message)
  }
  const begin = async (): Promise<number> => {
    const waits = { waitMs: 1_000, databaseWaitMs: 1_000 }
    await using lock = await lockAccount({
      ...{ databaseUrl: database.url, account, surroundings: platform, ...waits, onTrouble },
      onLost: () => undefined,
    })
    return await lock.begin()
  }
  await begin()
  await aside.query('update account_leases set went_back_at = $1', [wentBackAt])
  return {
    pool,
    aside,
    begin,
    told,
    place: await watchPlace(pool, { account, waitsSec: 900, surroundings: platform, onTrouble }),
  }
}

/** As if what is there had been written elsewhere. */
const move = (aside: Pool) => aside.query("update account_leases set place = 'elsewhere'")
const askFourTimes = (pool: Pool) => Promise.all([1, 2, 3, 4].map(() => pool.query('select pg_sleep(0.05)')))

test('a database that is where it was has not gone back, whoever connects', async () => {
  const { pool, place } = await watched()
  await askFourTimes(pool)
  expect(place.wentBackAt()).toBeUndefined()
})

test('of connections that are opened together none is used before it is known that the database went back', async () => {
  const { pool, aside, place } = await watched()
  for (let round = 0; round < 5; round += 1) {
    await expect.poll(() => pool.totalCount).toBe(0)
    await aside.query('update account_leases set went_back_at = null')
    await move(aside)
    const since = Math.floor(Date.now() / 1_000)
    const seen: (number | undefined)[] = []
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        await pool.query('select pg_sleep(0.05)')
        seen.push(place.wentBackAt())
      }),
    )
    for (const at of seen) expect(at).toBeGreaterThanOrEqual(since)
  }
})

test('a database that has forgotten the account answers nothing', async () => {
  const { pool, aside } = await watched()
  await expect.poll(() => pool.totalCount).toBe(0)
  await aside.query('delete from account_leases')
  await expect(pool.query('select 1')).rejects.toThrow('the database has forgotten this account')
})

test('an epoch that the database has forgotten is not opened again', async () => {
  const { aside, begin } = await watched()
  const epoch = await begin()
  await aside.query('update account_leases set epoch = 1')
  expect(await begin()).toBeGreaterThan(epoch)
})

test('a start tells of a database that went back while orders wait for it, and not for ever', async () => {
  const now = Math.floor(Date.now() / 1_000)
  expect((await watched(now - 60)).told).toEqual([expect.stringContaining('the database went back')])
  const later = await watched(now - 1_000)
  expect([later.told, later.place.wentBackAt()]).toEqual([[], now - 1_000])
})
