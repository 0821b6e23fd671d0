import { rm, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Overrides } from '../../src/index.ts'
import { eventually } from '../adapters/rig.ts'
import { send } from '../dispatch/send.ts'
import {
  applied,
  approveFields,
  assign,
  expectStatus,
  expectUndecided,
  paymentAuth,
  submit,
} from '../http/live-market.ts'
import { startLineToDatabase, type LineToDatabase } from '../lines/line-to-database.ts'
import { startServer } from '../lines/server-process.ts'

/** Each row of the alarm table in the guide for operators is provoked; `table.test.ts` compares the names. */

async function place(env: Readonly<Record<string, string>> = {}, overrides: Overrides = {}): Promise<LineToDatabase> {
  const made = await startLineToDatabase(env, overrides)
  onTestFinished(() => made[Symbol.asyncDispose]())
  return made
}

/** Asks until the reason is given with this answer: a busy machine may give another one for a moment. */
async function untilTold(url: string, reason: string, [status, word]: Told): Promise<void> {
  await expect
    .poll(() => send(url, 'GET', '/readyz'), { timeout: 60_000 })
    // The probe's own shape.
    .toMatchObject({ status, body: { status: word, reasons: expect.arrayContaining([reason]) as unknown } })
}

type Told = readonly [status: number, word: string]
const out: Told = [503, 'not_ready']
const less: Told = [200, 'degraded']

test('alarm no_answer: a process that hangs', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const server = await startServer(database.url)
  const alive = (): Promise<number> =>
    fetch(new URL('/livez', server.url), { signal: AbortSignal.timeout(1_000) }).then(
      ({ status }) => status,
      () => 0,
    )
  expect(await alive()).toBe(200)
  server.child.kill('SIGSTOP')
  expect(await alive()).toBe(0)
  server.child.kill('SIGCONT')
  expect(await alive()).toBe(200)
})

test('alarm database_read_only: a database that was failed over to a standby', async () => {
  const { live, sql } = await place()
  await sql(`do $$ begin
    execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`)
  await sql(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await untilTold(live.url, 'database_read_only', out)
})

test('alarm database_went_back: a standby that may lack the last transactions', async () => {
  const { live, sql } = await place()
  await sql("update event_epoch set cluster = '1/00000001'")
  await sql(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await untilTold(live.url, 'database_went_back', less)
  await sql('update event_epoch set checked_at = now()')
  const { body } = await eventually(
    () => send(live.url, 'GET', '/readyz'),
    (reply) => reply.body['status'] === 'ready',
  )
  expect(body).toEqual({ status: 'ready', reasons: [] })
})

test('alarm database_unwritable: a database that answers reads and refuses writes', async () => {
  const { live, sql } = await place()
  await sql("create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$")
  await sql('create trigger refuse before insert or update on servers execute function refuse()')
  await untilTold(live.url, 'database_unwritable', out)
  await sql('drop trigger refuse on servers')
  await eventually(
    () => send(live.url, 'GET', '/readyz'),
    ({ status }) => status === 200,
  )
  expect((await send(live.url, 'GET', '/readyz')).body).toEqual({ status: 'ready', reasons: [] })
})

test('alarm clock_off: a machine three seconds slow, which health says as well', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const server = await startServer(database.url, { clockAheadMs: -3_000 })
  await untilTold(server.url, 'clock_off', less)
  const ahead = Number((await server.get('/api/v1/health')).body['clock_ahead_ms'])
  expect([ahead > -3_500, ahead < -2_500], String(ahead)).toEqual([true, true])
})

test('alarm events_late: a stream that cannot be read', async () => {
  const { live, sql } = await place()
  await sql('alter table outbox rename to outbox_away')
  await untilTold(live.url, 'events_late', less)
})

test('alarm storage_unwritable: a data folder that takes no files', async () => {
  const { live, rig } = await place()
  await rm(rig.settings.dataDir, { recursive: true })
  await writeFile(rig.settings.dataDir, 'no folder any more')
  await untilTold(live.url, 'storage_unwritable', less)
})

test('alarm facilitator_unreachable: a facilitator that is gone', async () => {
  const { live, rig } = await place()
  await rig.facilitatorLine.close()
  await untilTold(live.url, 'facilitator_unreachable', less)
  expect((await live.get('/api/v1/health')).body).toMatchObject({ status: 'degraded', facilitator: false })
})

test('alarm chain_unreachable: a node that is gone', async () => {
  const { live, rig } = await place()
  await rig.chainLine.close()
  await untilTold(live.url, 'chain_unreachable:localnet', less)
  expect((await live.get('/api/v1/health')).body).toMatchObject({ status: 'degraded', networks: { localnet: false } })
})

test('alarm in_doubt: an order whose answer was lost', async () => {
  // The reconciler would find on the chain what was carried out, and there would be no doubt any more.
  const { live, rig } = await place({ SVC_SETTLE_WAIT_MS: '1000' }, { withoutDuties: true })
  const [publisher, worker] = [await live.party(50n), await live.party(0n)]
  const job = await applied(publisher, worker)
  const auth = await paymentAuth(publisher, job)
  rig.facilitatorLine.mute()
  expectUndecided(await assign(publisher, job, auth))
  const health = await eventually(
    () => live.get('/api/v1/health/payments'),
    ({ body }) => Number(body['in_doubt']) > 0,
  )
  expect(health.body).toMatchObject({
    status: 'degraded',
    in_doubt: 1,
    by_network: [{ network: 'localnet', in_doubt: 1, findings: 0 }],
  })
  await rig.facilitatorLine.open()
})

test('alarm ledger_balanced: totals that do not add up to zero', async () => {
  const { live, sql } = await place()
  const payments = (): Promise<unknown> =>
    live.get('/api/v1/health/payments').then(({ body }) => body['ledger_balanced'])
  expect(await payments()).toBe(true)
  await sql("insert into ledger_totals (network, token, part, balance) values ('localnet', 'USDC', 99, 1)")
  expect(await payments()).toBe(false)
})

test('alarm findings: a payment of which the ledger and the chain say different things', async () => {
  const { live, sql } = await place({}, { withoutDuties: true })
  const [publisher, worker] = [await live.party(50n), await live.party(0n)]
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(worker, job.taskId)
  const fields = { ...(await approveFields(publisher, submissionId)), rating: 90 }
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${job.taskId}/approve`, fields), 200)
  await sql("update settlements set tx_hash = null where task_id = $1 and purpose = 'release'", [job.taskId])
  await eventually(
    async () => {
      await live.app.market.duties.auditMoney()
      return live.get('/api/v1/health/payments')
    },
    ({ body }) => Object.values(body['findings'] as object).some((count) => Number(count) > 0),
  )
  expect((await live.get('/api/v1/health/payments')).body).toMatchObject({
    status: 'degraded',
    findings: { unnamed: 1 },
    by_network: [{ network: 'localnet', in_doubt: 0, findings: 1 }],
  })
})
