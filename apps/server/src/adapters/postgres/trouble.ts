import { AsyncLocalStorage } from 'node:async_hooks'
import { MarketError } from '@ergon/core'
import { lostMessages, unsentMessages } from '@ergon/process'

/** The database said that it did not do it: it cancelled, took nobody in, or takes no writes until it is promoted. */
const refusedCodes: ReadonlySet<string> = new Set([
  // It lets nobody in: no such database, no such role, another password.
  '3D000',
  '28000',
  '28P01',
  '57014',
  '53100',
  '53200',
  '53300',
  '55P03',
  '57P03',
  '40001',
  '40P01',
  '25006',
  '25P03',
  '25P04',
  '08001',
  '08004',
  'ECONNREFUSED',
  'ENOENT',
])
/** The line was lost under way: what was asked may have been done. */
const lostCodes: ReadonlySet<string> = new Set([
  '57P01',
  '57P02',
  '57P05',
  '08000',
  '08003',
  '08006',
  '08P01',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** `unwritten`: certainly nothing was written. `unknown`: it may have been committed. */
export type Trouble = 'unwritten' | 'unknown'

/** Failures of which the caller of the driver knows more than the error says. */
const provenUnwritten = new WeakSet<Error>()

/** The same failure, when nothing was written for certain: a read, or a transaction that was never told to commit. */
export function asUnwritten<E>(error: E): E {
  if (error instanceof Error) provenUnwritten.add(error)
  return error
}

/** What a failure of the database means for what was asked; null when it is no trouble of the line or the server. */
export function troubleOf(error: unknown): Trouble | null {
  if (!(error instanceof Error)) return null
  if (refusedCodes.has(codeOf(error)) || unsentMessages.has(error.message) || isOfConnecting(error)) return 'unwritten'
  if (!isLostLine(error)) return null
  return provenUnwritten.has(error) ? 'unwritten' : 'unknown'
}

/** Whether the connection is of no use any more: nothing is said over it, not even a rollback. */
export function isLostLine(error: unknown): boolean {
  return error instanceof Error && (lostMessages.has(error.message) || lostCodes.has(codeOf(error)))
}

/**
 * A prepared statement answers other columns than it did when it was prepared, or the connection does not know it any
 * more, as after values that the driver could not send with it; it was not carried out.
 */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (codeOf(error) === unknownStatement) return true
  // Of the message the language depends on the cluster.
  return codeOf(error) === '0A000' && 'routine' in error && error.routine === 'RevalidateCachedQuery'
}

const unknownStatement = '26000'

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

function isOfConnecting(error: Error): boolean {
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
}

type Act = { hasWritten: boolean }
const acts = new AsyncLocalStorage<Act>()

/** Something was committed, or may have been. */
export function noteWritten(): void {
  const act = acts.getStore()
  if (act !== undefined) act.hasWritten = true
}

/**
 * Runs what answers one request. That the service is busy means that nothing was written: once something was, the
 * outcome is unknown to whoever asked, whatever failed afterwards.
 */
export async function asOneAct<T>(work: () => T | Promise<T>): Promise<T> {
  const act: Act = { hasWritten: false }
  try {
    return await acts.run(act, work)
  } catch (error) {
    throw act.hasWritten ? asCode(error, 'SERVICE_BUSY', 'OUTCOME_UNKNOWN') : error
  }
}

/** Runs what answers a request that only reads: whatever was noted beside it, it may be sent again. */
export async function asOneRead<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asCode(error, 'OUTCOME_UNKNOWN', 'SERVICE_BUSY')
  }
}

type Code = 'SERVICE_BUSY' | 'OUTCOME_UNKNOWN'

function asCode(error: unknown, from: Code, to: Code): unknown {
  return error instanceof MarketError && error.code === from ? new MarketError(to, {}, { cause: error }) : error
}

/**
 * The same object, whose rejections of that kind are codes: SERVICE_BUSY when nothing was written, so that the request
 * may be sent again; OUTCOME_UNKNOWN when it may have been.
 */
export function sayingBusy<T extends object>(store: T): T {
  return new Proxy(store, {
    get(target, name, receiver): unknown {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(member, target, args)
        } catch (error) {
          throw inCodes(error)
        }
      }
    },
  })
}

function inCodes(error: unknown): unknown {
  const trouble = troubleOf(error)
  if (trouble === null) return error
  if (trouble === 'unknown') noteWritten()
  return new MarketError(trouble === 'unknown' ? 'OUTCOME_UNKNOWN' : 'SERVICE_BUSY', {}, { cause: error })
}
