/** What keeps a process from its database for now, or for good. */
export class Obstacle extends Error {
  override readonly name = 'Obstacle'
  /** It may end while the start waits. */
  readonly passes: boolean

  constructor(message: string, options: { readonly passes: boolean }) {
    super(message)
    this.passes = options.passes
  }
}

/** No connection was made, or the one at hand was known to be dead, so that nothing left the process. */
export const unsentMessages: ReadonlySet<string> = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'Cannot use a pool after calling end on the pool',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

/** The line was lost under way: what was asked may have been done. */
export const lostMessages: ReadonlySet<string> = new Set([
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Query read timeout',
])

/**
 * Classes and states of PostgreSQL that pass: the line broke, there is no room for now, it stops, starts or recovers,
 * it takes no writes, another was in the way.
 */
const passing = /^(08|53|57|40|55P03|25006|25P0[34])/
/** Nobody listens there yet, or the line to it is cut. */
const unreached = /^E(CONN|PIPE|TIMEDOUT|HOST|NET)/
const ofConnecting: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo'])

/** What a failed question to the database means for whoever starts. */
export function obstacleOf(error: unknown): Obstacle {
  if (error instanceof Obstacle) return error
  const { code, syscall, message } = factsOf(error)
  const passes =
    unsentMessages.has(message) ||
    lostMessages.has(message) ||
    ofConnecting.has(syscall) ||
    unreached.test(code) ||
    isState(code, passing)
  return new Obstacle(reasonOf(message, code), { passes })
}

/** Whether PostgreSQL or its driver said it, and no part of ours. */
export function isOfDatabase(error: unknown): boolean {
  const { code, message } = factsOf(error)
  return unsentMessages.has(message) || lostMessages.has(message) || (code.length === 5 && hasSeverity(error))
}

const hasSeverity = (error: unknown): boolean => error instanceof Error && 'severity' in error

const isState = (code: string, states: RegExp): boolean => code.length === 5 && states.test(code)

function reasonOf(message: string, code: string): string {
  if (message.includes('client password must be')) return 'it asks for a password, and the URL has none'
  if (message !== '') return message
  return code === '' ? 'no reason' : code
}

/** Errors of the driver and of the platform have these. */
function factsOf(error: unknown): { readonly code: string; readonly syscall: unknown; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', syscall: undefined, message: String(error) }
  const { message } = error
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : '',
    syscall: 'syscall' in error ? error.syscall : undefined,
    message,
  }
}
