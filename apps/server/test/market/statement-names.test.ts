import { expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { createStatementNames } from '../../src/adapters/postgres/statement-names.ts'
import { openStageDatabase } from './stage-database.ts'

test('a text is named from the second time on, and what is new after many texts is not', () => {
  const nameOf = createStatementNames(2)
  expect([nameOf('a'), nameOf('b'), nameOf('c')]).toEqual([undefined, undefined, undefined])
  const [a, b, c] = [nameOf('a'), nameOf('b'), nameOf('c')]
  expect([a, b, c]).toEqual([expect.stringMatching(/^by-text-/), expect.stringMatching(/^by-text-/), undefined])
  expect(a).not.toBe(b)
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
