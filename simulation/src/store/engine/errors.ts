import { MarketError } from '@ergon/core'

/** What PostgreSQL answers when it refuses a statement: SQLSTATE, and the constraint that was broken. */
export class DatabaseError extends Error {
  readonly code: string
  readonly constraint: string | undefined

  constructor(code: string, message: string, constraint?: string) {
    super(message)
    this.name = 'error' // As the driver names it.
    this.code = code
    this.constraint = constraint
  }
}

export const uniqueViolation = (constraint: string): DatabaseError =>
  new DatabaseError('23505', `duplicate key value violates unique constraint "${constraint}"`, constraint)
export const foreignKeyViolation = (constraint: string): DatabaseError =>
  new DatabaseError('23503', `insert or update violates foreign key constraint "${constraint}"`, constraint)
export const deadlockCode = '40P01'
export const deadlock = (): DatabaseError => new DatabaseError(deadlockCode, 'deadlock detected')
export const transactionAborted = (): DatabaseError =>
  new DatabaseError('25P02', 'current transaction is aborted, commands ignored until end of transaction block')
export const refusedConnection = (): DatabaseError => new DatabaseError('57P03', 'the database system is starting up')

/** What the driver throws when a line is cut; it has no code, and says nothing about a commit under way. */
export const connectionLost = (): Error => new Error('Connection terminated unexpectedly')

/** As the adapter on PostgreSQL (`trouble.ts`): failures after which it is certain that nothing was written. */
const nothingWritten: ReadonlySet<string> = new Set([deadlockCode, '57P03'])

/** What a flow gets to see of a failure. */
export function asFlowsSee(error: unknown): unknown {
  return error instanceof DatabaseError && nothingWritten.has(error.code)
    ? new MarketError('SERVICE_BUSY', {}, { cause: error })
    : error
}
