import { createTestDatabase } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endIdle } from '../src/store/channels.ts'
import { openDatabase, type Database } from '../src/store/database.ts'
import { forgetOld } from '../src/store/forget.ts'
import { migrate } from '../src/store/migrations.ts'

let database: Database
const owned = new AsyncDisposableStack()
beforeAll(async () => {
  const { url } = owned.use(await createTestDatabase())
  database = openDatabase(url, { warn: () => undefined, info: () => undefined, error: () => undefined })
  owned.defer(() => database.end())
  await migrate(database.pool)
})
afterAll(() => owned.disposeAsync())

const step = 500
const flood = 5_700
const channel = (id: string, days: number): Promise<unknown> =>
  database.query(
    `insert into channels (channel_id, seller, payer, address, voucher_signer, authorized_signer, salt, open_slot,
        grace_sec, deposit, status, closed_at)
      values ($1, '', '', '', 'client', '', 1, 1, 1, 1, 'closed', now() - $2 * interval '1 day')`,
    [id, days],
  )
const call = (id: string, count: number, days: number): Promise<unknown> =>
  database.query(
    `insert into deliveries (channel_id, key, request_hash, path, price, state, lease_until, asked_at, charged_at, body)
      select $1, gen_random_uuid(), '', '', 1, 'charged', now(), now() - $3 * interval '1 day',
        now() - $3 * interval '1 day', 'answer' from generate_series(1, $2::int)`,
    [id, count, days],
  )
const counts = async (): Promise<Readonly<Record<string, number>>> => {
  const [row] = await database.query<Record<string, number>>(
    `select (select count(*) from deliveries)::int as calls, (select count(*) from sponsored)::int as days,
      (select count(*) from deliveries where body is not null)::int as answers,
      (select count(*) from channels)::int as channels, (select count(*) from transactions)::int as transactions`,
  )
  return row ?? {}
}

/** Notes how many rows each statement says it has changed. */
function counting(): { readonly query: Database['query']; readonly gone: number[] } {
  const gone: number[] = []
  return {
    gone,
    query: async (text, values) => {
      const rows = await database.query<never>(text, values)
      gone.push(Number((rows[0] as { readonly count: number } | undefined)?.count))
      return rows
    },
  }
}

test('channels that nobody uses are ended step by step, ten steps a round, and nothing that is used or in use', async () => {
  const open = (id: string, count: number, usedAgo: number, inFlight: number, expires: string | null) =>
    database.query(
      `insert into channels (channel_id, seller, payer, address, voucher_signer, authorized_signer, salt, open_slot,
          grace_sec, deposit, status, used_at, in_flight, expires_at)
        select $1 || n, '', '', '', 'client', '', 1, 1, 1, 1, 'open', now() - $3 * interval '1 second', $4,
          now() + $5::interval from generate_series(1, $2::int) n`,
      [id, count, usedAgo, inFlight, expires],
    )
  await open('idle', 5_300, 601, 0, null)
  await open('used', 3, 599, 0, '1 minute')
  await open('in use', 3, 601, 1, null)
  await open('expired', 2, 0, 1, '-1 second')
  const { query, gone } = counting()
  await endIdle(query, 600)
  expect(gone).toEqual(Array.from({ length: 10 }, () => step))
  await endIdle(query, 600)
  expect(gone.slice(10)).toEqual([302])
  const left = await database.query(
    `select rtrim(channel_id, '0123456789') as kind, status, close_reason as why, count(*)::int as count from channels
      group by 1, 2, 3 order by 1`,
  )
  expect(left).toEqual([
    { kind: 'expired', status: 'closing', why: 'voucher_expires', count: 2 },
    { kind: 'idle', status: 'closing', why: 'idle', count: 5_300 },
    { kind: 'in use', status: 'open', why: null, count: 3 },
    { kind: 'used', status: 'open', why: null, count: 3 },
  ])
  await database.query('delete from channels')
})

test('what a gateway keeps no longer goes step by step, ten steps a round, and nothing else goes', async () => {
  await channel('old', 91)
  await channel('young', 89)
  for (const id of ['old', 'young'])
    await database.query(
      `insert into transactions (signature, channel_id, kind, wire, last_valid_height) values ($1, $1, 'open', '', 1)`,
      [id],
    )
  await call('old', flood, 91)
  await call('young', 3, 0)
  await database.query(
    `insert into sponsored (day, counted, used)
      select (now() at time zone 'utc')::date - case when n > 3 then 1 else 0 end, n, 1
      from generate_series(1, $1::int) n`,
    [flood + 3],
  )
  const { query, gone } = counting()
  await forgetOld(query)
  expect(Math.max(...gone)).toBe(step)
  // The channel is there for as long as one of its calls is.
  expect(await counts()).toMatchObject({ calls: 703, days: 703, channels: 2, transactions: 2 })
  await forgetOld(query)
  expect(Math.max(...gone)).toBe(step)
  expect(await counts()).toEqual({ calls: 3, days: 3, answers: 3, channels: 1, transactions: 1 })
})
