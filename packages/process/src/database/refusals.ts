/** Whether a database takes in new connections, as far as it was tried: those that are open may work meanwhile. */
export type Refusals = {
  /** For how long each new connection was refused, milliseconds; 0 when one was taken in since, or none is tried. */
  lastingMs(): number
}

/** Of a pool of the driver, what is needed of it here. */
type ConnectingPool = { connect: unknown; on(event: 'connect', listener: () => void): unknown }

type Told = (error: unknown, ...more: readonly unknown[]) => void

/** A pool in use tries more often than this. */
const forgottenMs = 60_000

/** Watches what becomes of each new connection of a pool from now on. */
export function watchRefusals(pool: ConnectingPool, nowMs: () => number = () => performance.now()): Refusals {
  let since: number | undefined
  let lastAt = 0
  const heard = (error: unknown): void => {
    if (!isRefusal(error)) return
    lastAt = nowMs()
    since ??= lastAt
  }
  pool.on('connect', () => {
    since = undefined
  })
  // The pool takes a callback, as its own questions do, or answers a promise.
  const connect = (pool.connect as (told?: Told) => Promise<unknown>).bind(pool)
  const watched = (told?: Told): Promise<unknown> =>
    told === undefined
      ? connect().catch((error: unknown) => {
          heard(error)
          throw error
        })
      : connect((error, ...more) => {
          heard(error)
          told(error, ...more)
        })
  Object.assign(pool, { connect: watched })
  return { lastingMs: () => (since === undefined || nowMs() - lastAt > forgottenMs ? 0 : nowMs() - since) }
}

/** The other end said no. That a line stays silent, or that a pool has none free, has no code. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
