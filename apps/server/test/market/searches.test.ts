import { createMarket, type Market, type SavedFilter, type WalletCaller } from '@ergon/core'
import { anyFilter } from '@ergon/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIds } from '../../src/surroundings/ids.ts'
import { publishedBy } from './keyed-scenes.ts'
import { gateTask, openStage, publisher, worker, type Stage } from './stage.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const other: WalletCaller = { ...worker, wallet: `0x${'3'.repeat(40)}`, agentId: 3 }
const shunned: WalletCaller = { ...worker, wallet: `0x${'4'.repeat(40)}`, agentId: 4 }

let stage: Stage
let market: Market
beforeAll(async () => {
  const bare = await openStage('fase2')
  // Ids that tell when they were made, as in every deployment.
  market = createMarket({ ...bare.deps, ids: createIds(() => bare.clock.now()) })
  stage = { ...bare, market }
  await market.ensureIdentity(other.wallet)
})
afterAll(() => stage[Symbol.asyncDispose]())

const save = (as: WalletCaller, slot: number, filter: Partial<SavedFilter> = {}, name = 'Gates') =>
  market.saveSearch(as, slot, { name, filter: { ...anyFilter, ...filter } })
const wait = async (ms: number): Promise<void> => {
  stage.clock.advance(ms)
  await market.duties.runSearches()
}
type Told = { readonly name: string; readonly task_ids: readonly string[]; readonly has_more: boolean }
async function toldTo({ wallet }: WalletCaller): Promise<readonly Told[]> {
  const { rows } = await stage.pool.query<{ data: Told }>(
    `select o.data from outbox o join event_recipients r on r.xid = o.xid and r.seq = o.seq
      where o.type = 'search.found' and r.wallet = $1 order by o.seq`,
    [wallet],
  )
  return rows.map(({ data }) => data)
}
const idsTold = async (as: WalletCaller) => (await toldTo(as)).map(({ task_ids: ids }) => ids)
const fresh = async (): Promise<void> => {
  await stage.pool.query("delete from saved_searches; delete from outbox where type = 'search.found'")
}

test('whoever saved a search is told of new tasks that match, once, and nobody else is', async () => {
  await publishedBy(stage, publisher)
  stage.clock.advance(minuteMs)
  await save(worker, 1, { words: 'PHOTOGRAPH', category: 'simple_action', minBountyUsd: '1' })
  await save(worker, 2, { words: 'museum' })
  await save(worker, 3, { minBountyUsd: '1.01' })
  await save(other, 1, { target: 'human' })
  const { id } = await publishedBy(stage, publisher)
  await wait(9 * minuteMs)
  expect(await toldTo(worker)).toEqual([])
  await wait(2 * minuteMs)
  expect(await toldTo(worker)).toMatchObject([{ slot: 1, name: 'Gates', task_ids: [id], has_more: false }])
  await wait(11 * minuteMs)
  expect([await idsTold(worker), await idsTold(other), await idsTold(publisher)]).toEqual([[[id]], [[id]], []])
  expect((await market.searches(worker)).map(({ slot, toldAt }) => [slot, toldAt !== null])).toEqual([
    [1, true],
    [2, false],
    [3, false],
  ])
})

test('four times a day at the most, with what came meanwhile; twenty tasks are named', async () => {
  await fresh()
  await save(worker, 1)
  for (let n = 0; n < 25; n++) await publishedBy(stage, publisher)
  await wait(11 * minuteMs)
  expect((await toldTo(worker)).map((one) => [one.task_ids.length, one.has_more])).toEqual([[20, true]])
  for (let hours = 0; hours < 23; hours++) {
    await publishedBy(stage, publisher)
    // Saved again it is told no sooner.
    await save(worker, 1)
    await wait(hourMs)
  }
  expect((await toldTo(worker)).map((one) => one.task_ids.length)).toEqual([20, 6, 6, 6])
})

test('not of its own tasks, nor of those of a publisher that either side blocked, nor while it is banned', async () => {
  await fresh()
  await save(publisher, 1)
  await save(worker, 1)
  await save(other, 1)
  await save(shunned, 1)
  await market.block(worker, publisher.wallet)
  await market.block(publisher, shunned.wallet)
  await stage.pool.query("insert into bans (wallet, reason, actor, banned_at) values ($1, 'Fake.', 'ada', now())", [
    other.wallet,
  ])
  await publishedBy(stage, publisher)
  await wait(11 * minuteMs)
  expect([await idsTold(publisher), await idsTold(worker), await idsTold(other)]).toEqual([[], [], []])
  expect(await idsTold(shunned)).toEqual([])
  await market.unblock(worker, publisher.wallet)
  await market.unblock(publisher, shunned.wallet)
  await stage.pool.query('delete from bans')
})

test('of what its party may take, as the profile says by then', async () => {
  await fresh()
  const { id } = await publishedBy(stage, publisher)
  await market.apply(worker, id, { executorId: null, message: null })
  stage.clock.advance(minuteMs)
  await save(worker, 1)
  expect(await market.searches(worker)).toMatchObject([{ party: 'agent' }])
  await stage.pool.query("update workers set party = 'human' where wallet = $1", [worker.wallet])
  const { task } = await market.publish(publisher, gateTask({ target: 'human' }))
  await wait(11 * minuteMs)
  expect(await idsTold(worker)).toEqual([[task.id]])
  await stage.pool.query("update workers set party = 'agent' where wallet = $1", [worker.wallet])
})

test('a look that another process ended, or a search that was saved anew meanwhile, tells nothing twice', async () => {
  await fresh()
  await save(worker, 1)
  const { id } = await publishedBy(stage, publisher)
  stage.clock.advance(11 * minuteMs)
  const now = stage.clock.now()
  const [held] = await stage.store.leaseSearches(now, new Date(now.getTime() + 30_000), 5)
  if (held === undefined) throw new Error('nothing is due')
  expect(await stage.store.leaseSearches(now, new Date(now.getTime() + 30_000), 5)).toEqual([])
  await wait(31_000)
  expect(await idsTold(worker)).toEqual([[id]])
  const end = { seen: held.seen, dueAt: now, toldAt: null }
  expect(await stage.store.transaction((tx) => tx.endLook(held, end))).toBe(false)
  await stage.store.restSearches([{ ...held, ...end }])
  expect(await market.searches(worker)).toMatchObject([{ toldAt: stage.clock.now() }])
})

test('saved again it keeps its place and what it was told; after ninety days it is forgotten', async () => {
  await fresh()
  const first = await save(worker, 1)
  stage.clock.advance(minuteMs)
  const again = await save(worker, 1, { words: 'gate' }, 'Other gates')
  expect(again).toMatchObject({ name: 'Other gates', seen: first.seen, filter: { words: 'gate' } })
  expect(again.endsAt.getTime()).toBeGreaterThan(first.endsAt.getTime())
  await save(worker, 2)
  expect([await market.removeSearch(worker, 2), await market.removeSearch(worker, 2)]).toEqual([true, false])
  expect(await market.removeSearch(other, 1)).toBe(false)
  await wait(91 * 24 * hourMs)
  expect(await market.searches(worker)).toEqual([])
})

test('a round looks at a thousand tasks a search, however many are new, and goes on in the next', async () => {
  await fresh()
  const { id: model } = await publishedBy(stage, publisher)
  await save(worker, 1, { words: 'needle' })
  stage.clock.advance(minuteMs)
  const at = stage.clock.now().getTime()
  await stage.pool.query(
    `insert into tasks select (jsonb_populate_record(t, jsonb_build_object(
        'id', regexp_replace(lpad(to_hex($2::bigint + n), 12, '0'), '^(.{8})', '\\1-')
          || substr(gen_random_uuid()::text, 14),
        'title', case when n = 1500 then 'A needle' else t.title end, 'idempotency_key', null))).*
      from tasks t, generate_series(1, 1500) n where t.id = $1`,
    [model, at],
  )
  await wait(20 * minuteMs)
  expect(await toldTo(worker)).toEqual([])
  await wait(1)
  expect((await toldTo(worker)).map((one) => one.task_ids.length)).toEqual([1])
})
