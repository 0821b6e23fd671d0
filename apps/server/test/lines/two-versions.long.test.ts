import { createTestDatabase } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createPool, migrate, ownMigrations } from '../../src/adapters/postgres/index.ts'
import { startRig } from '../adapters/rig.ts'
import type { Reply } from '../dispatch/send.ts'
import {
  aTask,
  applied,
  approveFields,
  assign,
  expectStatus,
  paymentAuth,
  submit,
  type Party,
} from '../http/live-market.ts'
import { startServer, type Running } from './server-process.ts'

/** The version before goes on while the next one changes the tables under it. */

const patienceMs = 180_000

/** Publishes and reads until it is told to stop; answers every reply. */
function underLoad(server: Running, publishers: readonly Party[]): { stop(): Promise<readonly Reply[]> } {
  let isOver = false
  const replies: Reply[] = []
  const go = async (publisher: Party): Promise<void> => {
    while (!isOver) {
      const published = await publisher.call('POST', '/api/v1/tasks', aTask())
      const target = `/api/v1/tasks/${String(published.body['id'])}`
      replies.push(published, await publisher.call('GET', target), await server.get('/api/v1/tasks'))
      replies.push(await publisher.call('POST', `${target}/cancel`, {}))
    }
  }
  const lanes = publishers.map(go)
  return {
    async stop() {
      isOver = true
      await Promise.all(lanes)
      return replies
    },
  }
}

/** From publish to paid: every statement of a job. */
async function wholeJob(publisher: Party, worker: Party): Promise<void> {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(worker, job.taskId)
  const fields = { ...(await approveFields(publisher, submissionId)), rating: 90 }
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${job.taskId}/approve`, fields), 200)
}

test('both versions work on one database while it is migrated under load', { timeout: patienceMs }, async () => {
  const rig = await startRig()
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const database = await createTestDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const before = await startServer(database.url, { rig })
  const [publisher, worker] = [await before.party(50n), await before.party(0n)]
  const load = underLoad(before, [publisher, await before.party(0n), await before.party(0n), await before.party(0n)])
  await wholeJob(publisher, worker)

  const pool = createPool(database.url)
  onTestFinished(() => pool.end())
  const { rows } = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'",
  )
  // Three versions come, each with a column for every table.
  const steps = [...ownMigrations()]
  for (const version of ['9001', '9002', '9003']) {
    for (const { name } of rows)
      steps.push({ name: `${version}-${name}`, sql: `alter table ${name} add column later_${version} text` })
    await migrate(pool, { steps })
    await wholeJob(publisher, worker)
  }
  const after = await startServer(database.url, { rig, env: { SVC_LOG_LEVEL: 'warn' } })
  expect(after.said()).toMatch(/a newer version has been here; this one goes on beside it/)
  await wholeJob(publisher, worker)
  const replies = await load.stop()

  const codes = new Map<string, number>()
  for (const { status, body } of replies) {
    const code = status < 300 ? 'done' : `${String(status)} ${String(body.code)}`
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  expect([...codes.keys()], JSON.stringify([...codes])).toEqual(['done'])
  expect(codes.get('done') ?? 0).toBeGreaterThan(200)
  expect(before.said()).not.toMatch(/cached plan|"level":50/)
})
