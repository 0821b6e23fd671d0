import { createPostgresStore, createDeliveryQueue } from '../../src/adapters/postgres/index.ts'
import { openBooks } from '../../src/open-books.ts'
import { retentions, type Retentions } from '../../src/retentions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStageDatabase, type StageDatabase } from '../market/stage-database.ts'
import { countOf, keptRows, writeDeciding, writeKept, type KeptRows } from './kept-rows.ts'

const step = 100
const past = 250
const others = 3

let database: StageDatabase
let forget: Retentions
beforeAll(async () => {
  database = await openStageDatabase()
  const { pool } = database
  const queue = createDeliveryQueue(pool, () => undefined)
  const store = createPostgresStore(pool, { identityNetwork: 'localnet' })
  const limits = { perTask: 0, perWalletDay: 0, perDay: 0 }
  const config = {
    ...{ idempotencyHours: 24, registrations: { perAddress: 0, inAll: 0 }, eventsKeptDays: 90, offersKeptDays: 365 },
    ...{ payments: { perWallet: 0, perAddress: 0, inAll: 0 }, uploads: { limits, keepMs: 0 } },
  }
  const secrets = { secret: 'a secret of this test, long enough' }
  forget = retentions({
    ...{ config, pool, store },
    books: openBooks({ pool, epoch: { wentBackAt: () => null }, config, secrets }),
    deliveries: { forget: (limit) => queue.forgetDeliveries(new Date(Date.now() - 30 * 86_400_000), limit) },
    now: () => new Date(),
  })
  await writeDeciding(pool)
})
afterAll(() => database.drop())

const names = Object.keys(keptRows) as (keyof Retentions)[] // the keys of a literal

test.each(names)('what is past its time of %s goes step by step, and nothing else goes', async (name) => {
  const { pool } = database
  const all = keptRows[name]
  for (const kept of all) {
    await writeKept(pool, kept, past, others)
    if (kept.table === 'outbox')
      await pool.query('insert into event_recipients (wallet, xid, seq) select seq::text, xid, seq from outbox')
  }
  const count = (): Promise<number[]> => Promise.all(all.map((kept) => countOf(pool, kept)))
  const staying = (kept: KeptRows): number =>
    all
      .filter(({ table }) => table === kept.table)
      .reduce((sum, { spared = [] }) => sum + others * (1 + spared.length), 0)
  let before = await count()
  let steps = 0
  while ((await forget[name](step)) >= step) {
    const after = await count()
    for (const [index, rows] of after.entries()) {
      // Two retentions of one table take a step each.
      const shared = all.filter(({ table }) => table === all[index]?.table).length
      expect((before[index] ?? 0) - rows).toBeLessThanOrEqual(step * shared)
    }
    before = after
    steps += 1
    expect(steps).toBeLessThan(20)
  }
  expect(steps).toBeGreaterThan(1)
  expect(await count()).toEqual(all.map(staying))
  expect(await forget[name](step)).toBe(0)
  if (name === 'events') expect((await pool.query('select 1 from event_recipients')).rowCount).toBe(all.map(staying)[0])
})

test('what changes while its deletion waits for it is asked again, and stays', async () => {
  const { pool } = database
  await pool.query(
    "insert into account_proofs (wallet, proof, begun_at) values ('0xlate', 'key', now() - interval '2 hours')",
  )
  const client = await pool.connect()
  await client.query('begin')
  await client.query("update account_proofs set has_acted = true where wallet = '0xlate'")
  const forgotten = forget.accounts(step)
  const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from account%'"
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
  await client.query('commit')
  client.release()
  expect(await forgotten).toBe(0)
  expect((await pool.query("select 1 from account_proofs where wallet = '0xlate'")).rowCount).toBe(1)
})
