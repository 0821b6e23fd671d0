import { parentPort } from 'node:worker_threads'
import { inspectBytes, prepareDecoder, previewBytes } from './inspect-bytes.ts'
import type { MediaJob, MediaResult } from './media-jobs.ts'

/** Runs in its own thread, one job at a time; whoever started it ends it when it takes too long. */
async function answer({ wanted, bytes, limits }: MediaJob): Promise<MediaResult> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return wanted === 'facts' ? { facts: await inspectBytes(buffer, limits) } : { preview: await previewBytes(buffer, limits) }
}

prepareDecoder()
parentPort?.on('message', (job: MediaJob) => { // the pool posts nothing else
  void answer(job).then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ fault: error instanceof Error ? error.message : 'unknown' }),
  )
})
parentPort?.postMessage({ ready: true })
