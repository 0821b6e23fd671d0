import { settleSession, watchRefusals, type Refusals } from '@ergon/process'
import type { Socket } from 'node:net'
import { Pool, Query, types, type ClientBase, type PoolClient, type QueryConfig } from 'pg'
import { boundPlans } from './bounded-plans.ts'
import { createDescribed, type Named, type Told } from './described-query.ts'
import { createStatementNames } from './statement-names.ts'
import { createWordsParser, parseUtcInstant } from './text-parsers.ts'
import { asUnwritten, isStalePlan, noteWritten } from './trouble.ts'

const int8 = 20

const timestamptz = 1184
const textArray = 1009

/** Added up, the wait for a connection and that for an answer stay below the 15 seconds after which nothing hangs. */
const connectMs = 5_000
const statementMs = 8_000
/** The server gives up first: a line that is still silent after that is dead. */
const silenceMs = 9_000
const farewellMs = 2_000

type Parse = (text: string) => unknown
type GetParser = (oid: number, format?: 'text' | 'binary') => Parse

/** Quicker readers of what a page of tasks is full of; whatever they do not know the driver reads. */
function createParsers(): GetParser {
  const driver: GetParser = types.getTypeParser
  const words = createWordsParser()
  const own = new Map<number, Parse>([
    [int8, BigInt],
    [timestamptz, (text) => parseUtcInstant(text) ?? driver(timestamptz)(text)],
    [textArray, (text) => words(text) ?? driver(textArray)(text)],
  ])
  return (oid, format) => (format === 'binary' ? undefined : own.get(oid)) ?? driver(oid, format)
}

const sessionSettings = {
  // Every statement here is written for its index; planning it anew for each call costs more than running it.
  plan_cache_mode: 'force_generic_plan',
  // One request takes one core of the database at a time: the others belong to those who ask beside it.
  max_parallel_workers_per_gather: '0',
  // The other end notices as well that this one is gone, and lets go of what the session holds.
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  statement_timeout: String(statementMs),
  idle_in_transaction_session_timeout: String(statementMs),
}

/** A connection that cannot be told how things are done here is not used; nothing was written over it. */
async function settle(client: ClientBase): Promise<void> {
  try {
    await settleSession(client, sessionSettings)
  } catch (error) {
    throw asUnwritten(error)
  }
}

/**
 * A pool whose bigint columns are bigints; the setting is this pool's own, not the driver's. Nothing asked of it
 * hangs: a silent line ends as a lost one.
 */
export function createPool(
  url: string,
  options: { readonly size?: number; readonly onError?: (error: Error) => void } = {},
): Pool {
  const pool = new Pool({
    connectionString: url,
    max: options.size ?? 10,
    connectionTimeoutMillis: connectMs,
    query_timeout: silenceMs,
    // The types of the driver do not know that it is waited for.
    ...({ onConnect: settle } as object),
    keepAlive: true,
    keepAliveInitialDelayMillis: connectMs,
    types: { getTypeParser: createParsers() },
    // What a transaction says goes out behind what it said before, without waiting for the answer (decision 0264).
    pipeline: true,
  })
  // Of a connection that ends while it is lent out the driver tells the client alone, and an error nobody hears ends
  // the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)))
  pool.on('connect', (client) => {
    boundPlans(client)
  })
  nameStatements(pool)
  sendTogether(pool)
  pool.on('error', (error) => options.onError?.(error))
  noteWrites(pool)
  refusalsOf.set(pool, watchRefusals(pool))
  return endInTime(pool)
}

/**
 * A text that comes with values is given a name, unless its author made a query of it that has none: a connection reads
 * and plans it once, and not at every call (decision 0258), and is told of its columns once (decision 0272).
 */
function nameStatements(pool: Pool): void {
  const nameOf = createStatementNames()
  const described = createDescribed()
  const namedOf = (statement: unknown, values: unknown): Named | undefined => {
    if (typeof statement === 'string') {
      const name = Array.isArray(values) ? nameOf(statement) : undefined
      return name === undefined ? undefined : { name, text: statement, values: values as unknown[] }
    }
    return isNamed(statement) && values === undefined ? statement : undefined
  }
  pool.on('connect', (client) => {
    // Of the overloads these are used here: by the driver's pool with a callback, by ours with a promise.
    const ask = client.query.bind(client) as (...given: unknown[]) => unknown
    const query = (statement: unknown, ...rest: unknown[]): unknown => {
      const named = namedOf(statement, rest[0])
      if (named === undefined) return ask(statement, ...rest)
      const told = rest[1]
      return typeof told === 'function' ? described.tell(ask, named, told as Told) : described.ask(ask, named)
    }
    Object.assign(client, { query })
  })
}

/** Of what the driver takes: a statement with a name and nothing that asks for another way. */
function isNamed(statement: unknown): statement is Named {
  return (
    typeof statement === 'object' &&
    statement !== null &&
    !(statement instanceof Query) &&
    'name' in statement &&
    statement.name !== undefined &&
    Object.keys(statement).every((key) => ['name', 'text', 'values'].includes(key))
  )
}

/** What is said within one turn goes out in one piece: each piece wakes the database. */
function sendTogether(pool: Pool): void {
  pool.on('connect', (client) => {
    const socket = socketOf(client)
    // As above: whatever the driver was given it is given.
    const ask = client.query.bind(client) as (...given: unknown[]) => unknown
    let isHeld = false
    const query = (...given: unknown[]): unknown => {
      if (!isHeld) {
        isHeld = true
        socket?.cork()
        process.nextTick(() => {
          isHeld = false
          socket?.uncork()
        })
      }
      return ask(...given)
    }
    Object.assign(client, { query })
  })
}

/** Statements asked for by themselves: a failed read wrote nothing, and what wrote is remembered of the request. */
function noteWrites(pool: Pool): void {
  // Of the overloads only this one is used here.
  const ask = pool.query.bind(pool) as (statement: string | QueryConfig, values?: unknown[]) => Promise<unknown>
  const query = async (statement: string | QueryConfig, values?: unknown[]): Promise<unknown> => {
    const isWrite = mayWrite(typeof statement === 'string' ? statement : statement.text)
    try {
      // A query that is an object is submitted once: whoever made it makes another.
      const result = await (statement instanceof Query
        ? ask(statement, values)
        : freshly(pool, () => ask(statement, values)))
      if (isWrite) noteWritten()
      return result
    } catch (error) {
      throw isWrite ? error : asUnwritten(error)
    }
  }
  Object.assign(pool, { query })
}

/**
 * Asks again while a connection knows the statement by the columns that it had before a migration (decision 0118). Each
 * such connection is thrown away by whoever found it out, so there is an end to them.
 */
export async function freshly<T>(pool: Pool, ask: () => Promise<T>): Promise<T> {
  for (let left = pool.options.max; ; left -= 1) {
    try {
      return await ask()
    } catch (error) {
      if (left <= 0 || !isStalePlan(error)) throw error
    }
  }
}

/** In doubt a statement is one that writes. */
export function mayWrite(text: string): boolean {
  if (/^\s*(select|values|show)\b/i.test(text)) return false
  return !/^\s*with\b/i.test(text) || /\b(insert|update|delete|merge)\b/i.test(text)
}

const refusalsOf = new WeakMap<Pool, Refusals>()

/** For how long the database has taken in no new connection of this pool, milliseconds. */
export function refusedMs(pool: Pool): number {
  return refusalsOf.get(pool)?.lastingMs() ?? 0
}

/** What each pool has open, and which of it nobody uses. */
type Lines = { readonly open: Set<PoolClient>; readonly idle: Set<PoolClient> }
const linesOf = new WeakMap<Pool, Lines>()

/**
 * Throws away what nobody uses: when one line went silent, the others to the same machine are as dead, and each would
 * cost whoever takes it its whole patience. Lines in use end by their own.
 */
export function dropIdle(pool: Pool): void {
  for (const client of linesOf.get(pool)?.idle ?? []) cutOff(client)
}

function watchLines(pool: Pool): Lines {
  const lines: Lines = { open: new Set(), idle: new Set() }
  pool
    .on('connect', (client) => {
      lines.open.add(client)
    })
    .on('acquire', (client) => {
      lines.idle.delete(client)
    })
    .on('release', (error, client) => {
      // The driver has a value here only when the line is thrown away.
      if ((error as Error | undefined) === undefined) lines.idle.add(client)
    })
    .on('remove', (client) => {
      lines.open.delete(client)
      lines.idle.delete(client)
    })
  linesOf.set(pool, lines)
  return lines
}

/** A farewell that the other end does not answer is not waited for. */
function endInTime(pool: Pool): Pool {
  const { open } = watchLines(pool)
  const end = pool.end.bind(pool)
  return Object.assign(pool, {
    async end(): Promise<void> {
      const overdue = setTimeout(() => {
        for (const client of open) cutOff(client)
      }, farewellMs)
      await end().finally(() => {
        clearTimeout(overdue)
      })
    },
  })
}

/** The driver keeps its socket to itself. */
const socketOf = (client: object): Socket | undefined =>
  (client as { readonly connection?: { readonly stream?: Socket } }).connection?.stream

/** Ends a line that is silent: the driver offers no other way. */
export function cutOff(client: object): void {
  socketOf(client)?.destroy()
}

/** Whether the database answers at all. */
export async function databaseAnswers(pool: Pool): Promise<boolean> {
  // A statement may bring its own patience, which the types of the driver do not know.
  const question: QueryConfig & { readonly query_timeout: number } = { text: 'select 1', query_timeout: 2_000 }
  return pool.query(question).then(
    () => true,
    () => false,
  )
}
