import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { watchMemory } from '../measure/memory-watch.ts'
import { startBenchMarket } from '../market/bench-market.ts'
import type { Measured } from '../report.ts'
import { createCamera } from './photos.ts'
import { prepareJobs } from './prepare-jobs.ts'

const submissions = 100
const patienceMs = 60_000

/** A hundred photos submitted at once: how long until each is verified, and the most memory the server held. */
export async function measureVerification(): Promise<Measured> {
  await using target = await startBenchMarket()
  const { worker, jobs } = await prepareJobs(target, createCamera(), submissions)
  using memory = watchMemory(target.market.pid)
  const startedAt = performance.now()
  const sent = await Promise.all(
    jobs.map(async ({ taskId, photoUrl }) => {
      const at = Date.now()
      const { submission_id } = await worker.tasks.submit({ task_id: taskId, evidence: { photo: photoUrl } })
      return { id: submission_id, at, ms: Date.now() - at }
    }),
  )
  const submitSeconds = (performance.now() - startedAt) / 1_000
  const verified = await untilVerified(
    target.database,
    sent.map(({ id }) => id),
  )
  const seconds = sent.map(({ id, at }) => ((verified.get(id) ?? Infinity) - at) / 1_000)
  const ranked = (share: number, values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0
  return {
    verification_seconds_p99: ranked(0.99, seconds),
    verification_seconds_p50: ranked(0.5, seconds),
    submit_photo_p99_ms: ranked(
      0.99,
      sent.map(({ ms }) => ms),
    ),
    photo_submissions_per_second: submissions / submitSeconds,
    rss_mib_under_load: memory.peakMib(),
  }
}

/** When the service wrote its verdict, by the clock of the machine that both run on. */
async function untilVerified(database: Client, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await pause(100)) {
    const { rows } = await database.query<{ id: string; at: Date }>(
      'select id, verified_at as at from submissions where id = any($1::uuid[]) and verified_at is not null',
      [ids],
    )
    if (rows.length === ids.length) return new Map(rows.map(({ id, at }) => [id, at.getTime()]))
  }
  throw new Error('not every submission was verified in a minute')
}
