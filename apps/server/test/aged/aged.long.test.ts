import { operations, type OperationName } from '@ergon/contract'
import { startPostgres } from '@ergon/dev-env'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/adapters/postgres/migrate.ts'
import { createPool } from '../../src/adapters/postgres/pool.ts'
import { readQueues } from '../../src/adapters/postgres/queues.ts'
import { openScene, type Scene } from '../tour/scene.ts'
import { steps } from '../tour/steps.ts'
import { growHistory } from '../../src/testing/aged/grow-history.ts'
import { sendPlans, watchPlans, type Reading } from './watch-plans.ts'

const jobs = 100_000
/** What a page of a list, a batch of a duty or the books of one task may touch: pages of 8 KiB, rows of one scan. */
const most = { pages: 4_000, rows: 5_500 }

/** What grows all the same, and why it may. */
const exceptions: readonly {
  readonly begins: RegExp
  readonly because: string
  /** Only its pages may be more, and these at the most. */
  readonly pages?: number
}[] = [
  { begins: /^select count\(\*\)\s+from tasks t/, because: 'the total of a list: an index alone answers it' },
  { begins: /^select status, count\(\*\)/, because: "the operator's overview" },
  { begins: /^select\s+\(select count\(\*\) from submissions/, because: "the operator's overview" },
  { begins: /^select w\.\*, i\.agent_id, coalesce/, because: "the operator's list of people: it grows with them" },
  {
    begins: /^select w\.\*, i\.agent_id\s+from \(/,
    because: 'the ranking by a filter that few pass: it grows with people',
  },
  { begins: /^select\s+\(select count\(\*\) from tasks/, because: 'the counts of the market' },
  { begins: /^select avg\(/, because: 'all ratings of one identity' },
  {
    begins: /^delete from (nonces|operations|webhook_deliveries)/,
    because: 'a batch by age; pages that are empty already are passed over until they are cleaned up',
    pages: 40_000,
  },
  {
    begins: /^(select max\(seq\) as upto|with added as \(\s+insert into ledger_checks)/,
    because: 'a slice of the ledger, added up once',
  },
]

function isModest({ text, pages, rows }: Reading): boolean {
  const exception = exceptions.find(({ begins }) => begins.test(text))
  if (exception !== undefined && exception.pages === undefined) return true
  return pages <= (exception?.pages ?? most.pages) && rows <= most.rows
}

const readings = new Map<string, Reading>()
const owned = new AsyncDisposableStack()
let scene: Scene
let url: string

beforeAll(async () => {
  // A server of its own: the history is one transaction of a minute, and readers elsewhere wait for the oldest.
  const postgres = owned.use(await startPostgres({ durable: false }))
  await postgres.createDatabase('aged')
  url = postgres.url('aged')
  const pool = createPool(url)
  await migrate(pool)
  await pool.end()
  await growHistory(url, jobs)
  await sendPlans(url)
  owned.use(
    watchPlans((reading) => {
      const before = readings.get(reading.text)
      if (before === undefined || before.pages < reading.pages) readings.set(reading.text, reading)
    }),
  )
  scene = owned.use(await openScene(url))
}, 900_000)
afterAll(() => owned.disposeAsync())

const names = Object.keys(operations) as OperationName[] // the keys of a literal

test.each(names)('with a hundred thousand jobs behind it, %s works', async (name) => {
  scene.journal.begin()
  await steps[name](scene)
})

test('no statement of any operation or duty reads what grows with history', async () => {
  // Each duty has had its turn by then: the slowest of them have one a minute, and one at the start.
  await scene.market.app.market.duties.auditMoney()
  // What the page of figures asks beside what health asks.
  const pool = createPool(url)
  expect((await readQueues(pool, ['localnet'])).length).toBe(8)
  await pool.end()
  await pause(5_000)
  expect([...readings.keys()].join('\n')).toContain('from push_subscriptions where due_at <= now()')
  expect(readings.size).toBeGreaterThan(200)
  const greedy = [...readings.values()].filter((reading) => !isModest(reading))
  expect(
    greedy
      .sort((one, other) => other.pages - one.pages)
      .map(({ text, pages, rows, table }) => `${String(pages)} pages, ${String(rows)} rows of ${table}: ${text}`),
  ).toEqual([])
})
