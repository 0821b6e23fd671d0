import { expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { createStatementNames } from '../../src/adapters/postgres/statement-names.ts'
import { openStageDatabase } from './stage-database.ts'

test('a text is named from the second time on, and one that was not asked for in a long time begins anew', () => {
  const nameOf = createStatementNames(2)
  expect([nameOf('a'), nameOf('b')]).toEqual([undefined, undefined])
  const [a, b] = [nameOf('a'), nameOf('b')]
  expect([a, b]).toEqual([expect.stringMatching(/^by-text-/), expect.stringMatching(/^by-text-/)])
  expect(a).not.toBe(b)
  // What is asked for all the time keeps its name, however many others come by.
  for (const other of ['c', 'd', 'e']) expect([nameOf('a'), nameOf(other)]).toEqual([a, undefined])
  expect(nameOf('b')).toBeUndefined()
  // Another process has the same name for it, in whatever order it asks.
  const elsewhere = createStatementNames()
  elsewhere('b')
  elsewhere('a')
  expect(elsewhere('a')).toBe(a)
})

test('a connection reads and plans once what it is asked again, by itself and within a transaction', async () => {
  const { databaseUrl, drop } = await openStageDatabase()
  const pool = createPool(databaseUrl, { size: 1 })
  try {
    const prepared = async (): Promise<number> => {
      const { rows } = await pool.query<{ count: bigint }>(
        "select count(*) from pg_prepared_statements where statement like '%twenty%'",
      )
      return Number(rows[0]?.count)
    }
    const text = 'select $1::int + 20 as twenty'
    for (let time = 0; time < 3; time += 1)
      expect((await pool.query(text, [time])).rows).toEqual([{ twenty: time + 20 }])
    expect(await prepared()).toBe(1)
    const client = await pool.connect()
    for (let time = 0; time < 3; time += 1)
      expect((await client.query('select $1::int * 20 as twenty', [time])).rows).toEqual([{ twenty: time * 20 }])
    client.release()
    expect(await prepared()).toBe(2)
    // What its author gives no name is planned with its values.
    for (let time = 0; time < 3; time += 1) await pool.query({ text: 'select $1::int - 20 as twenty', values: [time] })
    expect(await prepared()).toBe(2)
  } finally {
    await pool.end()
    await drop()
  }
})

test('what was prepared before a migration is prepared anew', async () => {
  const { databaseUrl, drop } = await openStageDatabase()
  const pool = createPool(databaseUrl, { size: 1 })
  try {
    const read = () => pool.query<{ wallet: string }>('select * from bans where wallet = $1', ['0x1'])
    for (let time = 0; time < 3; time += 1) await read()
    await pool.query('alter table bans add column since_when text')
    expect((await read()).fields.map(({ name }) => name)).toContain('since_when')
  } finally {
    await pool.end()
    await drop()
  }
})
