import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, startConstellation, startNodeService } from '@ergon/dev-env'
import { generatePrivateKey, privateKeySigner, signRequest, type Signer } from '@ergon/protocols'
import pg from 'pg'
import { median } from '../measure/median.ts'
import { cpuMicroseconds } from '../measure/process-cpu.ts'
import type { Measured } from '../report.ts'
import { createScratch } from '../scratch.ts'

const endpoints = 10
const burst = 300
const rounds = 7
const chainId = 31_337

/** What delivering an event costs, from the stream to the log, beside posting the same bytes and nothing else. */
export async function measureWebhooks(): Promise<Measured> {
  await using parts = new AsyncDisposableStack()
  const dataDir = parts.use(createScratch()).path
  const env = { server: { SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true', SVC_RATE_WALLET_PER_MIN: '0' } }
  const constellation = parts.use(await startConstellation({ dataDir, ports: { server: 0, facilitator: 0, chain: 0, postgres: 0 }, env }))
  const { serverUrl = '', databases } = constellation.record()
  const database = new pg.Pool({ connectionString: databases.server, max: 2 })
  parts.defer(() => database.end())
  const start = async (name: string) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const { pid } = parts.use(await startNodeService({ name, main: fileURLToPath(new URL(`./${name}-main.ts`, import.meta.url)), logFile: join(dataDir, `${name}.log`), healthUrl: url, env: { BARE_PORT: String(port) } }))
    return { pid, url }
  }
  const [receiver, bare] = [await start('receiver'), await start('bare-poster')]
  const wallet = await registerEndpoints(serverUrl, receiver.url)
  const counter = createCounter(receiver.url)
  const market = { pid: constellation.service('server').pid, send: () => insertEvents(database, wallet) }
  const bareOf = (isSigned: boolean) => (body: string) => fetch(bare.url, { method: 'POST', body: JSON.stringify({ url: receiver.url, count: burst * endpoints, concurrency: 8 * endpoints, body, isSigned }) })
  const costs: { readonly market: number[]; readonly bare: number[]; readonly signed: number[]; readonly marketMs: number[]; readonly bareMs: number[] } = { market: [], bare: [], signed: [], marketMs: [], bareMs: [] }
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await costOf(market.pid, counter, market.send)
    await untilWritten(database)
    const least = await costOf(bare.pid, counter, bareOf(false))
    const signed = await costOf(bare.pid, counter, bareOf(true))
    // The first round warms both.
    if (round === 0) continue
    costs.market.push(ours.cpuUs)
    costs.bare.push(least.cpuUs)
    costs.signed.push(signed.cpuUs)
    costs.marketMs.push(ours.ms)
    costs.bareMs.push(least.ms)
  }
  const perSecond = (ms: readonly number[]): number => burst * endpoints * 1_000 / median(ms)
  return {
    webhook_deliveries_share: median(costs.bare.map((least, index) => least / (costs.market[index] ?? Number.POSITIVE_INFINITY))),
    webhook_cpu_us: median(costs.market), bare_post_cpu_us: median(costs.bare), signed_post_cpu_us: median(costs.signed),
    webhooks_per_second: perSecond(costs.marketMs), bare_posts_per_second: perSecond(costs.bareMs),
  }
}

type Counter = { read(): Promise<{ readonly got: number; readonly last: string }> }

function createCounter(url: string): Counter {
  return { read: async () => (await fetch(url)).json() as Promise<{ got: number; last: string }> } // receiver-main.ts answers it
}

/** CPU microseconds and the time of a delivery, everything that process does counted. */
async function costOf(pid: number, counter: Counter, send: (body: string) => Promise<unknown>): Promise<{ readonly cpuUs: number; readonly ms: number }> {
  const before = await counter.read()
  const [cpu, begun] = [cpuMicroseconds(pid), performance.now()]
  await send(before.last)
  for (const deadline = performance.now() + 60_000; ;) {
    const { got } = await counter.read()
    if (got >= before.got + burst * endpoints) break
    if (performance.now() > deadline) throw new Error(`${got - before.got} of ${burst * endpoints} deliveries came`)
    await pause(10)
  }
  return { cpuUs: (cpuMicroseconds(pid) - cpu) / (burst * endpoints), ms: performance.now() - begun }
}

async function untilWritten(database: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ count: string }>("select count(*) from webhook_deliveries where status = 'pending'")
    if (rows[0]?.count === '0') return
    await pause(10)
  }
}

/** Commits events of one wallet as another process does, and tells of them. */
async function insertEvents(database: pg.Pool, wallet: string): Promise<void> {
  await database.query(
    `with made as (insert into outbox (id, type, data, at) select gen_random_uuid(), 'task.created', jsonb_build_object('task_id', gen_random_uuid(), 'title', 'Photograph the gate', 'category', 'simple_action', 'bounty_usd', 1.07, 'network', 'localnet'), now() from generate_series(1, $1) returning xid, seq)
     insert into event_recipients (wallet, xid, seq) select $2, xid, seq from made`,
    [burst, wallet],
  )
  await database.query("select pg_notify('ergon_events', '')")
}

async function registerEndpoints(serverUrl: string, receiverUrl: string): Promise<string> {
  const signer = privateKeySigner(generatePrivateKey())
  for (let count = 0; count < endpoints; count += 1) {
    const { webhook_id: id } = await call(serverUrl, signer, '/api/v1/webhooks', { url: receiverUrl, events: ['*'] }) as { readonly webhook_id: string } // the contract's output
    await call(serverUrl, signer, `/api/v1/webhooks/${id}/verify`, {})
  }
  return signer.address.toLowerCase()
}

async function call(serverUrl: string, signer: Signer, path: string, fields: unknown): Promise<unknown> {
  const body = Buffer.from(JSON.stringify(fields))
  const headers = { 'content-type': 'application/json' }
  const added = await signRequest({ method: 'POST', url: serverUrl + path, headers, body }, { signer, chainId, now: Math.floor(Date.now() / 1_000), nonce: randomBytes(16).toString('base64url'), ttlSec: 60 })
  const answer = await fetch(serverUrl + path, { method: 'POST', headers: { ...headers, ...added }, body })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
