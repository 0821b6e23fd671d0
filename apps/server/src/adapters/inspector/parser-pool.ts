import { fork, type ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { createFairGate } from '../../surroundings/fair-gate.ts'

export type PoolSettings = {
  readonly script: URL
  readonly processes: number
  /** How long one job may take before its process is ended. */
  readonly timeoutMs: number
  /** How many jobs may wait, in all and of one lane, and how long. */
  readonly maxWaiting: number
  readonly maxInLane: number
  readonly maxWaitMs: number
  readonly heapMib: number
  /** A process ended in the middle of its job: worth telling. */
  readonly onEnded?: (reason: 'timeout' | 'crashed') => void
}

/** What a parser is asked: a few words, and the bytes they are about. */
type Asked<Job> = { readonly job: Job; readonly bytes: Uint8Array }
type Answered<Result> = { readonly result: Result; readonly bytes: Buffer }
/** `busy` when no process came free in time, or too many wait already. */
export type Outcome<Result> = Answered<Result> | { readonly failed: 'timeout' | 'crashed' | 'busy' | 'unprepared' }

/**
 * Processes that are used again, and replaced when they do not answer. Processes rather than threads: one list that
 * outgrows the heap of a thread, or a fault in native code, ends the whole process the thread is in (decision 0091).
 */
export type ParserPool<Job, Result> = AsyncDisposable & {
  /**
   * `prepare` runs once a process is free, under the same time limit, so that waiting jobs hold nothing. Lanes take
   * turns. Never rejects.
   */
  run(lane: string, prepare: () => Promise<Asked<Job>>): Promise<Outcome<Result>>
}

type Slot = { parser: Promise<Parser> | undefined }
type Parser = { readonly child: ChildProcess; readonly gone: Promise<unknown> }

const startMs = 20_000
/** How long the end of a process is waited for before its place is given to another. */
const graceMs = 10_000

export function createParserPool<Job extends object, Result>(settings: PoolSettings): ParserPool<Job, Result> {
  const slots: Slot[] = Array.from({ length: settings.processes }, () => ({ parser: undefined }))
  const free = [...slots]
  const gate = createFairGate({ ...settings, width: settings.processes })
  let closed = false

  const work = async (slot: Slot, prepare: () => Promise<Asked<Job>>): Promise<Outcome<Result>> => {
    const prepared = await within(prepare(), settings.timeoutMs)
    if (prepared === undefined) return { failed: 'unprepared' }
    const starting = (slot.parser ??= start(settings, slot))
    const parser = await within(starting, startMs)
    if (parser === undefined) {
      slot.parser = undefined
      void starting.then(
        (late) => late.child.kill('SIGKILL'),
        () => undefined,
      )
      return { failed: 'crashed' }
    }
    const outcome = await ask<Job, Result>(parser.child, prepared, settings.timeoutMs)
    if ('result' in outcome) return outcome
    if (!closed) settings.onEnded?.(outcome.failed)
    slot.parser = undefined
    parser.child.kill('SIGKILL')
    await within(parser.gone, graceMs)
    return outcome
  }

  return {
    async run(lane, prepare) {
      const leave = closed ? undefined : await gate.enter(lane)
      const slot = leave === undefined ? undefined : free.pop()
      if (leave === undefined || slot === undefined) return { failed: 'busy' }
      try {
        return closed ? { failed: 'busy' } : await work(slot, prepare)
      } finally {
        free.push(slot)
        leave()
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true
      await Promise.all(
        slots.map(async (slot) => {
          const parser = await slot.parser?.catch(() => undefined)
          parser?.child.kill('SIGKILL')
          await parser?.gone
        }),
      )
    },
  }
}

/**
 * An empty environment: a process that opens files of strangers knows no secret of the service. Bytes go by pipes,
 * which copy nothing.
 */
function start({ script, heapMib }: PoolSettings, slot: Slot): Promise<Parser> {
  const child = fork(script, [], {
    env: {},
    execArgv: [`--max-old-space-size=${String(heapMib)}`, '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
  })
  const gone = new Promise((resolve) => {
    child.on('error', resolve).once('exit', resolve)
  })
  for (const pipe of [child.stdin, child.stdout]) pipe?.on('error', () => undefined) // what becomes of the process is told by its end
  const started = new Promise<Parser>((resolve, reject) => {
    child.once('message', () => {
      resolve({ child, gone })
    })
    void gone.then(() => {
      if (slot.parser === started) slot.parser = undefined
      reject(new Error('the parser ended'))
    })
  })
  letGo(child)
  return started
}

/** An idle parser keeps no process alive. */
function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref()
}

type Ended<Result> = Answered<Result> | { readonly failed: 'timeout' | 'crashed' }
/** What the script of the pool posts; so many bytes follow on its standard output. */
type Posted<Result> = { readonly result?: Result; readonly bytes?: number }

function ask<Job extends object, Result>(
  child: ChildProcess,
  { job, bytes }: Asked<Job>,
  timeoutMs: number,
): Promise<Ended<Result>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let [received, posted] = [0, undefined as Posted<Result> | undefined]
    const settle = (outcome: Ended<Result>): void => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onEnd)
      child.stdout?.off('data', onBytes)
      resolve(outcome)
    }
    const settleWhole = (): void => {
      if (posted === undefined || received < (posted.bytes ?? 0)) return
      settle(
        posted.result === undefined
          ? { failed: 'crashed' }
          : { result: posted.result, bytes: Buffer.concat(chunks, received) },
      )
    }
    const onMessage = (message: unknown): void => {
      posted = message as Posted<Result>
      settleWhole()
    } // the script of the pool posts nothing else
    const onBytes = (chunk: Buffer): void => {
      chunks.push(chunk)
      received += chunk.length
      settleWhole()
    }
    const onEnd = (): void => {
      settle({ failed: 'crashed' })
    }
    const timer = setTimeout(() => {
      settle({ failed: 'timeout' })
    }, timeoutMs)
    child.on('message', onMessage).once('exit', onEnd)
    child.stdout?.on('data', onBytes)
    if (child.exitCode !== null || child.signalCode !== null) {
      onEnd()
      return
    }
    child.send({ job, bytes: bytes.length }, (error) => {
      if (error !== null) onEnd()
    })
    child.stdin?.write(bytes)
  })
}

/** Undefined when it fails or is not there in time. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined)
    }, ms)
  })
  return Promise.race([work.catch(() => undefined), late]).finally(() => {
    clearTimeout(timer)
  })
}
