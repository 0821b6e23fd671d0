import { queryDatabase } from '@ergon/dev-env'
import { startCluster, startPooler } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { startRig } from '../adapters/rig.ts'
import {
  aTask,
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
} from '../http/live-market.ts'

/** Decision 0291: whatever a database does by itself, a job goes through, and a crash forgets none of it. */

const patienceMs = 180_000

/** What a role may be told by whoever knows better for another service. */
const habits = {
  synchronous_commit: 'off',
  client_encoding: 'LATIN1',
  timezone: 'Asia/Kolkata',
  datestyle: 'SQL, DMY',
  intervalstyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  default_transaction_isolation: 'serializable',
  statement_timeout: '20',
  lock_timeout: '1',
  idle_in_transaction_session_timeout: '20',
  // Long enough for a busy machine to say what it sets.
  idle_session_timeout: '3000',
  plan_cache_mode: 'force_custom_plan',
  jit_above_cost: '0',
  row_security: 'off',
}

test(
  'a job goes through databases with habits of their own, and a crash forgets nothing of it',
  { timeout: patienceMs },
  async () => {
    // What nobody waits for is written by nobody within this time.
    await using cluster = await startCluster({ settings: { wal_writer_delay: '10000' } })
    const ask = (statement: string, database = 'postgres') => queryDatabase(cluster.url(database), statement)
    await ask('create role keeper login')
    for (const [name, value] of Object.entries(habits)) await ask(`alter role keeper set ${name} = '${value}'`)
    const turkish = "encoding UTF8 locale 'C.UTF-8' locale_provider icu icu_locale 'tr-TR' template template0"
    for (const name of ['market', 'payments']) await ask(`create database ${name} owner keeper ${turkish}`)
    expect(await ask("select lower('I') as letter", 'market')).toEqual([{ letter: 'ı' }])
    const direct = new URL(cluster.url('payments').replace('//ergon@', '//keeper@'))
    direct.searchParams.set('options', '-c synchronous_commit=off -c statement_timeout=20')
    await using pooler = await startPooler(cluster.url('postgres').replace('//ergon@', '//keeper@'), 'session')
    const rig = await startRig({ DATABASE_URL: direct.href })
    onTestFinished(() => rig[Symbol.asyncDispose]())
    await using market = await startLiveMarket({ DATABASE_URL: pooler.url('market'), SVC_LOG_LEVEL: 'fatal' }, rig)

    const [publisher, worker] = [await market.party(20n), await market.party(0n)]
    const title = 'INVOICE of the Größe Ω \\ 😀'
    const job = await applied(publisher, worker, { title })
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    const submissionId = await submit(worker, job.taskId)
    const fields = await approveFields(publisher, submissionId)
    expectStatus(await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields), 200)
    const known = async (): Promise<readonly object[]> => [
      ...(await ask('select account, epoch, place from account_leases', 'payments')),
      ...(await ask("select id, kind, status from intents where status = 'succeeded'", 'payments')),
      ...(await ask('select id, status, title from tasks', 'market')),
      ...(await ask('select seq, type from outbox', 'market')),
    ]
    const before = await known()
    await cluster.crash()
    expect(await known()).toEqual(expect.arrayContaining([...before]))
    for (const one of [
      { kind: 'authorize' },
      { kind: 'release' },
      { title, status: 'completed' },
      { type: 'task.completed' },
    ])
      expect(before).toContainEqual(expect.objectContaining(one))

    const told = await eventually(
      () => publisher.call('GET', `/api/v1/tasks/${job.taskId}`),
      ({ status }) => status === 200,
    )
    expect(told.body).toMatchObject({ title, status: 'completed' })
    expect(Math.abs(Date.now() - Date.parse(String(told.body['created_at'])))).toBeLessThan(patienceMs)
    const later = aTask({ title: 'INVOICES OF THE HALL' })
    expectStatus(await publisher.call('POST', '/api/v1/tasks', later), 201)
    const found = expectStatus(await market.get('/api/v1/tasks/available?q=invoices'), 200)
    expect(found.body['tasks']).toMatchObject([{ title: later['title'] }])
  },
)
