import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { overConnection } from '../../postgres/over-connection.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { queryDatabase } from '../../testing/query-database.ts'
import type { Line } from './line.ts'
import { pass, type Fate, type Passing } from './passing.ts'
import { startPgLine } from './pg-line.ts'

let database: TestDatabase
let line: Line
let decide: (passing: Passing) => Fate
let lost: string[]
beforeAll(async () => {
  database = await createTestDatabase()
  await queryDatabase(database.url, 'create table notes (body text primary key)')
  const { host, port } = await reachOf(database.url)
  expect(host).toContain('127.0.0.1')
  line = await startPgLine({
    from: 'server-a',
    target: () => port,
    decide: (passing) => decide(passing),
    onLost: ({ name }) => {
      lost.push(name)
    },
  })
})
afterAll(async () => {
  await line[Symbol.asyncDispose]()
  await database.drop()
})
beforeEach(() => {
  decide = () => pass
  lost = []
})

async function reachOf(url: string): Promise<{ readonly host: string; readonly port: number }> {
  const [row] = await queryDatabase(
    url,
    "select current_setting('port') as port, current_setting('listen_addresses') as host",
  )
  return { host: String(row?.['host']), port: Number(row?.['port']) }
}

function through<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL(database.url)
  url.search = ''
  url.host = `127.0.0.1:${String(line.port)}`
  return overConnection(url.href, work)
}

const bodies = async (): Promise<readonly unknown[]> =>
  (await queryDatabase(database.url, 'select body from notes order by body')).map(({ body }) => body)

test('a commit whose answer is lost is durable, and the client knows only that the line broke', async () => {
  decide = ({ name }) => (name === 'commit notes.insert' ? { kind: 'lose' } : pass)
  await expect(
    through(async (client) => {
      await client.query('begin')
      await client.query('insert into notes values ($1)', ['committed'])
      await client.query('commit')
    }),
  ).rejects.toThrow(/Connection terminated/)
  await expect.poll(bodies).toContain('committed')
  expect(lost).toEqual(['commit notes.insert'])
})

test('a statement that is cut on its way never happens', async () => {
  decide = ({ name }) => (name === 'notes.insert' ? { kind: 'cut' } : pass)
  await expect(through((client) => client.query('insert into notes values ($1)', ['cut']))).rejects.toThrow(
    /Connection terminated/,
  )
  expect(await bodies()).not.toContain('cut')
})

test('an answer that is an error is no effect whose answer was lost', async () => {
  await through((client) => client.query('insert into notes values ($1)', ['twin']))
  decide = ({ hasEffect }) => (hasEffect ? { kind: 'lose' } : pass)
  await expect(through((client) => client.query('insert into notes values ($1)', ['twin']))).rejects.toThrow(
    /Connection terminated/,
  )
  expect(lost).toEqual([])
})

test('a statement that is held happens after its asker has gone', async () => {
  decide = ({ name }) => (name === 'notes.insert' ? { kind: 'hold', ms: 1_000 } : pass)
  await through(async (client) => {
    client.query('insert into notes values ($1)', ['late']).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
    // The driver keeps its socket to itself; a process that dies closes it like this.
    ;(
      client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
    ).connection.stream.destroy()
  })
  expect(await bodies()).not.toContain('late')
  await expect.poll(bodies).toContain('late')
})

test('over a connection that is silenced nothing comes any more, nor does it end; a new one is as ever', async () => {
  await through(async (client) => {
    await client.query('select 1')
    line.silence()
    let outcome = 'nothing'
    client.on('end', () => (outcome = 'end'))
    client.query('insert into notes values ($1)', ['unheard']).then(
      () => (outcome = 'answer'),
      () => (outcome = 'error'),
    )
    await through((other) => other.query('insert into notes values ($1)', ['heard']))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(outcome).toBe('nothing')
    ;(
      client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
    ).connection.stream.destroy()
  })
  expect(await bodies()).toContain('heard')
  expect(await bodies()).not.toContain('unheard')
})
