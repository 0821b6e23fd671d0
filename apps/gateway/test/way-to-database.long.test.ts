import { freePort, queryDatabase, startPostgres } from '@ergon/dev-env'
import { figureIn, startCluster } from '@ergon/dev-env/testing'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGateway, decideConfig, readSecrets } from '../src/index.ts'
import { price, seller, startChain, startSession, startStage, startUpstream } from './harness.ts'

/** Decision 0291: what a start waits for, and what it refuses at once with a sentence. */

function begin(databaseUrl: string, changed: Readonly<Record<string, string>> = {}) {
  const env = {
    DATABASE_URL: databaseUrl,
    GATEWAY_ENDPOINTS: `/weather http://127.0.0.1:1/v1 ${price} ${seller.address}`,
    GATEWAY_RPC: 'http://127.0.0.1:1',
    GATEWAY_PORT: '0',
    GATEWAY_LOG_LEVEL: 'silent',
    ...changed,
  }
  const config = decideConfig(env)
  return createGateway(config, readSecrets(env, config))
}

test('a gateway waits for its database, so long and no longer', async () => {
  await using chain = await startChain()
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-late-'))
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true, force: true })
  })
  const early = await startPostgres({ dataDir, durable: false })
  await early.createDatabase('channels')
  const { port } = early
  const url = early.tcpUrl('channels')
  await early.stop()
  await expect(begin(url, { GATEWAY_DATABASE_WAIT_MS: '300' })).rejects.toThrow(
    /^the database of DATABASE_URL did not answer within 0.3 s: .*ECONNREFUSED/,
  )
  const starting = begin(url, { GATEWAY_RPC: chain.rpcUrl })
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const late = await startPostgres({ dataDir, durable: false, port })
  onTestFinished(() => late.stop())
  await using gateway = await starting
  expect((await fetch(`${await gateway.listen()}/__402/ready`)).status).toBe(200)
})

test('a gateway that is not let in says so at once', async () => {
  await using cluster = await startCluster({
    access: ['host all guarded 127.0.0.1/32 scram-sha-256', 'host all ergon 127.0.0.1/32 trust'],
  })
  await queryDatabase(cluster.url('postgres'), "create role guarded login password 'right'")
  const as = (who: string, database = 'postgres') => cluster.url(database).replace('//ergon@', `//${who}@`)
  for (const [url, reason] of [
    [as('ergon', 'nowhere'), 'database "nowhere" does not exist'],
    [as('stranger'), 'no pg_hba.conf entry for host'],
    [as('guarded:wrong'), 'password authentication failed for user "guarded"'],
    [as('guarded'), 'it asks for a password, and the URL has none'],
    [`${as('ergon')}?sslmode=verify-full`, 'The server does not support SSL connections'],
  ] as const) {
    const began = performance.now()
    const refusal = await begin(url).catch((error: unknown) => error)
    expect(String(refusal)).toMatch(new RegExp(`^StartupError: the database of DATABASE_URL lets nobody in: ${reason}`))
    expect(performance.now() - began).toBeLessThan(10_000)
  }
})

test('a gateway over a database that was made anew is not ready and sells nothing', async () => {
  await using chain = await startChain()
  await using upstream = await startUpstream()
  await using cluster = await startCluster()
  cluster.create('channels')
  const port = String(await freePort())
  const env = { DATABASE_URL: cluster.url('channels'), GATEWAY_METRICS_PORT: port }
  await using stage = await startStage(chain, upstream.url, env)
  const { url } = stage
  const session = await startSession(chain, stage, 'operator')
  expect((await session.pay('/weather')).status).toBe(200)
  const isReady = async (): Promise<number> => (await fetch(`${url}/__402/ready`)).status
  const canCount = async (): Promise<number> =>
    figureIn(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), 'ergon_source_up{source="channels"}')
  expect([await isReady(), await canCount()]).toEqual([200, 1])
  await queryDatabase(cluster.url('postgres'), 'drop database channels with (force)')
  cluster.create('channels')
  await expect.poll(canCount, { timeout: 10_000 }).toBe(0)
  for (let round = 0; round < 3; round += 1) expect(await isReady()).toBe(503)
  expect((await session.pay('/weather')).status).toBeGreaterThanOrEqual(400)
  expect(upstream.asked.length).toBe(1)
  expect(await queryDatabase(cluster.url('channels'), "select from pg_tables where schemaname = 'public'")).toEqual([])
})
