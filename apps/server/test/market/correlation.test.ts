import { expect, test } from 'vitest'
import { correlationsText } from '../../src/adapters/postgres/audits.ts'
import { openStage, publisher } from './stage.ts'

const manyWorkers = 20
const manyTasks = 10_000

test('a page of applicants with ten thousand completed tasks behind them costs one query, answered from an index', async () => {
  await using stage = await openStage()
  await stage.pool.query(
    "insert into workers (id, wallet, party, created_at) select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '0x' || lpad(n::text, 40, '0'), 'human', now() from generate_series(1, $1::int) n",
    [manyWorkers],
  )
  // Of the worker's tasks every second was for the publisher who asks, the others for a hundred more.
  await stage.pool.query(
    `insert into tasks (id, status, title, instructions, category, bounty_atomic, token, network, decimals, deadline,
          publisher_wallet, publisher_type, target, executor_id, evidence_required, evidence_optional, min_reputation,
          escrow_status, created_at, updated_at)
     select gen_random_uuid(), 'completed', 't', 'i', 'simple_action', 1, 'USDC', 'localnet', 6, now(),
       case when (n / $2) % 2 = 0 then $3 else '0x' || lpad((n % 100)::text, 40, 'e') end, 'agent', 'any',
       ('00000000-0000-7000-8000-' || lpad((1 + n % $2)::text, 12, '0'))::uuid, '{}', '{}', 0, 'released', now(), now()
       from generate_series(0, $1::int - 1) n`,
    [manyTasks, manyWorkers, publisher.wallet],
  )
  await stage.pool.query('vacuum analyze tasks')
  const ids = Array.from(
    { length: manyWorkers },
    (_, index) => `00000000-0000-7000-8000-${String(index + 1).padStart(12, '0')}`,
  )

  let queries = 0
  stage.pool.on('acquire', () => {
    queries += 1
  })
  const known = await stage.market.correlations(publisher, ids)
  expect(queries).toBe(1)
  expect(known.size).toBe(manyWorkers)
  expect(known.get(ids[0] ?? '')).toMatchObject({
    tasksTogether: 250,
    totalCompleted: 500,
    concentration: 0.5,
    flagged: false,
  })

  const { rows } = await stage.pool.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers off) ${correlationsText}`,
    [ids.slice(0, 1), publisher.wallet],
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('tasks_completed_by_executor')
  expect(plan).not.toContain('Seq Scan')
})
