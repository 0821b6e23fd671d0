import { setTimeout } from 'node:timers/promises'
import { createTestDatabase, ownClock } from '@ergon/dev-env/testing'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openWakeChannel } from '../../src/adapters/postgres/index.ts'
import { eventually } from '../adapters/rig.ts'
import { lineTo } from './line-to-database.ts'

/** The connection that tells of events comes back by itself, and its end never ends the process. */

const times = { reconnectMs: 50, beatMs: 200, silenceMs: 500 }

async function listening(url: string, beatMs = times.beatMs) {
  const heard = { woken: 0, errors: [] as string[] }
  const channel = openWakeChannel({
    databaseUrl: url,
    onWoken: () => {
      heard.woken += 1
    },
    onError: (error) => {
      heard.errors.push(String(error))
    },
    times: { ...times, beatMs },
  })
  onTestFinished(() => channel[Symbol.asyncDispose]())
  await eventually(
    () => Promise.resolve(heard.woken),
    (woken) => woken > 0,
  )
  return { channel, heard }
}

const backends = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

test('its backend is terminated again and again: the server says why, then the line ends, and it listens again', async () => {
  await using database = await createTestDatabase()
  const aside = new pg.Client({ connectionString: database.url })
  await aside.connect()
  const { channel, heard } = await listening(database.url)
  for (let round = 0; round < 5; round += 1) {
    const before = heard.woken
    await Promise.all([
      aside.query(`select pg_terminate_backend(pid) ${backends}`),
      aside.query(`select pg_terminate_backend(pid) ${backends}`),
    ])
    await eventually(
      () => Promise.resolve(heard.woken),
      (woken) => woken > before,
    )
    expect(heard.woken).toBeGreaterThan(before)
  }
  expect((await aside.query(`select 1 ${backends}`)).rowCount).toBe(1)
  const other = await listening(database.url)
  const before = heard.woken
  other.channel.tell()
  await eventually(
    () => Promise.resolve(heard.woken),
    (woken) => woken > before,
  )
  expect(heard.woken).toBeGreaterThan(before)
  await channel[Symbol.asyncDispose]()
  await aside.end()
})

test('each process is woken by what another one committed, and not by its own word', async () => {
  await using database = await createTestDatabase()
  const [one, other] = [await listening(database.url), await listening(database.url)]
  const before = { one: one.heard.woken, other: other.heard.woken }
  for (let word = 1; word <= 3; word += 1) {
    one.channel.tell()
    await eventually(
      () => Promise.resolve(other.heard.woken),
      (woken) => woken === before.other + word,
    )
  }
  expect(other.heard.woken).toBe(before.other + 3)
  // Words come in their order: that of the other one comes behind those of its own.
  other.channel.tell()
  await eventually(
    () => Promise.resolve(one.heard.woken),
    (woken) => woken > before.one,
  )
  expect(one.heard.woken).toBe(before.one + 1)
})

test('a word goes out at once, and those that follow it share few, the last of which is heard', async () => {
  await using database = await createTestDatabase()
  const [one, other] = [await listening(database.url), await listening(database.url)]
  const before = other.heard.woken
  const startedAt = performance.now()
  let told = 0
  for (; performance.now() - startedAt < 400; told += 1) {
    one.channel.tell()
    await setTimeout(1)
  }
  const atTheEnd = other.heard.woken
  // A gap is twenty milliseconds.
  const most = 2 + (performance.now() - startedAt) / 20
  one.channel.tell()
  await eventually(
    () => Promise.resolve(other.heard.woken),
    (woken) => woken > atTheEnd,
  )
  expect(told).toBeGreaterThan(most)
  expect(atTheEnd - before).toBeGreaterThan(0)
  expect(atTheEnd - before).toBeLessThanOrEqual(most)
})

test('a line that goes silent is left for another', async () => {
  await using database = await createTestDatabase()
  const { line, url } = await lineTo(database.url)
  onTestFinished(() => line[Symbol.asyncDispose]())
  const { heard } = await listening(url)
  line.mute()
  await eventually(
    () => Promise.resolve(heard.errors.length),
    (count) => count > 0,
  )
  expect(heard.errors[0]).toMatch(/Query read timeout/)
  const before = heard.woken
  await line.open()
  await eventually(
    () => Promise.resolve(heard.woken),
    (woken) => woken > before,
  )
  expect(heard.woken).toBeGreaterThan(before)
})

test('whoever closes it waits for no answer of a silent line', async () => {
  await using database = await createTestDatabase()
  const { line, url } = await lineTo(database.url)
  onTestFinished(() => line[Symbol.asyncDispose]())
  const { channel } = await listening(url)
  line.mute()
  const ownMs = ownClock()
  await channel[Symbol.asyncDispose]()
  expect(await ownMs()).toBeLessThan(4_000)
})

test('a database that ends what is idle does not end it', async () => {
  await using database = await createTestDatabase()
  const aside = new pg.Client({ connectionString: database.url })
  await aside.connect()
  await aside.query(`do $$ begin
    execute format('alter database %I set idle_session_timeout = 1500', current_database()); end $$`)
  await aside.end()
  const { heard } = await listening(database.url, 60_000)
  await setTimeout(2_500)
  expect(heard).toEqual({ woken: 1, errors: [] })
})
