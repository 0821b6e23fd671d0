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
/**
 * The code of a delivery is many times that of a bare post and is compiled later; a service runs for days, so both are
 * warm when they are measured.
 */
const warmUps = 5
const chainId = 31_337

type Bare = 'node' | 'signed' | 'client'
type Costs = { readonly cpuUs: number; readonly ms: number }

/**
 * What delivering an event costs, from the stream to the log, beside bare posts of the same body by the same process,
 * at
 * the same concurrency over kept connections. The share is against Node's own client, as a program without a
 * service would post; what a bare post through the client of the deliveries costs is told beside it.
 */
export async function measureWebhooks(): Promise<Measured> {
  await using parts = new AsyncDisposableStack()
  const dataDir = parts.use(createScratch()).path
  const bareUrl = `http://127.0.0.1:${await freePort()}`
  const poster = new URL('./bare-poster-main.ts', import.meta.url).href
  const env = {
    server: {
      SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true',
      SVC_RATE_WALLET_PER_MIN: '0',
      NODE_OPTIONS: `--import=${poster}`,
      BARE_PORT: new URL(bareUrl).port,
    },
  }
  const constellation = parts.use(
    await startConstellation({ dataDir, ports: { server: 0, facilitator: 0, chain: 0, postgres: 0 }, env }),
  )
  const { serverUrl = '', databases } = constellation.record()
  const database = new pg.Pool({ connectionString: databases.server, max: 2 })
  parts.defer(() => database.end())
  const receiverUrl = `http://127.0.0.1:${await freePort()}`
  parts.use(
    await startNodeService({
      name: 'receiver',
      main: fileURLToPath(new URL('./receiver-main.ts', import.meta.url)),
      logFile: join(dataDir, 'receiver.log'),
      healthUrl: receiverUrl,
      env: { BARE_PORT: new URL(receiverUrl).port },
    }),
  )
  const wallet = await registerEndpoints(serverUrl, receiverUrl)
  const counter = createCounter(receiverUrl)
  const { pid } = constellation.service('server')
  const deliver = () =>
    costOf(
      pid,
      counter,
      async () => {
        await insertEvents(database, wallet)
      },
      () => untilWritten(database),
    )
  const post = (kind: Bare) =>
    costOf(pid, counter, (body) =>
      fetch(bareUrl, {
        method: 'POST',
        body: JSON.stringify({ url: receiverUrl, count: burst * endpoints, concurrency: 8 * endpoints, body, kind }),
      }),
    )
  const measured: Round[] = []
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const costs = {
      ours: await deliver(),
      node: await post('node'),
      signed: await post('signed'),
      client: await post('client'),
    }
    if (round >= warmUps) measured.push(costs)
  }
  return figuresOf(measured)
}

/** What one burst cost, delivered by us and posted barely. */
type Round = Readonly<Record<'ours' | Bare, Costs>>

function figuresOf(measured: readonly Round[]): Measured {
  const cpuOf = (kind: 'ours' | Bare): number => median(measured.map((costs) => costs[kind].cpuUs))
  const perSecond = (kind: 'ours' | Bare): number =>
    (burst * endpoints * 1_000) / median(measured.map((costs) => costs[kind].ms))
  return {
    webhook_deliveries_share: median(measured.map(({ ours, node }) => node.cpuUs / ours.cpuUs)),
    webhook_cpu_us: cpuOf('ours'),
    bare_post_cpu_us: cpuOf('node'),
    signed_post_cpu_us: cpuOf('signed'),
    bare_post_by_same_client_cpu_us: cpuOf('client'),
    webhooks_per_second: perSecond('ours'),
    bare_posts_per_second: perSecond('node'),
  }
}

type Counter = { read(): Promise<{ readonly got: number; readonly last: string }> }

function createCounter(url: string): Counter {
  // The answer of receiver-main.ts.
  return { read: async () => (await fetch(url)).json() as Promise<{ got: number; last: string }> }
}

/**
 * CPU microseconds and the time of a delivery, everything that the process does counted, to the last line of the log.
 */
async function costOf(
  pid: number,
  counter: Counter,
  send: (body: string) => Promise<unknown>,
  written: () => Promise<void> = () => Promise.resolve(),
): Promise<Costs> {
  const before = await counter.read()
  const [cpu, begun] = [cpuMicroseconds(pid), performance.now()]
  await send(before.last)
  for (const deadline = performance.now() + 60_000; ;) {
    const { got } = await counter.read()
    if (got >= before.got + burst * endpoints) break
    if (performance.now() > deadline) throw new Error(`${got - before.got} of ${burst * endpoints} deliveries came`)
    await pause(10)
  }
  const ms = performance.now() - begun
  await written()
  return { cpuUs: (cpuMicroseconds(pid) - cpu) / (burst * endpoints), ms }
}

async function untilWritten(database: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ count: string }>(
      "select count(*) from webhook_deliveries where status = 'pending'",
    )
    if (rows[0]?.count === '0') return
    await pause(10)
  }
}

/** Commits events of one wallet as another process does, and tells of them. */
async function insertEvents(database: pg.Pool, wallet: string): Promise<void> {
  await database.query(
    `with made as (insert into outbox (id, type, data, at)
        select gen_random_uuid(), 'task.created',
          jsonb_build_object('task_id', gen_random_uuid(), 'title', 'Photograph the gate', 'category', 'simple_action',
            'bounty_usd', 1.07, 'network', 'localnet'), now() from generate_series(1, $1) returning xid, seq)
     insert into event_recipients (wallet, xid, seq) select $2, xid, seq from made`,
    [burst, wallet],
  )
  await database.query("select pg_notify('ergon_events', '')")
}

async function registerEndpoints(serverUrl: string, receiverUrl: string): Promise<string> {
  const signer = privateKeySigner(generatePrivateKey())
  for (let count = 0; count < endpoints; count += 1) {
    const { webhook_id: id } = (await call(serverUrl, signer, '/api/v1/webhooks', {
      url: receiverUrl,
      events: ['*'],
    })) as { readonly webhook_id: string } // the contract's output
    await call(serverUrl, signer, `/api/v1/webhooks/${id}/verify`, {})
  }
  return signer.address.toLowerCase()
}

async function call(serverUrl: string, signer: Signer, path: string, fields: unknown): Promise<unknown> {
  const body = Buffer.from(JSON.stringify(fields))
  const headers = { 'content-type': 'application/json' }
  const added = await signRequest(
    { method: 'POST', url: serverUrl + path, headers, body },
    { signer, chainId, now: Math.floor(Date.now() / 1_000), nonce: randomBytes(16).toString('base64url'), ttlSec: 60 },
  )
  const answer = await fetch(serverUrl + path, { method: 'POST', headers: { ...headers, ...added }, body })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
