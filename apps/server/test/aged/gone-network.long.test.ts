import { startPostgres } from '@ergon/dev-env'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createAudits } from '../../src/adapters/postgres/audits.ts'
import { migrate } from '../../src/adapters/postgres/migrate.ts'
import { createPool } from '../../src/adapters/postgres/pool.ts'
import { readQueues } from '../../src/adapters/postgres/queues.ts'
import { growHistory } from '../../src/testing/aged/grow-history.ts'
import { sendPlans, watchPlans, type Reading } from './watch-plans.ts'

const jobs = 10_000
/** What one scan of a round may look at: a batch, and what lies on its way. */
const mostRows = 200

/** A network that was drained and taken out leaves a year of what is to be looked at again, all of it due for ever. */
const takenOut = `
  update settlements set proof_due_at = '-infinity', order_json = case
    when order_json ? 'payment' then jsonb_set(order_json, '{payment,network}', '"gone"')
    else jsonb_set(order_json, '{transfer,network}', '"gone"') end;
  update escrows set audit_due_at = '-infinity', payment = jsonb_set(payment::jsonb, '{network}', '"gone"');
  update ratings set audit_due_at = '-infinity', terms = jsonb_set(terms::jsonb, '{network}', '"gone"');`

test('the history of a network that was taken out is in the way of no audit, and waits for nothing', async () => {
  await using postgres = await startPostgres({ durable: false })
  await postgres.createDatabase('gone')
  const url = postgres.url('gone')
  const first = createPool(url)
  await migrate(first)
  await first.end()
  await growHistory(url, jobs)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(takenOut)
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from settlements where status = 'confirmed' and proof_due_at <= now()",
  )
  expect(rows[0]?.count).toBeGreaterThan(jobs / 2)
  await client.end()

  await sendPlans(url)
  const readings: Reading[] = []
  using _ = watchPlans((reading) => readings.push(reading))
  const pool = createPool(url)
  const audits = createAudits(pool)
  const [now, until] = [new Date(), new Date(Date.now() + 60_000)]
  expect(await audits.leaseProofs('localnet', now, until, now, 100)).toEqual([])
  expect(await audits.leaseEscrowAudits('localnet', now, until, 100)).toEqual([])
  expect(await audits.leaseRatingAudits('localnet', now, until, 20)).toEqual([])
  const proofs = async (served: string) =>
    (await readQueues(pool, [served])).filter(({ name, network }) => name === 'proofs' && network === served)
  expect(await proofs('localnet')).toMatchObject([{ waiting: 0, lateSeconds: null }])
  expect(await proofs('gone')).toMatchObject([{ waiting: 1_000 }])
  await pool.end()
  const audited = readings.filter(({ text }) => text.startsWith('update'))
  expect(audited.map(({ rows }) => rows)).toHaveLength(3)
  expect(Math.max(...audited.map((reading) => reading.rows))).toBeLessThan(mostRows)
})
