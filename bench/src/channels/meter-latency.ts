import { request, type ClientRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchMarket } from '../market/bench-market.ts'
import type { Measured } from '../report.ts'
import { bindChannels } from './bound-channels.ts'

const listeners = 1_000
const perSecond = 50
const seconds = 8

/** From the commit of a change to each of a thousand listeners of one channel. */
export async function measureMeter({ market, record, database }: BenchMarket): Promise<Measured> {
  const [bound] = await bindChannels(database, record.wallets[0]?.address ?? '', 1)
  if (bound === undefined) throw new Error('no channel was bound')
  const committedAt: number[] = []
  const waits: number[] = []
  const heard = (before: number, now: number): void => {
    const at = performance.now()
    // A listener may hear of a commit before its answer is here.
    for (let change = before + 1; change <= now; change += 1) waits.push(Math.max(0, at - (committedAt[change] ?? at)))
  }
  const open = await Promise.all(
    Array.from({ length: listeners }, () => listen(`${market.url}/api/v1/tasks/${bound.taskId}/meter/stream`, heard)),
  )
  const begun = performance.now()
  const total = perSecond * seconds
  for (let change = 1; change <= total; change += 1) {
    const due = begun + (change * 1_000) / perSecond
    if (performance.now() < due) await pause(due - performance.now())
    await database.query(raise, [bound.channelId, change])
    committedAt[change] = performance.now()
    await database.query("select pg_notify('ergon_events', '')")
  }
  const until = performance.now() + 10_000
  while (waits.length < total * listeners && performance.now() < until) await pause(20)
  for (const one of open) one.destroy()
  if (waits.length !== total * listeners)
    throw new Error(`${waits.length} of ${total * listeners} changes reached the listeners`)
  waits.sort((one, other) => one - other)
  return { meter_latency_ms_p50: at(waits, 0.5), meter_latency_ms_p99: at(waits, 0.99) }
}

const raise = `update channels set cumulative_atomic = $2::bigint, measured = $2::bigint, vouchers = $2::bigint,
  updated_at = clock_timestamp() where id = $1`
const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/** Resolves with the first frame. A frame tells the newest state, and with it of every change before. */
function listen(url: string, heard: (before: number, now: number) => void): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    let seen = -1
    const outgoing = request(url, { agent: false }, (incoming) => {
      if (incoming.statusCode !== 200) {
        reject(new Error(`a stream answered ${String(incoming.statusCode)}`))
        return
      }
      incoming.on('error', () => undefined)
      let rest = ''
      incoming.on('data', (bytes: Buffer) => {
        const text = rest + bytes.toString()
        const newest = [...text.matchAll(/"consumed_uusdc":([0-9]+),/g)].at(-1)
        rest = text.slice(-100)
        if (newest === undefined) return
        const now = Math.max(seen, Number(newest[1]))
        if (seen < 0) resolve(outgoing)
        else heard(seen, now)
        seen = now
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
