import { DatabaseError, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg'
import { mayWrite } from './pool.ts'

/** The statements of one transaction: they are carried out in the order in which they are handed over. */
export type TransactionLine = {
  /** Asks, and waits for the answer. */
  query<R extends QueryResultRow>(statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>>
  /**
   * Says what has no answer and does not wait for it: what comes next goes out right behind it. Where the database does
   * not take it, it undoes the whole transaction, and the next question or the commit fails with its reason.
   */
  tell(text: string, values: unknown[]): Promise<void>
}

export type OpenTransaction = TransactionLine & {
  /** Fails with what the database refused first, if anything. */
  commit(): Promise<void>
  /** Whether the commit was sent and nothing proves that the database did not carry it out. */
  mayBeKept(): boolean
  rollback(): Promise<void>
}

/** So many may be told before an answer is waited for. */
const mostUnanswered = 100

/**
 * Begins a transaction on a connection that sends without waiting (decision 0264). The begin goes out together with a
 * first question, which changes nothing even where the begin failed; what writes waits for its answer.
 */
export function beginOn(client: PoolClient): OpenTransaction {
  let state: 'beginning' | 'open' | 'committing' | 'kept' | 'undone' = 'beginning'
  // Of the first statement that was refused: whatever comes after it fails because of it.
  let failure: Error | undefined
  let unanswered = 0
  const fail = (error: Error): void => {
    failure ??= error
  }
  const begun = client.query('begin').then(() => {
    state = 'open'
  }, fail)
  const beginning = async (): Promise<void> => {
    if (state === 'beginning') await begun
    if (failure !== undefined) throw failure
  }
  return {
    async query<R extends QueryResultRow>(statement: string | QueryConfig, values?: unknown[]) {
      if (mayWrite(typeof statement === 'string' ? statement : statement.text)) await beginning()
      try {
        const answer = await client.query<R>(statement as string, values)
        await beginning()
        return answer
      } catch (error) {
        // What comes after it, the commit included, is refused because of it.
        if (error instanceof DatabaseError) fail(error)
        throw failure ?? error
      }
    },
    async tell(text, values) {
      await beginning()
      if (unanswered >= mostUnanswered)
        await client.query('select').catch((error: unknown) => {
          throw failure ?? error
        })
      unanswered += 1
      // The callback hears at once of values that cannot be sent; a promise would tell it too late.
      client.query(text, values, (error: Error | undefined) => {
        unanswered -= 1
        if (error !== undefined && error !== null) fail(error)
      })
      if (failure !== undefined) throw failure
    },
    async commit() {
      await beginning()
      state = 'committing'
      const { command } = await client.query('commit').catch((error: unknown) => {
        throw failure ?? error
      })
      state = command === 'COMMIT' ? 'kept' : 'undone'
      if (state === 'undone') throw failure ?? new Error('the database undid the transaction')
    },
    mayBeKept: () => state === 'kept' || (state === 'committing' && !(failure instanceof DatabaseError)),
    async rollback() {
      if (state !== 'kept' && state !== 'undone') await client.query('rollback')
    },
  }
}
