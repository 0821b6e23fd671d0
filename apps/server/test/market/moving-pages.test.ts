import type { AvailableFilter, BrowseFilter, Caller, PageRequest, WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gateTask, openStage, publisher, type Stage } from './stage.ts'

const anybody: Caller = { kind: 'anonymous' }
const anyTask: AvailableFilter = { category: null, network: null, target: null, minBountyUsd: null, maxBountyUsd: null }
const anyListing: BrowseFilter = { category: null, skills: null, seller: null, minReputation: null, maxPriceUsd: null }

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

type Found = { readonly rows: readonly { readonly id: string }[]; readonly nextCursor: string | null }

/** All pages of two rows, with what happens to the last row of the first one before the second is asked for. */
async function walk(
  read: (page: PageRequest) => Promise<Found>,
  meanwhile: (last: string) => Promise<unknown>,
): Promise<readonly string[]> {
  const first = await read({ limit: 2, offset: 0, cursor: null })
  await meanwhile(first.rows.at(-1)?.id ?? '')
  const seen = first.rows.map(({ id }) => id)
  for (let cursor = first.nextCursor; cursor !== null;) {
    const next = await read({ limit: 2, offset: 0, cursor })
    seen.push(...next.rows.map(({ id }) => id))
    cursor = next.nextCursor
  }
  return seen
}

const sellerOf = (at: number): WalletCaller => ({
  ...{ kind: 'wallet', agentId: null, via: 'signature' },
  wallet: `0x${String(at).padStart(40, '7')}`,
})

test('a deadline that is put off while one pages hides no task that ends in between', async () => {
  const ids: string[] = []
  for (const deadlineHours of [1, 2, 3, 4, 5, 6])
    ids.push((await stage.market.publish(publisher, gateTask({ deadlineHours }))).task.id)
  const to = new Date(stage.clock.now().getTime() + 5.5 * 3_600_000)
  const seen = await walk(
    (page) => stage.market.availableTasks(anybody, { ...anyTask, order: 'deadline' }, page),
    (last) => stage.market.extendDeadline(publisher, last, to),
  )
  const [first, second, third, fourth, fifth, sixth] = ids
  expect(seen).toEqual([first, second, third, fourth, fifth, second, sixth])
})

test('a price or a score that changes while one pages hides no listing in between', async () => {
  const listings: { readonly id: string; readonly seller: WalletCaller }[] = []
  for (const at of [1, 2, 3, 4, 5]) {
    const seller = sellerOf(at)
    await stage.market.registerWorker(seller, { name: null, party: 'agent' })
    const { id } = await stage.market.postListing(seller, {
      title: 'I translate menus',
      description: 'I will translate your menu into English for you.',
      category: 'content_generation',
      unitPriceUsd: String(at),
      ...{ skills: [], evidence: ['text_response'], network: null, acceptedNetworks: null },
    })
    await scored(seller, 100 / (at + 0.3))
    listings.push({ id, seller })
  }
  const [first, second, ...others] = listings.map(({ id }) => id)
  const read =
    (sort: 'price' | 'reputation') =>
    (page: PageRequest): Promise<Found> =>
      stage.market.browseListings(anyListing, sort, page)
  const sellerWith = (id: string): WalletCaller => listings.find((one) => one.id === id)?.seller ?? sellerOf(1)
  const last = others.at(-1)
  const between = others.slice(0, -1)

  expect(await walk(read('reputation'), (id) => scored(sellerWith(id), 20))).toEqual([
    ...[first, second, ...between, second],
    last,
  ])
  expect(
    await walk(read('price'), (id) => stage.market.updateListing(sellerWith(id), id, { unitPriceUsd: '4.5' })),
  ).toEqual([first, second, ...between, second, last])
})

test('a place in one order is none in another, and the id alone is one in each', async () => {
  const read = (order: 'deadline' | 'newest', cursor: string) =>
    stage.market.availableTasks(anybody, { ...anyTask, order }, { limit: 2, offset: 0, cursor })
  const { rows, nextCursor } = await stage.market.availableTasks(
    anybody,
    { ...anyTask, order: 'deadline' },
    { limit: 2, offset: 0, cursor: null },
  )
  const id = rows.at(-1)?.id ?? ''
  expect(nextCursor).toMatch(new RegExp(`^${id}~d[0-9]{13}$`))
  expect((await read('deadline', id)).rows).toEqual((await read('deadline', nextCursor ?? '')).rows)
  const refused = expect.objectContaining({ code: 'VALIDATION_FAILED' }) as Error
  for (const cursor of [nextCursor ?? '', 'elsewhere', `${id}~p5`])
    await expect(read('newest', cursor)).rejects.toThrow(refused)
  for (const cursor of [`${id}~d`, `${id}~d1e9`, `${id}~p5`, `${id}~d1790000000000~d1`, '~d1790000000000'])
    await expect(read('deadline', cursor)).rejects.toThrow(refused)
  for (const cursor of [`${id}~p5`, `${id}~rNaN`, `${id}~r1e9`])
    await expect(
      stage.market.browseListings(anyListing, 'reputation', { limit: 2, offset: 0, cursor }),
    ).rejects.toThrow(refused)
})

test('a place that a newer version gave in a form of its own goes on behind its row', async () => {
  const read = (order: 'deadline' | 'newest' | 'bounty', cursor: string | null) =>
    stage.market.availableTasks(anybody, { ...anyTask, order }, { limit: 2, offset: 0, cursor })
  for (const order of ['deadline', 'newest', 'bounty'] as const) {
    const id = (await read(order, null)).rows.at(-1)?.id ?? ''
    expect((await read(order, `${id}~x2026.5-a`)).rows).toEqual((await read(order, id)).rows)
    for (const cursor of ['~x1', `${id}~`, `${id}~x1~d1790000000000`])
      await expect(read(order, cursor)).rejects.toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }) as Error)
  }
})

function scored({ wallet }: WalletCaller, score: number): Promise<unknown> {
  return stage.pool.query('update workers set onchain_score = $2 where wallet = $1', [wallet, score])
}
