import pg from 'pg'
import { expect, test } from 'vitest'
import { overConnection } from '../postgres/over-connection.ts'
import { queryDatabase } from './query-database.ts'
import { createTestDatabase } from './test-database.ts'

let migrations = 0

async function migrate(url: string): Promise<void> {
  migrations += 1
  const pool = new pg.Pool({ connectionString: url })
  await pool.query('CREATE TABLE notes (body text)')
  await pool.end()
}

test('each test database has the schema, and nothing of its neighbour; the schema is built once', async () => {
  const [left, right] = await Promise.all([0, 1].map(() => createTestDatabase({ migrate, schema: 'notes' })))
  if (left === undefined || right === undefined) throw new Error('two databases were asked for')
  const [one, other] = [new pg.Client({ connectionString: left.url }), new pg.Client({ connectionString: right.url })]
  await Promise.all([one.connect(), other.connect()])
  await one.query("INSERT INTO notes VALUES ('mine')")
  expect((await one.query('SELECT body FROM notes')).rowCount).toBe(1)
  expect((await other.query('SELECT body FROM notes')).rowCount).toBe(0)
  await Promise.all([one.end(), other.end()])
  await Promise.all([left.drop(), right.drop()])
  expect(migrations).toBe(1)
})

test('a session that a migration is still closing is waited for, and one that it forgot is ended', async () => {
  const told: string[] = []
  const open = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', ({ message }) => told.push(message))
    await client.connect()
    return client
  }
  const leave = (lateMs: number) => async (url: string) => {
    const client = await open(url)
    setTimeout(() => void client.end(), lateMs).unref()
  }
  await using _waited = await createTestDatabase({ schema: 'late', migrate: leave(200) })
  expect(told).toEqual([])
  await using _ended = await createTestDatabase({ schema: 'forgotten', migrate: leave(60_000) })
  await expect.poll(() => told[0]).toContain('terminating connection')
})

test('a server that ends a connection while nothing is asked is told by the next statement, and ends no process', async () => {
  await using database = await createTestDatabase()
  const late = overConnection(database.url, async (client) => {
    const ended = Promise.withResolvers<void>()
    client.once('end', () => {
      ended.resolve()
    })
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await queryDatabase(database.url, 'SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    await ended.promise
    return client.query('SELECT 1')
  })
  await expect(late).rejects.toThrow('not queryable')
})
