import { pino, stdSerializers, type Logger } from 'pino'

export type ProcessLog = Logger & AsyncDisposable

export type LogOptions = {
  readonly level: string
  /** Lines leave together: a busy service spends less on them, and a reader waits a quarter of a second at most. */
  readonly inBatches?: boolean
}

const flushMs = 250
const batchBytes = 4_096
/** What is kept of lines that cannot be written; later ones are dropped. */
const mostBytes = 1_048_576

/** Lines of JSON on standard output, each with the name of its service. A request waits for no disk. */
export function openLog(service: string, { level, inBatches = false }: LogOptions): ProcessLog {
  const minLength = inBatches ? batchBytes : 0
  const destination = pino.destination({ dest: 1, sync: false, minLength, maxLength: mostBytes })
  loseLinesOnly(destination)
  const log = pino({ level, base: { service }, serializers: { err: errorFacts } }, destination)
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

/** The driver hangs the whole connection on what ended it, with each statement that it knew: kilobytes a line. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return Object.fromEntries(Object.entries(stdSerializers.err(error)).filter(([name]) => name !== 'client'))
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
