import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { createApp, decideConfig, readEnv, readSecrets } from '../../src/index.ts'
import type { Pool } from 'pg'
import { eventually } from '../adapters/rig.ts'
import { signed } from '../dispatch/tiny-service.ts'
import { listen } from '../http/event-lines.ts'
import { aTask, envOf, expectStatus, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { authenticated, subscribed } from '../http/live-socket.ts'
import { countOf, keptRows, writeDeciding, writeKept } from './kept-rows.ts'

const past = 2_300
const others = 4
/** What runs as it is: its events are its own, and the epochs of its keys too. */
const flooded = Object.values(keptRows)
  .flat()
  .filter(({ table }) => table !== 'outbox' && table !== 'oauth_signing_epochs')

let live: LiveMarket
let pool: Pool
let publisher: Party
beforeAll(async () => {
  live = await startLiveMarket({}, undefined, { withoutDuties: true })
  pool = createPool(live.databaseUrl, { size: 2 })
  publisher = await live.party(10n)
})
afterAll(async () => {
  await pool.end()
  await live[Symbol.asyncDispose]()
})

const publish = async (): Promise<string> =>
  String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])

async function placeNow(): Promise<string> {
  return String(expectStatus(await publisher.call('GET', '/api/v1/events?cursor=now'), 200).body['next_cursor'])
}

async function tasksAfter(query: string): Promise<readonly unknown[]> {
  const { body } = expectStatus(await publisher.call('GET', `/api/v1/events${query}`), 200)
  // The contract's output.
  return (body['events'] as readonly { readonly data: Readonly<Record<string, unknown>> }[]).map(
    ({ data }) => data['task_id'],
  )
}

/** What a reader is told who goes on from a place, on each way. */
async function toldFrom(place: string): Promise<readonly unknown[]> {
  const page = await publisher.call('GET', `/api/v1/events?cursor=${place}`)
  const open = await live.get(`/api/v1/events?scope=public&cursor=${place}`)
  const target = '/api/v1/events/stream'
  const headers = await signed('GET', target, undefined, { key: publisher.key, headers: { 'last-event-id': place } })
  await using stream = await listen(live.url, target, headers)
  using socket = await authenticated(live.url, publisher.key)
  const room = await subscribed(socket, 'global', place)
  return [page.body['code'], open.body['code'], stream.status, room.type, room.payload['code']]
}

test('a process that begins on a database of long ago forgets all that is past its time, and nothing else', async () => {
  const first = await placeNow()
  const oldTask = await publish()
  // What is told waits for whoever writes beside it.
  await expect.poll(() => tasksAfter(`?cursor=${first}`)).toEqual([oldTask])
  const second = await placeNow()
  await writeDeciding(pool)
  for (const kept of flooded) await writeKept(pool, kept, past, others)
  // Ninety days go by for all that has happened; what is published now is young.
  await pool.query("update outbox set at = at - interval '90 days'")
  const youngTask = await publish()
  await expect.poll(() => tasksAfter(`?cursor=${first}`)).toEqual([oldTask, youngTask])
  expect(await toldFrom(first)).toEqual([undefined, undefined, 200, 'subscribed', undefined])

  const counts = (): Promise<number[]> => Promise.all(flooded.map((kept) => countOf(pool, kept)))
  const before = await counts()
  const ofTable = (table: string): number => flooded.filter((kept) => kept.table === table).length
  const wanted = flooded.map(({ table }, index) => (before[index] ?? 0) - past * ofTable(table))
  const raw = readEnv(envOf(live.rig, live.databaseUrl, {}))
  const config = decideConfig(raw)
  await using another = await createApp(config, readSecrets(raw, config))
  await another.listen()
  const isDone = (left: readonly number[]): boolean => JSON.stringify(left) === JSON.stringify(wanted)
  expect(await eventually(counts, isDone, 60_000)).toEqual(wanted)

  // Whoever reads from before what is forgotten is told so, on every way; whoever had read it, or begins, is not.
  expect(await toldFrom(first)).toEqual(['EVENTS_FORGOTTEN', 'EVENTS_FORGOTTEN', 410, 'error', 'EVENTS_FORGOTTEN'])
  expect(await tasksAfter('')).toEqual([youngTask])
  expect(await tasksAfter(`?cursor=${second}`)).toEqual([youngTask])
  expect((await pool.query('select 1 from outbox where task_id = $1', [oldTask])).rowCount).toBe(0)
  expectStatus(await live.get(`/api/v1/tasks/${oldTask}`), 200)
}, 180_000)
