import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, startConstellation, startNodeService } from '@ergon/dev-env'
import pg from 'pg'
import { median } from '../measure/median.ts'
import { cpuMicroseconds } from '../measure/process-cpu.ts'
import type { Measured } from '../report.ts'
import { createScratch } from '../scratch.ts'
import { gather, type Crowd } from './crowd.ts'

const readers = 1_000
const burst = 100
const rounds = 7
const perSecond = 200
const seconds = 6

/**
 * What telling an event to a full room costs beside a bare broadcast, and how long an event takes from its commit to a
 * socket.
 */
export async function measureEvents(): Promise<Measured> {
  await using parts = new AsyncDisposableStack()
  const dataDir = parts.use(createScratch()).path
  const env = {
    server: { SVC_WS_CONNECTIONS: String(readers + 50), SVC_RATE_ANON_PER_MIN: '0', SVC_RATE_WALLET_PER_MIN: '0' },
  }
  const constellation = parts.use(
    await startConstellation({ dataDir, ports: { server: 0, facilitator: 0, chain: 0, postgres: 0 }, env }),
  )
  const { serverUrl = '', databases } = constellation.record()
  const database = new pg.Pool({ connectionString: databases.server, max: 4 })
  parts.defer(() => database.end())
  const port = await freePort()
  const bareUrl = `http://127.0.0.1:${port}`
  const bare = parts.use(
    await startNodeService({
      name: 'bare-sockets',
      main: fileURLToPath(new URL('./bare-sockets-main.ts', import.meta.url)),
      logFile: join(dataDir, 'bare-sockets.log'),
      healthUrl: `${bareUrl}/health`,
      env: { BARE_PORT: String(port) },
    }),
  )

  const latency = await measureLatency(serverUrl, database)
  let sample = ''
  const [ours, theirs] = await Promise.all([
    gather({
      url: serverUrl,
      readers,
      room: 'global',
      onEvent: (text) => {
        sample = text
      },
    }),
    gather({ url: bareUrl, readers, room: null }),
  ])
  parts.use(ours)
  parts.use(theirs)
  const shares: number[] = []
  const costs: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const market = await costOf(constellation.service('server').pid, ours, () => insertEvents(database, burst))
    const least = await costOf(bare.pid, theirs, () =>
      fetch(bareUrl, { method: 'POST', body: `${sample}\n`.repeat(burst) }),
    )
    // The first round warms both.
    if (round > 0) {
      shares.push(least / market)
      costs.push(market)
    }
  }
  return { fanout_share: median(shares), fanout_cpu_us: median(costs), ...latency }
}

/** CPU microseconds a delivery, everything of the service counted. */
async function costOf(pid: number, crowd: Crowd, send: () => Promise<unknown>): Promise<number> {
  const [cpu, heard] = [cpuMicroseconds(pid), crowd.heard()]
  await send()
  await crowd.untilHeard(heard + burst * readers)
  return (cpuMicroseconds(pid) - cpu) / (burst * readers)
}

const insert = `insert into outbox (id, type, data, at)
  select gen_random_uuid(), 'task.created',
    jsonb_build_object('task_id', gen_random_uuid(), 'title', 'Photograph the gate', 'category', 'simple_action',
      'bounty_usd', 1.07, 'network', 'localnet'), now() from generate_series(1, $1)`

/** Commits events as another process does, and tells of them. */
async function insertEvents(database: pg.Pool, count: number): Promise<void> {
  await database.query(insert, [count])
  await database.query("select pg_notify('ergon_events', '')")
}

/** Commits one event after another at a fixed pace; the clock of each starts when its commit was answered. */
async function measureLatency(url: string, database: pg.Pool): Promise<Measured> {
  const arrivedAt = new Map<string, number>()
  const committedAt = new Map<string, number>()
  await using _crowd = await gather({
    url,
    readers: 1,
    room: 'global',
    onEvent: (text) => {
      arrivedAt.set((JSON.parse(text) as { readonly id: string }).id, performance.now())
    },
  })
  const total = perSecond * seconds
  const begun = performance.now()
  const writing: Promise<void>[] = []
  for (let count = 0; count < total; count += 1) {
    const due = begun + (count * 1_000) / perSecond
    if (performance.now() < due) await pause(due - performance.now())
    writing.push(commitOne(database, committedAt))
  }
  await Promise.all(writing)
  const until = performance.now() + 10_000
  while (arrivedAt.size < total && performance.now() < until) await pause(5)
  const waits = [...committedAt]
    .map(([id, at]) => Math.max(0, (arrivedAt.get(id) ?? Number.POSITIVE_INFINITY) - at))
    .toSorted((a, b) => a - b)
  return {
    event_latency_ms_p99: waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY,
    event_latency_ms_median: median(waits),
  }
}

async function commitOne(database: pg.Pool, committedAt: Map<string, number>): Promise<void> {
  const id = randomUUID()
  await database.query({
    name: 'one',
    text: `insert into outbox (id, type, data, at) values ($1, 'task.created', '{}', now())`,
    values: [id],
  })
  committedAt.set(id, performance.now())
  await database.query("select pg_notify('ergon_events', '')")
}
