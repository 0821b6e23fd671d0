import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startCluster, type Cluster } from '@ergon/dev-env/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, startRig, type Rig } from '../adapters/rig.ts'
import { aTask, expectStatus, startLiveMarket, type Party } from '../http/live-market.ts'
import { authenticated } from '../http/live-socket.ts'

/** A backup is restored into a new cluster, whose transaction ids are smaller; readers come back with their cursors. */

let rig: Rig
let before: Cluster
let after: Cluster
const folder = mkdtempSync(join(tmpdir(), 'ergon-dump-'))
const dump = join(folder, 'backup')
beforeAll(async () => {
  ;[rig, before, after] = await Promise.all([startRig(), startCluster(), startCluster()])
})
afterAll(async () => {
  await Promise.all([rig, before, after].map((one) => one[Symbol.asyncDispose]()))
  rmSync(folder, { recursive: true })
})

type Page = {
  readonly events: readonly { readonly data: unknown; readonly cursor: string }[]
  readonly next_cursor: string
}

async function read(party: Party, cursor: string): Promise<Page> {
  const reply = expectStatus(await party.call('GET', `/api/v1/events?cursor=${cursor}&limit=200&wait_seconds=2`), 200)
  return reply.body as unknown as Page // the contract's output
}

/** What waits behind an older transaction is not in the first answer. */
async function readUntil(party: Party, cursor: string, count: number): Promise<Page> {
  return eventually(
    () => read(party, cursor),
    ({ events }) => events.length >= count,
  )
}

const tasksIn = (page: Page): readonly unknown[] =>
  page.events.map(({ data }) => (data as { readonly task_id: string }).task_id)

async function publish(party: Party): Promise<string> {
  return String(expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
}

test('a cursor of before a dump, and one of after it, go on in the restored cluster: nothing is missed or told twice', async () => {
  before.create('ergon')
  // The old cluster has lived: its transaction ids are far ahead of a new one's.
  const old = new pg.Client({ connectionString: before.url('ergon') })
  await old.connect()
  await old.query('do $$ begin for i in 1..4000 loop perform pg_current_xact_id(); commit; end loop; end $$')
  await old.end()
  const cursors = { early: '', late: '' }
  const tasks = { early: '', kept: '', lost: '' }
  let publisher: Party
  {
    await using live = await startLiveMarket({ DATABASE_URL: before.url('ergon') }, rig)
    publisher = await live.party(0n)
    tasks.early = await publish(publisher)
    cursors.early = (await read(publisher, 'now')).next_cursor
    tasks.kept = await publish(publisher)
    before.dump('ergon', dump)
    tasks.lost = await publish(publisher)
    const page = await readUntil(publisher, cursors.early, 2)
    expect(tasksIn(page)).toEqual([tasks.kept, tasks.lost])
    cursors.late = page.next_cursor
  }
  after.restore('ergon', dump)
  await using live = await startLiveMarket({ DATABASE_URL: after.url('ergon') }, rig)
  await pause(1_000) // what is signed in the second of a restore is refused
  publisher = live.known(publisher)
  using socket = await authenticated(live.url, publisher.key, cursors.late)
  using early = await authenticated(live.url, publisher.key, cursors.early)
  const fresh = [await publish(publisher), await publish(publisher)]
  expect(tasksIn(await readUntil(publisher, cursors.early, 3))).toEqual([tasks.kept, ...fresh])
  const late = await readUntil(publisher, cursors.late, 2)
  expect(tasksIn(late)).toEqual(fresh)
  expect(tasksIn(await read(publisher, late.events[0]?.cursor ?? ''))).toEqual([fresh[1]])
  await socket.next(({ payload }) => JSON.stringify(payload).includes(String(fresh[1])))
  await early.next(({ payload }) => JSON.stringify(payload).includes(String(fresh[1])))
  expect(socket.events().map(({ taskId }) => taskId)).toEqual(fresh)
  expect(early.events().map(({ taskId }) => taskId)).toEqual([tasks.kept, ...fresh])
})

test('a copy of the files goes on with ids that were used since: cursors of that time miss nothing', async () => {
  await using original = await startCluster()
  original.create('ergon')
  const env = { DATABASE_URL: original.url('ergon') }
  let publisher: Party
  {
    await using live = await startLiveMarket(env, rig)
    publisher = await live.party(0n)
    await publish(publisher)
  }
  const openCopy = await original.copy()
  let late: string
  {
    await using live = await startLiveMarket(env, rig)
    publisher = live.known(publisher)
    const start = (await read(publisher, 'now')).next_cursor
    const lost = [await publish(publisher), await publish(publisher), await publish(publisher)]
    const page = await readUntil(publisher, start, lost.length)
    expect(tasksIn(page)).toEqual(lost)
    late = page.next_cursor
  }
  // An epoch is known by its second.
  await pause(1_000)
  await using copy = await openCopy()
  await using live = await startLiveMarket({ DATABASE_URL: copy.url('ergon') }, rig)
  publisher = live.known(publisher)
  const fresh = await publish(publisher)
  expect(tasksIn(await readUntil(publisher, late, 1))).toEqual([fresh])
})
