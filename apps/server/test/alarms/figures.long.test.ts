import { freePort } from '@ergon/dev-env'
import { figureIn } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import type { Overrides } from '../../src/index.ts'
import { eventually, rpc } from '../adapters/rig.ts'
import { applied, assign, expectStatus, paymentAuth } from '../http/live-market.ts'
import { startLineToDatabase, type LineToDatabase } from '../lines/line-to-database.ts'

/** Rows of the alarm table that only the figures show; `packages/dev-env/src/deploy` tries the alerts over them. */

type Place = LineToDatabase & { figure(name: string): Promise<number> }

async function place(env: Readonly<Record<string, string>> = {}, overrides: Overrides = {}): Promise<Place> {
  const port = await freePort()
  const made = await startLineToDatabase({ SVC_METRICS_PORT: String(port), ...env }, overrides)
  onTestFinished(() => made[Symbol.asyncDispose]())
  const page = async (): Promise<string> => (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text()
  return { ...made, figure: async (name) => figureIn(await page(), name) }
}

test('alarm figures_missing: a table that cannot be read hides its own figures alone', async () => {
  const { figure, sql } = await place({}, { withoutDuties: true })
  expect(await figure('ergon_source_up{source="queues"}')).toBe(1)
  await sql('alter table task_timers rename to task_timers_away')
  await eventually(
    () => figure('ergon_source_up{source="queues"}'),
    (isUp) => isUp === 0,
  )
  expect(await figure('ergon_queue_waiting{queue="timers",network="localnet"}')).toBeNaN()
  expect([await figure('ergon_source_up{source="payments"}'), await figure('ergon_database_up')]).toEqual([1, 1])
})

test('alarm audit_late: books and chains that nobody compares', async () => {
  const { figure, live, sql } = await place({}, { withoutDuties: true })
  await live.app.market.duties.auditMoney()
  await eventually(
    () => figure('ergon_money_audit_age_seconds'),
    (age) => age < 30,
  )
  await sql("update money_audit set last_run = now() - interval '11 minutes'")
  await eventually(
    () => figure('ergon_money_audit_age_seconds'),
    (age) => age > 600,
  )
})

test('alarm queue_late: a timer that nobody takes, by its network', async () => {
  const { figure, live, sql } = await place({}, { withoutDuties: true })
  const [publisher, worker] = [await live.party(50n), await live.party(0n)]
  const { taskId } = await applied(publisher, worker)
  expect(await figure('ergon_queue_late_seconds{queue="timers",network="localnet"}')).toBe(0)
  await sql("insert into task_timers (task_id, kind, due_at) values ($1, 'outcome', now() - interval '16 minutes')", [
    taskId,
  ])
  await eventually(
    () => figure('ergon_queue_late_seconds{queue="timers",network="localnet"}'),
    (late) => late > 900,
  )
  expect(await figure('ergon_queue_waiting{queue="timers",network="localnet"}')).toBe(1)
  // Of a network that was left behind as well: its deadlines pass.
  await sql("update tasks set network = 'gone' where id = $1", [taskId])
  await eventually(
    () => figure('ergon_queue_waiting{queue="timers",network="unserved"}'),
    (waiting) => waiting === 1,
  )
  expect(await figure('ergon_queue_late_seconds{queue="timers",network="localnet"}')).toBe(0)
})

test('alarm chain_stopped: a chain that makes no block', async () => {
  const { figure, live } = await place()
  const age = (): Promise<number> => figure('ergon_chain_head_age_seconds{network="localnet"}')
  const mine = (): Promise<unknown> => rpc(live.rig.chain.rpcUrl, 'evm_mine', [])
  await mine()
  await eventually(age, (seconds) => seconds < 8, 40_000)
  await eventually(age, (seconds) => seconds > 12, 40_000)
  await mine()
  await eventually(age, (seconds) => seconds < 8, 40_000)
})

test('alarm network_closed: a network where nothing new begins', async () => {
  const { figure } = await place({ SVC_CLOSED_NETWORKS: 'localnet' })
  expect(await figure('ergon_network_closed{network="localnet"}')).toBe(1)
  const other = await place()
  expect(await other.figure('ergon_network_closed{network="localnet"}')).toBe(0)
})

test('alarm budget_spent: as many payments as a day has', async () => {
  const { figure, live } = await place({ SVC_PAYMENTS_PER_DAY: '1' })
  expect(await figure('ergon_budget_limit{budget="payments"}')).toBe(1)
  const shared = 'budget="registrations_of_newcomers"'
  expect(await figure(`ergon_budget_limit{${shared}}`)).toBe(1_500)
  const [publisher, worker] = [await live.party(50n), await live.party(0n)]
  const job = await applied(publisher, worker)
  await eventually(
    () => figure(`ergon_budget_used{${shared}}`),
    (used) => used > 0,
  )
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  await eventually(
    () => figure('ergon_budget_used{budget="payments"}'),
    (used) => used === 1,
  )
})
