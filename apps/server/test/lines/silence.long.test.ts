import { createTestDatabase } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, startRig } from '../adapters/rig.ts'
import type { TcpProxy } from '../adapters/tcp-proxy.ts'
import { applied, assign, paymentAuth } from '../http/live-market.ts'
import { lineTo } from './line-to-database.ts'
import { beginServer, startServer, untilRuns } from './server-process.ts'

/** Lines go silent without a word; databases come late; what is told to stop has work under way. */

async function aDatabase(): Promise<{ readonly url: string; readonly direct: string; readonly line: TcpProxy }> {
  const database = await createTestDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const { line, url } = await lineTo(database.url)
  onTestFinished(() => line[Symbol.asyncDispose]())
  return { line, url, direct: database.url }
}

test('connections whose other end vanished are thrown away within seconds', async () => {
  const { url, line } = await aDatabase()
  const server = await startServer(url)
  // Every connection of the pool is open.
  await Promise.all(Array.from({ length: 40 }, () => server.get('/api/v1/tasks')))
  line.orphan()
  const orphanedAt = performance.now()
  let failedAt = orphanedAt
  const answers: number[] = []
  while (performance.now() - orphanedAt < 15_000) {
    const round = await Promise.all(Array.from({ length: 4 }, () => server.get('/api/v1/tasks')))
    if (round.some(({ status }) => status !== 200)) failedAt = performance.now()
    answers.push(...round.map(({ status }) => status))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(failedAt - orphanedAt).toBeLessThan(11_000)
  expect(answers.filter((status) => status === 503).length).toBeLessThan(12)
})

test('a server whose database is silent stops when it is told to', async () => {
  const { url, line } = await aDatabase()
  const server = await startServer(url)
  line.mute()
  const waiting = server.get('/api/v1/tasks').catch(() => null)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const toldAt = performance.now()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(performance.now() - toldAt).toBeLessThan(21_000)
  await waiting
})

test('what does not end within twenty seconds is left to the leases', async () => {
  const rig = await startRig()
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const { direct } = await aDatabase()
  const server = await startServer(direct, { rig, env: { SVC_SETTLE_WAIT_MS: '60000' } })
  const [publisher, worker] = [await server.party(50n), await server.party(0n)]
  const job = await applied(publisher, worker)
  const auth = await paymentAuth(publisher, job)
  rig.facilitatorLine.mute()
  const waiting = assign(publisher, job, auth).catch(() => null)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const toldAt = performance.now()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  const tookMs = performance.now() - toldAt
  expect([tookMs > 15_000, tookMs < 22_000], String(tookMs)).toEqual([true, true])
  expect(server.said()).toMatch(/did not end within 20 s and is left to the leases/)
  await waiting
})

test('a start waits for its database', async () => {
  const { url, line } = await aDatabase()
  await line.close()
  const starting = await beginServer(url, { env: { SVC_LOG_LEVEL: 'warn' } })
  await eventually(
    () => Promise.resolve(starting.said()),
    (text) => text.includes('the database does not answer yet; the start waits for it'),
    30_000,
  )
  await line.open()
  const server = await untilRuns(starting)
  expect(server.said()).toContain('the database does not answer yet; the start waits for it')
  expect((await server.get('/api/v1/tasks')).status).toBe(200)
})

test('a start waits no longer than it is told, and not at all for what waiting cannot change', async () => {
  const { url, direct, line } = await aDatabase()
  await line.close()
  const late = await beginServer(url, { env: { SVC_DATABASE_WAIT_MS: '1000' } })
  expect([await late.ended, late.said()]).toEqual([
    1,
    expect.stringMatching(/^server: the database of DATABASE_URL did not answer within 1 s: .*ECONNREFUSED/),
  ])
  const wrong = new URL(direct)
  wrong.pathname = '/nowhere'
  const lost = await beginServer(wrong.href)
  expect([await lost.ended, lost.said()]).toEqual([
    1,
    'server: the database of DATABASE_URL lets nobody in: database "nowhere" does not exist\n',
  ])
})

test('told to stop while it waits for its database, it stops', async () => {
  const { url, line } = await aDatabase()
  await line.close()
  const waiting = await beginServer(url, { env: { SVC_LOG_LEVEL: 'warn' } })
  await eventually(
    () => Promise.resolve(waiting.said()),
    (text) => text.includes('waits for it'),
  )
  waiting.child.kill('SIGTERM')
  expect(await waiting.ended).toBe(0)
})
