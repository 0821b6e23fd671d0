import { pino, type Logger } from 'pino'

export type Log = Logger & AsyncDisposable

const flushMs = 250
/** What is kept of lines that cannot be written; later ones are dropped. */
const mostBytes = 1_048_576

/** Lines leave in batches: a request waits for no disk, and a reader waits a quarter of a second at most. */
export function createLog(level: string): Log {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4_096, maxLength: mostBytes })
  loseLinesOnly(destination)
  const log = pino({ level, base: { service: 'server' } }, destination)
  const timer = setInterval(() => {
    destination.flush()
  }, flushMs)
  timer.unref()
  return Object.assign(log, {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await new Promise<void>((resolve) => {
        destination.flush(() => {
          resolve()
        })
      })
    },
  })
}

/** A full disk or a closed pipe loses lines, not the service; and nobody waits at the end until the disk has room. */
function loseLinesOnly(destination: ReturnType<typeof pino.destination>): void {
  let isBroken = false
  const flushSync = destination.flushSync.bind(destination)
  destination.on('error', () => {
    isBroken = true
  })
  destination.on('write', () => {
    isBroken = false
  })
  Object.assign(destination, {
    flushSync: () => {
      if (!isBroken) flushSync()
    },
  })
}
