import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import promises from 'node:timers/promises'

/** What the runner itself still needs of the machine, taken before it is closed. */
export type Kept = {
  /** Runs when everything that is ready has run. */
  readonly afterReady: (run: () => void) => void
  /** The same in the next turn of the event loop, when rejections that nobody handles have been told. */
  readonly nextTurn: (run: () => void) => void
  readonly clockMs: () => number
  readonly cpuMs: () => number
}

export function keepPlatform(): Kept {
  const [immediate, performance, cpu] = [setImmediate, globalThis.performance, process.cpuUsage.bind(process)]
  const now = performance.now.bind(performance)
  const tick = process.nextTick.bind(process)
  const ready = Promise.resolve()
  return {
    // Node drains all microtasks before it comes to the next tick, those that microtasks make included.
    afterReady: (run) => {
      void ready.then(() => {
        tick(run)
      })
    },
    nextTurn: (run) => {
      immediate(run)
    },
    clockMs: now,
    cpuMs: () => (cpu().user + cpu().system) / 1_000,
  }
}

function forbid(name: string): () => never {
  return () => {
    throw new Error(`${name} is out of reach: the scheduler owns time and chance`)
  }
}

/** A Date that knows no now; a plain function, for a proxy would be asked at every \`instanceof\`. */
function closedDate(RealDate: DateConstructor): DateConstructor {
  const construct = forbid('new Date()')
  const call = forbid('Date()')
  function ClosedDate(...args: readonly number[]): Date {
    if (new.target === undefined) return call()
    const [first] = args
    if (first === undefined) return construct()
    // The arguments of a Date, as they came.
    return args.length === 1 ? new RealDate(first) : (Reflect.construct(RealDate, args) as Date)
  }
  return Object.assign(ClosedDate, {
    prototype: RealDate.prototype,
    UTC: RealDate.UTC.bind(RealDate),
    parse: RealDate.parse.bind(RealDate),
    now: forbid('Date.now'),
  }) as unknown as DateConstructor // called and constructed as the real one
}

let isClosed = false

/** From here on no timer, clock or source of chance of the machine answers: whoever asks one fails loudly. */
export function closePlatform(): void {
  if (isClosed) return
  isClosed = true
  globalThis.Date = closedDate(Date)
  Math.random = forbid('Math.random')
  for (const name of ['setTimeout', 'setInterval', 'setImmediate'] as const) {
    Object.assign(globalThis, { [name]: forbid(name) })
    Object.assign(timers, { [name]: forbid(name) })
    Object.assign(promises, { [name]: forbid(name) })
  }
  Object.defineProperty(globalThis.performance, 'now', { value: forbid('performance.now') })
  for (const name of ['randomUUID', 'randomBytes', 'randomFillSync', 'randomInt'] as const)
    Object.assign(crypto, { [name]: forbid(name) })
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: forbid('crypto.randomUUID') })
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: forbid('crypto.getRandomValues') })
  process.hrtime = Object.assign(forbid('process.hrtime'), { bigint: forbid('process.hrtime.bigint') })
  syncBuiltinESMExports()
}
