import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { inKeyedTransaction } from '../../src/adapters/postgres/keyed-call.ts'
import { beginOn } from '../../src/adapters/postgres/transaction-line.ts'
import { troubleOf } from '../../src/adapters/postgres/trouble.ts'
import type { TcpProxy } from '../adapters/tcp-proxy.ts'
import { lineTo } from './line-to-database.ts'

/** Decision 0264: what has no answer is said without waiting, and nothing of it is kept by halves. */
const stack = new AsyncDisposableStack()
let aside: Pool
let pool: Pool
let line: TcpProxy
beforeAll(async () => {
  const database = stack.use(await createTestDatabase())
  const to = await lineTo(database.url)
  line = stack.use(to.line)
  aside = stack.adopt(createPool(database.url), (one) => one.end())
  pool = stack.adopt(createPool(to.url, { size: 1 }), (one) => one.end())
  await aside.query('create table kept (id integer primary key)')
})
afterAll(() => stack.disposeAsync())
beforeEach(async () => {
  await aside.query('delete from kept')
})

const put = 'insert into kept (id) values ($1)'
const kept = async (): Promise<readonly number[]> =>
  (await aside.query<{ id: number }>('select id from kept order by id')).rows.map(({ id }) => id)
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const inOne = (work: Parameters<typeof inKeyedTransaction<void>>[2]): Promise<void> =>
  inKeyedTransaction(pool, undefined, work)

test('what is told is kept with the commit, and seen by a question after it', async () => {
  await inOne(async (tx) => {
    await tx.tell(put, [1])
    await tx.tell(put, [2])
    const { rows } = await tx.query<{ n: bigint }>('select count(*) as n from kept')
    expect(rows).toEqual([{ n: 2n }])
    await tx.tell(put, [3])
  })
  expect(await kept()).toEqual([1, 2, 3])
})

test('what is said within one turn goes out in one piece, a begin with a question and a commit with what was told', async () => {
  const client = await pool.connect()
  // The driver keeps its socket to itself, and Node what a socket does with a piece.
  const { stream } = (client as unknown as { connection: { stream: Record<'_write' | '_writev', () => void> } })
    .connection
  client.release()
  const pieces = [vi.spyOn(stream, '_write'), vi.spyOn(stream, '_writev')]
  await inOne(async (tx) => {
    await tx.query('select id from kept for update')
    await tx.tell(put, [1])
    await tx.tell(put, [2])
  })
  expect(pieces.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(2)
  vi.restoreAllMocks()
})

test('what the database does not take undoes all of it, and the commit behind it fails with the reason', async () => {
  const failure = await failureOf(
    inOne(async (tx) => {
      await tx.tell(put, [1])
      await tx.tell(put, [1])
      await tx.tell(put, [2])
    }),
  )
  expect(failure).toMatchObject({ code: '23505' })
  expect(await kept()).toEqual([])
  // The connection is of use to whoever takes it next.
  await inOne((tx) => tx.tell(put, [7]))
  expect(await kept()).toEqual([7])
})

test('a question after what the database did not take fails with that reason as well', async () => {
  const failure = await failureOf(
    inOne(async (tx) => {
      await tx.tell(put, [1])
      await tx.tell(put, [1])
      await tx.query('select id from kept')
    }),
  )
  expect(failure).toMatchObject({ code: '23505' })
})

test('a refusal that the work swallows is not committed as if nothing had been', async () => {
  const failure = await failureOf(
    inOne(async (tx) => {
      await tx.tell(put, [1])
      await tx.query('select 1/0').catch(() => undefined)
    }),
  )
  expect(failure).toMatchObject({ code: '22012' })
  expect(await kept()).toEqual([])
})

test('values that cannot be sent fail at once, and nothing is kept', async () => {
  const failure = await failureOf(
    inOne(async (tx) => {
      await tx.tell(put, [1])
      await tx.tell(put, [{ toPostgres: () => JSON.stringify({ id: 2n }) }])
    }),
  )
  expect(failure).toBeInstanceOf(TypeError)
  expect(await kept()).toEqual([])
  // The driver has made the connection forget the statement; it is another's turn all the same.
  await inOne((tx) => tx.tell(put, [7]))
  expect(await kept()).toEqual([7])
})

test('more may be told than is ever left unanswered', async () => {
  await inOne(async (tx) => {
    for (let id = 0; id < 250; id += 1) await tx.tell(put, [id])
  })
  expect(await kept()).toHaveLength(250)
})

test('the lost answer to what was told with the commit behind it means unknown', async () => {
  const loss = line.loseAnswerTo('commit')
  const failure = await failureOf(inOne((tx) => tx.tell(put, [1])))
  expect(loss.hasHappened()).toBe(true)
  expect(troubleOf(failure)).toBe('unknown')
  await expect.poll(kept).toEqual([1])
})

test('a backend that ends while it carries out what was told has kept nothing, and the commit behind it says so', async () => {
  const failure = await failureOf(
    inOne(async (tx) => {
      await tx.tell(put, [1])
      await tx.tell('select pg_terminate_backend(pg_backend_pid()), pg_sleep($1)', [5])
    }),
  )
  expect(failure).toMatchObject({ code: '57P01' })
  expect(troubleOf(failure)).toBe('unwritten')
  expect(await kept()).toEqual([])
})

test('a line that is lost before the commit is sent has written nothing', async () => {
  const failure = await failureOf(
    inOne(async (tx) => {
      await tx.tell(put, [1])
      const loss = line.loseAnswerTo('select 2')
      await tx.query('select 2 as two')
      expect(loss.hasHappened()).toBe(true)
    }),
  )
  expect(troubleOf(failure)).toBe('unwritten')
  expect(await kept()).toEqual([])
})

/** A connection whose begin fails, and which would take everything else. */
function withoutBegin(): { readonly client: PoolClient; readonly sent: string[] } {
  const sent: string[] = []
  const query = (text: string): Promise<unknown> => {
    sent.push(text)
    return text === 'begin' ? Promise.reject(new Error('no begin')) : Promise.resolve({ rows: [], command: 'COMMIT' })
  }
  return { client: { query } as unknown as PoolClient, sent } // nothing else of it is asked for
}

test('where the begin fails only a question was sent, and nothing that writes', async () => {
  const told = withoutBegin()
  await expect(beginOn(told.client).tell(put, [1])).rejects.toThrow('no begin')
  expect(told.sent).toEqual(['begin'])
  const written = withoutBegin()
  await expect(beginOn(written.client).query('delete from kept returning id')).rejects.toThrow('no begin')
  expect(written.sent).toEqual(['begin'])
  const asked = withoutBegin()
  const open = beginOn(asked.client)
  await expect(open.query('select id from kept for update')).rejects.toThrow('no begin')
  await expect(open.commit()).rejects.toThrow('no begin')
  expect(asked.sent).toEqual(['begin', 'select id from kept for update'])
  expect(open.mayBeKept()).toBe(false)
})
