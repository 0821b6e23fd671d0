import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../adapters/rig.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { aTask, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

let live: LiveMarket
let publisher: Party
let stranger: Party
beforeAll(async () => {
  live = await startLiveMarket()
  publisher = await live.party(10n)
  stranger = await live.party(0n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

type EventsAnswer = {
  readonly events: readonly {
    readonly id: string
    readonly type: string
    readonly created_at: string
    readonly data: { readonly task_id: string }
    readonly metadata: { readonly idempotency_key: string }
    readonly cursor: string
  }[]
  readonly next_cursor: string
  readonly has_more: boolean
}
const read = async (party: Party, query: string): Promise<EventsAnswer> => {
  const answer = await party.call('GET', `/api/v1/events${query}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as unknown as EventsAnswer
}

test('a cursor goes on where the last answer ended', async () => {
  const { next_cursor: place } = await read(publisher, '?cursor=now')
  const task = (await publisher.call('POST', '/api/v1/tasks', aTask())).body as unknown as { id: string }
  const page = await read(publisher, `?cursor=${place}&wait_seconds=5`)
  expect(page.events).toMatchObject([
    { type: 'task.created', data: { task_id: task.id }, metadata: { api_version: '2026-11-21' } },
  ])
  expect(page.events[0]?.metadata.idempotency_key).toBe(page.events[0]?.id)
  expect((await read(publisher, `?cursor=${page.next_cursor}`)).events).toEqual([])
  expect((await read(stranger, '')).events).toEqual([])
})

test('a caller that waits is answered when something happens, not when the time is over', async () => {
  const { next_cursor: place } = await read(publisher, '?cursor=now')
  const begun = performance.now()
  const waiting = read(publisher, `?cursor=${place}&wait_seconds=20`)
  const task = (await publisher.call('POST', '/api/v1/tasks', aTask())).body as unknown as { id: string }
  expect((await waiting).events.map(({ data }) => data.task_id)).toEqual([task.id])
  expect(performance.now() - begun).toBeLessThan(15_000)
})

test('a caller that leaves holds nothing: its connection ends before the time that it wanted to wait', async () => {
  const socket = connect(Number(new URL(live.url).port), '127.0.0.1')
  const ended = text(socket)
  // Its own side is at its end, and the other one is not: so is a connection whose caller left.
  socket.end(`GET /api/v1/events?cursor=now&wait_seconds=25 HTTP/1.1\r\nhost: ${authority}\r\n\r\n`)
  expect(await Promise.race([ended, pause(15_000, 'it is held')])).toContain('"events":[]')
})

test('an unsigned caller owns no events, and sees the public ones when it asks for them', async () => {
  expect((await live.get('/api/v1/events')).body).toMatchObject({ events: [], has_more: false })
  const open = (await live.get('/api/v1/events?scope=public&types=task.created')).body as unknown as EventsAnswer
  expect(open.events.length).toBeGreaterThan(0)
  expect(new Set(open.events.map(({ type }) => type))).toEqual(new Set(['task.created']))
})

test('a type that does not exist and a cursor that was never given are refused', async () => {
  expect((await live.get('/api/v1/events?types=task.exploded')).body).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: 'types', received: 'task.exploded' },
  })
  expect((await live.get('/api/v1/events?scope=public&cursor=%3F')).body).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { field: 'cursor' },
  })
})

test('server-sent events carry the same ids, and a client that reconnects goes on where it was', async () => {
  const target = '/api/v1/events/stream'
  const first = await listen(publisher, target, {})
  const one = (await publisher.call('POST', '/api/v1/tasks', aTask())).body as unknown as { id: string }
  expect(
    await eventually(
      async () => first.frames(),
      (frames) => frames.length > 0,
    ),
  ).toMatchObject([{ event: 'task.created', data: { data: { task_id: one.id } } }])
  first.stop()
  const two = (await publisher.call('POST', '/api/v1/tasks', aTask())).body as unknown as { id: string }
  const again = await listen(publisher, target, { 'last-event-id': first.frames()[0]?.id ?? '' })
  expect(
    await eventually(
      async () => again.frames(),
      (frames) => frames.length > 0,
    ),
  ).toMatchObject([{ event: 'task.created', data: { data: { task_id: two.id } } }])
  again.stop()
  const listed = await read(publisher, `?cursor=${first.frames()[0]?.id ?? ''}`)
  expect(listed.events.map(({ id }) => id)).toEqual(again.frames().map(({ data }) => data.id))
})

test('one caller holds only so many streams open', async () => {
  const many = await Promise.all(Array.from({ length: 5 }, () => listen(stranger, '/api/v1/events/stream', {})))
  expect((await stranger.call('GET', '/api/v1/events/stream')).body).toMatchObject({ code: 'RATE_LIMITED' })
  for (const one of many) one.stop()
})

type Frame = {
  readonly id: string
  readonly event: string
  readonly data: { readonly id: string; readonly data: { readonly task_id: string } }
}

async function listen(
  party: Party,
  target: string,
  headers: Record<string, string>,
): Promise<{ frames(): Frame[]; stop(): void }> {
  const abort = new AbortController()
  // fetch names the host it connects to, so the request is signed for another authority by hand.
  const answer = await fetchAs(
    live.url,
    target,
    await signed('GET', target, undefined, { key: party.key, headers }),
    abort.signal,
  )
  let text = ''
  void (async () => {
    for await (const chunk of answer) text += String(chunk)
  })().catch(() => undefined)
  expect(
    await eventually(
      async () => text,
      (content) => content.includes(': open'),
    ),
  ).toContain(': open')
  return {
    frames: () =>
      text.split('\n\n').flatMap((block) => {
        const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
        return field('data') === ''
          ? []
          : [{ id: field('id'), event: field('event'), data: JSON.parse(field('data')) as Frame['data'] }]
      }),
    stop: () => {
      abort.abort()
    },
  }
}

async function fetchAs(
  url: string,
  target: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(target, url), { headers: { ...headers, host: authority }, signal }, (response) => {
      if (response.statusCode === 200 && response.headers['content-type'] === 'text/event-stream; charset=utf-8')
        resolve(response)
      else reject(new Error(`answered ${String(response.statusCode)}`))
    })
    call.once('error', reject)
    call.end()
  })
}
