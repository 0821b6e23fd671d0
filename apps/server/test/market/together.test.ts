import type { Store } from '@ergon/core'
import type { Pool, QueryConfig } from 'pg'
import { expect, test } from 'vitest'
import { createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { gateTask, openStage, publisher, type Stage } from './stage.ts'

type Draft = Parameters<Store['publish']>[0]
type Filter = Parameters<Store['tasks']>[0]

const open: Filter = {
  status: 'published',
  category: null,
  network: null,
  publisher: null,
  words: null,
  takenBy: null,
  anyStatus: false,
}
const page = { limit: 3, offset: 0, cursor: null }
/** So much that the rows of a few pages come in many pieces. */
const long = 'Take a picture of the gate. '.repeat(150)

/** A store over the same database, and the names of the statements that it asks for by themselves. */
function listenTo(stage: Stage): { readonly store: Store; readonly asked: string[] } {
  const asked: string[] = []
  const pool = Object.create(stage.pool, {
    query: {
      value: (statement: QueryConfig, values?: unknown[]) => {
        asked.push(typeof statement === 'string' ? statement : (statement.name ?? statement.text))
        return stage.pool.query(statement, values)
      },
    },
  }) as Pool // the same pool, and each statement is noted
  return { store: createPostgresStore(pool, { identityNetwork: 'localnet' }), asked }
}

async function publishSome(stage: Stage, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const category = at % 2 === 0 ? 'simple_action' : 'physical_presence'
    ids.push((await stage.market.publish(publisher, gateTask({ title: `Gate ${String(at)}`, category }))).task.id)
  }
  return ids.toReversed()
}

/** What is published, under ids of its own. */
async function drafts(stage: Stage, count: number): Promise<readonly Draft[]> {
  const { task } = await stage.market.publish(publisher, gateTask())
  return Array.from({ length: count }, (_, at) => ({
    ...task,
    id: stage.deps.ids.next(),
    title: `Draft ${String(at)}`,
    paymentAuth: null,
  }))
}

test('pages that are asked for at once are read by few statements, each what it is when it is read alone', async () => {
  await using stage = await openStage()
  const ids = await publishSome(stage, 9)
  const { store, asked } = listenTo(stage)
  const requests = Array.from({ length: 60 }, (_, at) => ({
    filter: { ...open, category: at % 3 === 0 ? ('simple_action' as const) : null },
    page: { limit: 1 + (at % 4), offset: 0, cursor: at % 2 === 0 ? null : (ids[at % 9] ?? null) },
  }))
  const together = await Promise.all(requests.map(({ filter, page: wanted }) => store.tasks(filter, wanted)))
  const statements = asked.filter((name) => name.startsWith('task-pages')).length
  expect(statements).toBeLessThanOrEqual(8)
  const alone = []
  for (const { filter, page: wanted } of requests) alone.push(await store.tasks(filter, wanted))
  expect(together).toEqual(alone)
  const first = await store.tasks(open, page)
  expect(first.rows.map(({ id }) => id)).toEqual(ids.slice(0, 3))
  const next = await store.tasks(open, { ...page, cursor: first.nextCursor })
  expect(next.rows.map(({ id }) => id)).toEqual(ids.slice(3, 6))
})

/** Decision 0267. */
test('a page is answered while the rest of its statement is read', async () => {
  await using stage = await openStage()
  for (let at = 0; at < 9; at += 1) await stage.market.publish(publisher, gateTask({ instructions: long }))
  const happened: string[] = []
  const pool = Object.create(stage.pool, {
    query: {
      value: async (statement: QueryConfig, values?: unknown[]) => {
        const answer = await stage.pool.query(statement, values)
        if (statement.name?.startsWith('task-pages') === true) happened.push('the statement ended')
        return answer
      },
    },
  }) as Pool // the same pool, and the end of each statement is noted
  const store = createPostgresStore(pool, { identityNetwork: 'localnet' })
  // The total is known from here on.
  await store.tasks(open, page)
  happened.length = 0
  const pages = Array.from({ length: 30 }, async () => {
    const { rows } = await store.tasks(open, { ...page, limit: 8 })
    happened.push(`a page of ${String(rows.length)}`)
  })
  await Promise.all(pages)
  expect(happened[0]).toBe('a page of 8')
  expect(happened.filter((what) => what === 'the statement ended')).toHaveLength(1)
  expect(happened.indexOf('the statement ended')).toBeGreaterThan(15)
})

test('a page that begins after a task was published shows it, however many pages are being read', async () => {
  await using stage = await openStage()
  const { store } = listenTo(stage)
  for (let round = 0; round < 10; round += 1) {
    const underWay = Array.from({ length: 30 }, () => store.tasks(open, page))
    const { task } = await stage.market.publish(publisher, gateTask())
    expect((await store.tasks(open, page)).rows[0]?.id).toBe(task.id)
    await Promise.all(underWay)
  }
})

test('tasks that are asked for at once are read by few statements, each as if alone; what is no id fails alone', async () => {
  await using stage = await openStage()
  const ids = await publishSome(stage, 4)
  const { store, asked } = listenTo(stage)
  const unknown = stage.deps.ids.next()
  const wanted = Array.from({ length: 90 }, (_, at) => (at % 6 === 5 ? unknown : (ids[at % 6] ?? 'no id')))
  const views = await Promise.allSettled(wanted.map((id) => store.taskView(id)))
  // The batch that holds what is no id is asked once more, each by itself.
  expect(asked.filter((name) => name === 'task-view').length).toBeLessThanOrEqual(2 + 90)
  expect(views.map((one) => (one.status === 'fulfilled' ? (one.value?.id ?? null) : 'failed'))).toEqual(
    wanted.map((id) => (id === 'no id' ? 'failed' : id === unknown ? null : id)),
  )
  asked.length = 0
  const again = await Promise.all(ids.flatMap((id) => [store.taskView(id), store.taskView(id.toUpperCase())]))
  expect(asked.length).toBeLessThanOrEqual(2)
  expect(again.map((view) => view?.title)).toEqual(
    ids.flatMap((_, at) => [`Gate ${String(3 - at)}`, `Gate ${String(3 - at)}`]),
  )
})

test('a task that is read after it changed is shown changed, however many are being read', async () => {
  await using stage = await openStage()
  const { store } = listenTo(stage)
  const { task } = await stage.market.publish(publisher, gateTask())
  for (let round = 0; round < 10; round += 1) {
    const underWay = Array.from({ length: 30 }, () => store.taskView(task.id))
    await stage.pool.query('update tasks set title = $2 where id = $1', [task.id, `Round ${String(round)}`])
    expect((await store.taskView(task.id))?.title).toBe(`Round ${String(round)}`)
    await Promise.all(underWay)
  }
})

test('a place and its order are kept by pages that share a statement', async () => {
  await using stage = await openStage()
  const { store } = listenTo(stage)
  const ids = await publishSome(stage, 6)
  await stage.pool.query('update tasks set area_lat = 40, area_lng = -3, area_radius_m = 500 where id = any($1)', [
    ids.slice(0, 2),
  ])
  const now = stage.clock.now()
  const filter = { category: null, network: null, target: null, minBountyUsd: '1', maxBountyUsd: '20' }
  const orders = ['newest', 'bounty', 'deadline'] as const
  const pages = await Promise.all(
    orders.flatMap((order) => [
      store.availableTasks({ ...filter, order }, page, now),
      store.availableTasks({ ...filter, order, box: { west: -10, south: 30, east: 10, north: 50 } }, page, now),
    ]),
  )
  expect(pages.map(({ rows }) => rows.length)).toEqual([3, 2, 3, 2, 3, 2])
})

test('a page that the database cannot read fails alone', async () => {
  await using stage = await openStage()
  const { store } = listenTo(stage)
  const ids = await publishSome(stage, 3)
  const ends = await Promise.allSettled(
    [ids[0], 'no id', ids[1]].map((cursor) => store.tasks(open, { ...page, cursor: cursor ?? null })),
  )
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value.rows.length : 'failed'))).toEqual([2, 'failed', 1])
})

test('tasks that are published at once share a statement and its commit, and each has its history and event', async () => {
  await using stage = await openStage()
  const { store, asked } = listenTo(stage)
  const all = await drafts(stage, 60)
  const event = (task: Draft) => ({
    id: stage.deps.ids.next(),
    type: 'task.created' as const,
    taskId: task.id,
    at: task.createdAt,
    data: { task_id: task.id, title: task.title, category: task.category, bounty_usd: 10, network: 'localnet' },
  })
  await Promise.all(all.map((task) => store.publish(task, event(task), null)))
  expect(asked.filter((name) => name === 'tasks-publish').length).toBeLessThanOrEqual(3)
  const { rows } = await stage.pool.query<{ title: string; told: string; evidence_required: string[]; notes: number }>(
    `select t.title, o.data ->> 'title' as told, t.evidence_required,
        (select count(*)::int from task_history h where h.task_id = t.id) as notes
      from tasks t join outbox o on o.task_id = t.id where t.id = any($1) order by t.id`,
    [all.map(({ id }) => id)],
  )
  expect(rows).toEqual(all.map(({ title }) => ({ title, told: title, evidence_required: ['text_response'], notes: 1 })))
})

test('of tasks that are published at once under one key one is new, and the others are told of it', async () => {
  await using stage = await openStage()
  const { store } = listenTo(stage)
  const key = { key: 'once', bodyHash: 'body' }
  const ends = await Promise.all((await drafts(stage, 8)).map((task) => store.publish(task, null, key)))
  expect(ends.filter(({ replayed }) => !replayed).length).toBe(1)
  expect(new Set(ends.map(({ task }) => task.id)).size).toBe(1)
  await expect(
    store.publish((await drafts(stage, 1))[0] ?? expect.fail('no draft'), null, { ...key, bodyHash: 'other' }),
  ).rejects.toThrow('IDEMPOTENCY_KEY_REUSED')
})

test('a task that the database does not take is refused alone', async () => {
  await using stage = await openStage()
  const { store } = listenTo(stage)
  const tasks = (await drafts(stage, 5)).map((task, at) => (at === 2 ? { ...task, title: 'half \u0000 a line' } : task))
  const ends = await Promise.allSettled(tasks.map((task) => store.publish(task, null, null)))
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  const { rows } = await stage.pool.query<{ id: string }>('select id from tasks where id = any($1)', [
    tasks.map(({ id }) => id),
  ])
  expect(rows.length).toBe(4)
})
