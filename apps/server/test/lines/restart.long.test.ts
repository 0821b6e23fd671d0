import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres, type Postgres } from '@ergon/dev-env'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../adapters/rig.ts'
import type { Reply } from '../dispatch/send.ts'
import { aTask, type Party } from '../http/live-market.ts'
import { startServer } from './server-process.ts'

/** The process outlives whatever becomes of its database, and says about every request what is so. */

const patienceMs = 180_000

/** Publishes and reads for as long as it is not told to stop; answers every reply. */
function underLoad(publisher: Party): { stop(): Promise<readonly Reply[]> } {
  let isOver = false
  const replies: Reply[] = []
  const go = async (lane: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const key = { 'x-idempotency-key': `load-${String(lane)}-${String(count)}` }
      replies.push(
        await publisher.call(
          'POST',
          '/api/v1/tasks',
          aTask({ title: `Photograph ${String(lane)} ${String(count)}` }),
          key,
        ),
        await publisher.call('GET', '/api/v1/users/blocked'),
      )
    }
  }
  const lanes = [0, 1, 2, 3].map(go)
  return {
    async stop() {
      isOver = true
      await Promise.all(lanes)
      return replies
    },
  }
}

function expectHonest(replies: readonly Reply[]): void {
  const codes = new Map<string, number>()
  for (const { status, body } of replies) {
    const code = status < 300 ? 'done' : `${String(status)} ${String(body.code)}`
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  expect(
    [...codes.keys()].filter(
      (code) => !['done', '503 SERVICE_BUSY', '503 OUTCOME_UNKNOWN', '503 nonce_store_unavailable'].includes(code),
    ),
    JSON.stringify([...codes]),
  ).toEqual([])
  expect(codes.get('done') ?? 0).toBeGreaterThan(0)
}

async function ownPostgres(folder: string, port?: number): Promise<Postgres> {
  return startPostgres({ dataDir: folder, durable: false, ...(port === undefined ? {} : { port }) })
}

test(
  'every backend is terminated, twice in a moment, again and again under load',
  { timeout: patienceMs },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ergon-restart-'))
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true })
    })
    const postgres = await ownPostgres(folder)
    onTestFinished(() => postgres.stop())
    await postgres.createDatabase('market')
    const server = await startServer(postgres.tcpUrl('market'))
    const aside = new pg.Client({ connectionString: postgres.tcpUrl('postgres') })
    await aside.connect()
    const load = underLoad(await server.party(0n))
    for (let round = 0; round < 10; round += 1) {
      for (const waitMs of [0, 5, 300]) {
        await aside.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'market'")
        await pause(waitMs)
      }
    }
    await pause(1_000)
    expectHonest(await load.stop())
    await aside.end()
    expect([server.child.exitCode, server.child.signalCode], server.said()).toEqual([null, null])
    expect((await server.get('/api/v1/tasks')).status).toBe(200)
  },
)

test('PostgreSQL is restarted, gently and by a crash, under load', { timeout: patienceMs }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ergon-restart-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  let postgres = await ownPostgres(folder)
  onTestFinished(() => postgres.stop())
  await postgres.createDatabase('market')
  const { port } = postgres
  const server = await startServer(postgres.tcpUrl('market'))
  const publisher = await server.party(0n)
  for (const end of ['stop', 'kill', 'stop'] as const) {
    const load = underLoad(publisher)
    await pause(500)
    await postgres[end]()
    await pause(1_500)
    postgres = await ownPostgres(folder, port)
    expect(postgres.port).toBe(port)
    const startedAt = performance.now()
    expect(
      (
        await eventually(
          () => publisher.call('GET', '/api/v1/users/blocked'),
          ({ status }) => status === 200,
          20_000,
        )
      ).status,
    ).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await pause(500)
    expectHonest(await load.stop())
    expect([end, server.child.exitCode, server.child.signalCode], server.said()).toEqual([end, null, null])
  }
})
