import { AsyncLocalStorage } from 'node:async_hooks'
import { MarketError, type Tx } from '@ergon/core'
import { DatabaseError, type Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg'
import { freshly } from './pool.ts'
import { beginOn, type TransactionLine } from './transaction-line.ts'
import { asUnwritten, isLostLine, isStalePlan, noteWritten } from './trouble.ts'

/** Ids of what a call created, by the kind of thing. */
export type Created = Readonly<Record<string, string>>

/** A call that came with a key, while its handler runs. */
export type KeyedCall = {
  readonly identity: string
  readonly key: string
  readonly operation: string
  /** Fences off whoever held the key before. */
  readonly token: string
  /** A transaction of this call has said in the row of the key that it wrote. */
  isMarked: boolean
  isOver: boolean
}

const current = new AsyncLocalStorage<KeyedCall | undefined>()

/** Runs a handler so that what it writes is written under the key of its call. */
export async function withinKeyedCall<T>(call: KeyedCall, work: () => Promise<T>): Promise<T> {
  try {
    return await current.run(call, work)
  } finally {
    call.isOver = true
  }
}

/** Runs what a call only sets off, such as a duty that is woken: it does not write under the key of that call. */
export function outsideKeyedCalls<T>(work: () => T): T {
  return current.run(undefined, work)
}

function keyedCall(): KeyedCall | undefined {
  const call = current.getStore()
  return call === undefined || call.isOver ? undefined : call
}

/** What `mark_operation` fails with. */
const keyTaken = 'EG001'

/** What a transaction does about the key it writes under; nothing when there is none. */
export type Keeping = {
  wrap(tx: Tx): Tx
  /** Remembers what a transaction without `Tx` creates. */
  stamp(ids: Created): void
  beforeCommit(line: TransactionLine): Promise<void>
  committed(): void
}

/**
 * The first transaction of a keyed call that commits, and every one that creates something, says so in the row of the
 * key (decision 0050). A call whose key was taken over, or whose lease lapsed before it wrote, writes nothing.
 * The row is touched last, so that it is never waited for while it is held.
 */
export function keepKey(): Keeping | undefined {
  const call = keyedCall()
  if (call === undefined) return undefined
  const created: Record<string, string> = {}
  return {
    wrap: (tx) => stamping(tx, created),
    stamp(ids) {
      Object.assign(created, ids)
    },
    async beforeCommit(line) {
      if (call.isMarked && Object.keys(created).length === 0) return
      const { identity, key, operation, token } = call
      await line.tell('select mark_operation($1, $2, $3, $4, $5)', [
        ...[identity, key, operation, token],
        JSON.stringify(created),
      ])
    },
    committed() {
      call.isMarked = true
    },
  }
}

/** Remembers the ids of what a resend must not create a second time. */
function stamping(tx: Tx, created: Record<string, string>): Tx {
  return {
    ...tx,
    async insertApplication(one) {
      const isNew = await tx.insertApplication(one)
      if (isNew) Object.assign(created, { application: one.id, executor: one.executorId })
      return isNew
    },
    insertSubmission(one) {
      created['submission'] = one.id
      return tx.insertSubmission(one)
    },
    decideSubmission(id, decision) {
      created['decided'] = id
      return tx.decideSubmission(id, decision)
    },
    insertDispute(one) {
      created['dispute'] = one.id
      return tx.insertDispute(one)
    },
    insertStatement(one) {
      created['statement'] = one.id
      return tx.insertStatement(one)
    },
    insertOffer(one) {
      created['offer'] = one.id
      return tx.insertOffer(one)
    },
    insertMessage(one) {
      created['message'] = one.id
      return tx.insertMessage(one)
    },
    insertExtension(one) {
      created['extension'] = one.id
      return tx.insertExtension(one)
    },
    async insertRuling(one) {
      const isFirst = await tx.insertRuling(one)
      if (isFirst) created['ruling'] = one.id
      return isFirst
    },
    insertListing(one) {
      created['listing'] = one.id
      return tx.insertListing(one)
    },
    async publish(...args) {
      const task = await tx.publish(...args)
      created['task'] = task.id
      return task
    },
  }
}

export type KeyedWrites = {
  query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>>
}

/** A pool for statements that write by themselves: within a keyed call each is a transaction under its key. */
export function keyedWrites(pool: Pool): KeyedWrites {
  return {
    async query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> {
      const key = keepKey()
      return key === undefined ? pool.query<R>(config) : inKeyedTransaction(pool, key, (line) => line.query<R>(config))
    },
  }
}

/**
 * One transaction on a connection of its own, under the key when there is one. What fails before the commit is sent
 * wrote nothing, even when the line is lost: the server undoes what it was not told to keep.
 */
export function inKeyedTransaction<T>(
  pool: Pool,
  key: Keeping | undefined,
  work: (line: TransactionLine) => Promise<T>,
): Promise<T> {
  return freshly(pool, () => inOneTransaction(pool, key, work))
}

async function inOneTransaction<T>(
  pool: Pool,
  key: Keeping | undefined,
  work: (line: TransactionLine) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  const open = beginOn(client)
  try {
    const result = await work(open)
    await key?.beforeCommit(open)
    await open.commit()
    noteWritten()
    key?.committed()
    client.release()
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away with what it began; one that is lost is not waited for.
    if (isLostLine(error) || isStalePlan(error)) client.release(true)
    else
      await open.rollback().then(
        () => {
          client.release()
        },
        () => {
          client.release(true)
        },
      )
    if (error instanceof DatabaseError && error.code === keyTaken) throw new MarketError('IDEMPOTENCY_IN_FLIGHT')
    throw open.mayBeKept() ? error : asUnwritten(error)
  }
}
