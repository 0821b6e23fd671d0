import { Worker } from 'node:worker_threads'

export type PoolSettings = {
  readonly script: URL
  readonly threads: number
  /** How long one job may take before its thread is ended. */
  readonly timeoutMs: number
  /** How many jobs may wait, and how long. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
  readonly heapMib: number
  /** A thread ended in the middle of its job: worth telling. */
  readonly onEnded?: (reason: 'timeout' | 'crashed') => void
}

/** `busy` when no thread came free in time, or too many wait already. */
export type Outcome<Result> = { readonly result: Result } | { readonly failed: 'timeout' | 'crashed' | 'busy' | 'unprepared' }

/** Threads that are used again, and replaced when they do not answer. */
export type WorkerPool<Job, Result> = AsyncDisposable & {
  /** `prepare` runs once a thread is free, under the same time limit, so that waiting jobs hold nothing. Never rejects. */
  run(prepare: () => Promise<{ readonly job: Job; readonly transfer: readonly ArrayBuffer[] }>): Promise<Outcome<Result>>
}

type Slot = { worker: Promise<Worker> | undefined }
type Waiting = { readonly take: (slot: Slot) => void; readonly timer: NodeJS.Timeout }

/** How long to wait for the end of a thread that native code holds, before its place is given to another. */
const graceMs = 10_000
const startMs = 15_000

export function createWorkerPool<Job, Result>(settings: PoolSettings): WorkerPool<Job, Result> {
  const slots: Slot[] = Array.from({ length: settings.threads }, () => ({ worker: undefined }))
  const free = [...slots]
  const queue = new Set<Waiting>()
  let closed = false

  const acquire = async (): Promise<Slot | undefined> => {
    const slot = closed ? undefined : free.pop()
    if (closed || slot !== undefined || queue.size >= settings.maxWaiting) return slot
    return new Promise((resolve) => {
      const waiting: Waiting = {
        take: (given) => { clearTimeout(waiting.timer); queue.delete(waiting); resolve(given) },
        timer: setTimeout(() => { queue.delete(waiting); resolve(undefined) }, settings.maxWaitMs),
      }
      queue.add(waiting)
    })
  }
  const release = (slot: Slot): void => {
    const [next] = queue
    if (next === undefined) free.push(slot)
    else next.take(slot)
  }
  const retire = (slot: Slot, worker: Worker): void => {
    slot.worker = undefined
    void Promise.race([worker.terminate(), pause(graceMs)]).then(() => { release(slot) })
  }

  return {
    async run(prepare) {
      const slot = await acquire()
      if (slot === undefined || closed) return { failed: 'busy' }
      const prepared = await within(prepare(), settings.timeoutMs)
      if (prepared === undefined) { release(slot); return { failed: 'unprepared' } }
      const starting = slot.worker ??= start(settings, slot)
      const worker = await within(starting, startMs)
      if (worker === undefined) {
        slot.worker = undefined
        void starting.then((late) => late.terminate(), () => undefined)
        release(slot)
        return { failed: 'crashed' }
      }
      const outcome = await ask<Job, Result>(worker, prepared.job, prepared.transfer, settings.timeoutMs)
      if ('result' in outcome) { release(slot); return outcome }
      settings.onEnded?.(outcome.failed)
      retire(slot, worker)
      return outcome
    },
    async [Symbol.asyncDispose]() {
      closed = true
      await Promise.all(slots.map(async (slot) => {
        const worker = await slot.worker?.catch(() => undefined)
        await worker?.terminate()
      }))
    },
  }
}

/** An empty environment: a thread that opens files of strangers knows no secret of the service. */
function start({ script, heapMib }: PoolSettings, slot: Slot): Promise<Worker> {
  const worker = new Worker(script, { env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: 16 } })
  worker.unref() // an idle thread keeps no process alive
  const started = new Promise<Worker>((resolve, reject) => {
    worker.once('message', () => { resolve(worker) })
    worker.on('error', reject)
    worker.once('exit', () => {
      if (slot.worker === started) slot.worker = undefined
      reject(new Error('the thread ended'))
    })
  })
  return started
}

function ask<Job, Result>(worker: Worker, job: Job, transfer: readonly ArrayBuffer[], timeoutMs: number): Promise<{ readonly result: Result } | { readonly failed: 'timeout' | 'crashed' }> {
  return new Promise((resolve) => {
    const settle = (outcome: { readonly result: Result } | { readonly failed: 'timeout' | 'crashed' }): void => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
      resolve(outcome)
    }
    // The script of the pool posts nothing else.
    const onMessage = (message: { readonly result?: Result }): void => { settle(message.result === undefined ? { failed: 'crashed' } : { result: message.result }) }
    const onEnd = (): void => { settle({ failed: 'crashed' }) }
    const timer = setTimeout(() => { settle({ failed: 'timeout' }) }, timeoutMs)
    worker.once('message', onMessage).once('error', onEnd).once('exit', onEnd)
    worker.postMessage(job, transfer)
  })
}

/** Undefined when it fails or is not there in time. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => { timer = setTimeout(() => { resolve(undefined) }, ms) })
  return Promise.race([work.catch(() => undefined), late]).finally(() => { clearTimeout(timer) })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => { setTimeout(resolve, ms).unref() })
}
