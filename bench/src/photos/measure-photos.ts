import { startBenchMarket } from '../market/bench-market.ts'
import { watchMemory } from '../measure/memory-watch.ts'
import type { Measured } from '../report.ts'
import { createCamera } from './photos.ts'
import { prepareJobs } from './prepare-jobs.ts'

const submissions = 100

/** A hundred photos submitted at once: how long the slowest worker waits for an answer, and the most memory the server held. */
export async function measurePhotos(): Promise<Measured> {
  await using target = await startBenchMarket()
  const { worker, jobs } = await prepareJobs(target, createCamera(), submissions)
  using memory = watchMemory(target.market.pid)
  const startedAt = performance.now()
  const waited = await Promise.all(jobs.map(async ({ taskId, photoUrl }) => {
    const from = performance.now()
    await worker.tasks.submit({ task_id: taskId, evidence: { photo: photoUrl } })
    return performance.now() - from
  }))
  const seconds = (performance.now() - startedAt) / 1_000
  return {
    submit_photo_p99_ms: waited.toSorted((a, b) => a - b)[Math.floor((submissions - 1) * 0.99)] ?? 0,
    photo_submissions_per_second: submissions / seconds,
    rss_mib_submitting_photos: memory.peakMib(),
  }
}
