import { createClient, generatePrivateKey, privateKeySigner, type LiveEvent, type LiveEvents } from '@ergon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../adapters/rig.ts'
import { publishOne, startLineToMarket, type LineToMarket } from './line-to-market.ts'

let market: LineToMarket
beforeAll(async () => {
  market = await startLineToMarket()
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

/** Reads until an event is so, and answers everything that was read. */
async function readUntil(live: LiveEvents, isLast: (event: LiveEvent) => boolean): Promise<readonly LiveEvent[]> {
  const read: LiveEvent[] = []
  for (;;) {
    const { done, value } = await live.next()
    if (done === true) throw new Error(`they ended after ${JSON.stringify(read)}`)
    read.push(value)
    if (isLast(value)) return read
  }
}
const isAbout =
  (taskId: string) =>
  ({ event, data }: LiveEvent): boolean =>
    event === 'TaskCreated' && data.task_id === taskId
const created = (events: readonly LiveEvent[]): readonly string[] =>
  events.flatMap(({ event, data }) => (event === 'TaskCreated' ? [data.task_id] : []))

test('what a wallet does is told to it as it is committed, under the id it has on every channel', async () => {
  const client = market.client()
  await using live = await client.connectEvents()
  const ids = [await publishOne(client), await publishOne(client)]
  const told = await readUntil(live, isAbout(ids[1] ?? ''))
  expect(created(told)).toEqual(ids)
  const { events } = await client.events.list({})
  expect(told.map(({ id, created_at, data, cursor }) => ({ id, created_at, data, cursor }))).toEqual(
    events.map(({ id, created_at, data, cursor }) => ({ id, created_at, data, cursor })),
  )
})

test('a room is entered by name, once, and left again; what it may not enter is refused by code', async () => {
  const [stranger, publisher] = [market.client(), market.client()]
  const task = await publishOne(publisher)
  await using live = await stranger.connectEvents({ rooms: ['category:simple_action'] })
  const first = await publishOne(publisher)
  expect(created(await readUntil(live, isAbout(first)))).toEqual([first])
  await live.subscribe('global')
  await expect(live.subscribe(`task:${task}`)).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 })
  await expect(live.subscribe('task:01890000-0000-7000-8000-000000000001')).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
  })
  expect(live.rooms).toEqual(['category:simple_action', 'global'])
  const second = await publishOne(publisher)
  // In two rooms, and told once.
  expect(created(await readUntil(live, isAbout(second)))).toEqual([second])
  for (const room of live.rooms) live.unsubscribe(room)
  const [unheard, own] = [await publishOne(publisher), await publishOne(stranger)]
  expect(created(await readUntil(live, isAbout(own)))).not.toContain(unheard)
})

test('a connection that is cut again and again loses nothing and tells nothing twice', async () => {
  const [publisher, other] = [market.client(), market.client()]
  await using live = await publisher.connectEvents({ rooms: ['global'] })
  const told: LiveEvent[] = []
  const reading = (async () => {
    for await (const event of live) told.push(event)
  })()
  const published: string[] = []
  for (let round = 0; round < 8; round += 1) {
    // Cut while things happen, and sometimes twice before it is back.
    const burst = Array.from({ length: 6 }, (_, index) => publishOne(index % 2 === 0 ? publisher : other))
    if (round > 0) await market.line.close()
    await market.line.open()
    published.push(...(await Promise.all(burst)))
    if (round % 3 === 2)
      await eventually(
        () => Promise.resolve(told.length),
        (count) => count === published.length,
      )
  }
  await eventually(
    () => Promise.resolve(told.length),
    (count) => count >= published.length,
  )
  const last = await publishOne(other)
  await eventually(
    () => Promise.resolve(created(told)),
    (ids) => ids.includes(last),
  )
  live.close()
  await reading
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
  expect([...created(told)].sort()).toEqual([...published, last].sort())
})

test('a line that forgets its connections without a word is noticed: nothing is lost, and nothing comes twice', async () => {
  const client = market.client()
  const over = new AbortController()
  const from = { signal: over.signal, cursor: (await client.events.list({ cursor: 'now', limit: 1 })).next_cursor }
  const [streamed, told]: [string[], string[]] = [[], []]
  const streaming = (async () => {
    for await (const { id } of client.events(from)) streamed.push(id)
  })()
  await using live = await client.connectEvents(from)
  const listening = (async () => {
    for await (const { id } of live) told.push(id)
  })()
  const counts = (): Promise<string> => Promise.resolve(`${String(streamed.length)} ${String(told.length)}`)
  await publishOne(client)
  await eventually(counts, (both) => both === '1 1')
  market.line.orphan()
  // The first of them waits in a connection that is forgotten as well, and is sent again.
  await Promise.all([publishOne(client), publishOne(client), publishOne(client)])
  await eventually(counts, (both) => both === '4 4', 90_000)
  over.abort()
  await Promise.all([streaming, listening])
  expect(new Set(streamed).size).toBe(4)
  expect([...told].sort()).toEqual([...streamed].sort())
}, 240_000)

test('the cursor of the last event that was dealt with is where another program goes on', async () => {
  const signer = privateKeySigner(generatePrivateKey())
  const client = market.client({ signer })
  const live = await client.connectEvents()
  const first = await publishOne(client)
  const cursor = (await readUntil(live, isAbout(first))).at(-1)?.cursor ?? ''
  live.close()
  const missed = [await publishOne(client), await publishOne(client), await publishOne(client)]
  await using again = await market.client({ signer }).connectEvents({ cursor })
  // What was missed and what happens while it is told may come in any order.
  const left = new Set(missed)
  const told = await readUntil(again, ({ data }) => {
    if ('task_id' in data) left.delete(String(data.task_id))
    return left.size === 0
  })
  expect([...created(told)].sort()).toEqual([...missed].sort())
})

test('more than a socket tells at once is read first', async () => {
  const publisher = market.client()
  const cursor = (await publisher.events.list({ cursor: 'now' })).next_cursor
  const missed: string[] = []
  const publishSome = async (): Promise<void> => {
    while (missed.length < 1_010) missed.push(await publishOne(publisher))
  }
  await Promise.all(Array.from({ length: 8 }, publishSome))
  await using live = await publisher.connectEvents({ cursor, rooms: ['category:simple_action'] })
  const told: LiveEvent[] = []
  while (told.length < missed.length) told.push(...(await readUntil(live, () => true)))
  const next = await publishOne(publisher)
  told.push(...(await readUntil(live, isAbout(next))))
  expect([...created(told)].sort()).toEqual([...missed, next].sort())
})

test('the session of a person opens them as well, and is needed', async () => {
  const signer = privateKeySigner(generatePrivateKey())
  const person = market.client({ signer, session: true })
  await person.signIn()
  await using live = await person.connectEvents()
  const task = await publishOne(market.client({ signer }))
  expect(created(await readUntil(live, isAbout(task)))).toEqual([task])
  await using nobody = await market.client({ session: true }).connectEvents()
  await expect(nobody.next()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await expect(createClient({ baseUrl: market.url }).connectEvents()).rejects.toThrow('signer or a session')
})

test('a signal, a close and a break of the loop each end them', async () => {
  const client = market.client()
  const controller = new AbortController()
  const [signalled, closed, broken] = [
    await client.connectEvents({ signal: controller.signal }),
    await client.connectEvents(),
    await client.connectEvents(),
  ]
  controller.abort()
  closed.close()
  expect(await signalled.next()).toEqual({ done: true, value: undefined })
  expect(await closed.next()).toEqual({ done: true, value: undefined })
  const task = await publishOne(client)
  for await (const event of broken) if (isAbout(task)(event)) break
  expect(await broken.next()).toEqual({ done: true, value: undefined })
})

test('a wallet that is refused hears why, and an address where nobody is says so in the end', async () => {
  const client = market.client({ chainId: 1 })
  await using refused = await client.connectEvents({
    cursor: (await createClient({ baseUrl: market.url }).events.list({ cursor: 'now' })).next_cursor,
  })
  await expect(refused.next()).rejects.toMatchObject({ status: 401 })
  await using nowhere = await market.client({ baseUrl: 'http://127.0.0.1:9' }).connectEvents({ cursor: 'x' })
  await expect(nowhere.next()).rejects.toMatchObject({ code: 'unreachable' })
})
