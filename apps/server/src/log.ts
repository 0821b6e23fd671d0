import { pino, type Logger } from 'pino'

export type Log = Logger & AsyncDisposable

const flushMs = 250

/** Lines leave in batches: a request waits for no disk, and a reader waits a quarter of a second at most. */
export function createLog(level: string): Log {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4_096 })
  const log = pino({ level, base: { service: 'server' } }, destination)
  const timer = setInterval(() => { destination.flush() }, flushMs)
  timer.unref()
  return Object.assign(log, {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await new Promise<void>((resolve) => { destination.flush(() => { resolve() }) })
    },
  })
}
