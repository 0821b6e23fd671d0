import { randomUUID } from 'node:crypto'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGasBook } from '../src/gas/gas-book.ts'
import { migrate } from '../src/store/migrations.ts'
import { createIntentStore } from '../src/store/postgres-intents.ts'
import { createSolanaIntents } from '../src/store/postgres-solana.ts'
import { createStandingBook } from '../src/store/postgres-standing.ts'
import { forgetInSteps } from '../src/surroundings/forget-in-steps.ts'

let pool: Pool
const owned = new AsyncDisposableStack()
beforeAll(async () => {
  const database = owned.use(await createTestDatabase())
  pool = new Pool({ connectionString: database.url, max: 4 })
  owned.defer(() => pool.end())
  await migrate(pool)
})
afterAll(() => owned.disposeAsync())

const step = 100
const each = (past: string, young: string): string =>
  `from (select n, ${past} as at from generate_series(1, 250) n
    union all select n, ${young} from generate_series(251, 253) n) k`
const ago = (days: number): string => `now() - interval '${days} days'`
const secondsOf = (at: string): string => `extract(epoch from ${at})::bigint`

const kept: readonly {
  readonly what: string
  readonly table: string
  readonly purge: () => Promise<number>
  readonly write: readonly string[]
}[] = [
  {
    what: 'counts of gas of days that are over',
    table: 'gas_spent',
    purge: () => createGasBook(pool).purge(step),
    write: [
      `insert into gas_spent (day, key, gas) select at, n, 1
        ${each("(now() at time zone 'utc')::date - 1", "(now() at time zone 'utc')::date")}`,
    ],
  },
  {
    what: 'refusals',
    table: 'request_keys',
    purge: () => createIntentStore(pool).purge(step),
    write: [
      `insert into request_keys (key, request_hash, refusal, keep_until) select n, '', '{}', at
        ${each(ago(0), ago(-1))}`,
    ],
  },
  {
    what: 'transactions on Solana that ended a month ago',
    table: 'solana_intents',
    purge: () => createSolanaIntents(pool, 'payer').purge(step),
    write: [
      `insert into solana_intents (id, network, signature, payer, request_hash, wire, blockhash, last_valid_height,
          status, settled_at)
        select gen_random_uuid(), 'solana-localnet', n, '', '', '', '', 1, 'succeeded', at ${each(ago(31), ago(29))}`,
    ],
  },
  {
    what: 'uses of a standing order that is over',
    table: 'standing_uses',
    purge: () => createStandingBook(pool).purge(step),
    write: [
      `insert into standing_orders (order_hash, network, payer, uses, spent, not_after) values
        ('over', '', '', 250, 0, ${secondsOf(ago(31))}), ('kept', '', '', 3, 0, ${secondsOf(ago(29))})`,
      `insert into standing_uses (order_hash, payment, amount, once_key, is_kept)
        select at, n, 1, '${randomUUID()}', true ${each("'over'", "'kept'")}`,
    ],
  },
]

test.each(kept)('$what go step by step, and nothing else goes', async ({ table, purge, write }) => {
  for (const text of write) await pool.query(text)
  const count = async (): Promise<number> => (await pool.query(`select 1 from ${table}`)).rowCount ?? 0
  const left = [await count()]
  while ((await purge()) >= step) left.push(await count())
  expect([...left, await count()]).toEqual([253, 153, 53, 3])
  expect(await purge()).toBe(0)
})

test('a standing order goes after the last of its uses', async () => {
  const { rows } = await pool.query<{ order_hash: string }>('select order_hash from standing_orders')
  expect(rows).toEqual([{ order_hash: 'kept' }])
})

test('after a full step the next one follows soon, after another in a minute, and none once it was stopped', async () => {
  const waits: number[] = []
  const pending: (() => void)[] = []
  const surroundings = {
    now: () => 0,
    monotonic: () => 0,
    turn: () => Promise.resolve(),
    id: () => '',
    after(ms: number, run: () => void) {
      waits.push(ms)
      pending.push(run)
      return () => undefined
    },
  }
  const left = [1_000, 1_000, 400, 1_000, 1_000]
  let steps = 0
  const stop = forgetInSteps(surroundings, (limit) => {
    expect(limit).toBe(1_000)
    steps += 1
    return Promise.resolve(left.shift() ?? 0)
  })
  const passes = async (): Promise<void> => {
    pending.shift()?.()
    const before = waits.length
    await expect.poll(() => waits.length, { interval: 1 }).toBeGreaterThan(before)
  }
  for (let turn = 0; turn < 4; turn += 1) await passes()
  expect([waits, steps]).toEqual([[60_000, 20, 20, 60_000, 20], 4])
  stop()
  pending.shift()?.()
  await new Promise(setImmediate)
  expect(steps).toBe(4)
})
