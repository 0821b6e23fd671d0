import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createClient, type MarketEvent } from '../src/index.ts'
import { readServerSentEvents } from '../src/server-sent-events.ts'
import { recordingService, refusal, type Reply } from './recording-service.ts'

const task_id = '01890000-0000-7000-8000-000000000001'
const envelope = (index: number) => ({
  id: `event-${index}`,
  type: 'task.created',
  created_at: '2026-11-21T00:00:00Z',
  data: { task_id, title: `ünï ${index}` },
  metadata: {},
})
const frame = (index: number): string =>
  `id: ${index}\nevent: task.created\ndata: ${JSON.stringify(envelope(index))}\n\n`
const all = 20

type Road = {
  readonly stream: (from: number, response: ServerResponse, count: number) => void
  readonly list?: (count: number) => number
}
type Asked = { readonly path: string; readonly cursor: string; readonly types: string | null }

/** A service of twenty events whose streams end as the test wants. */
async function eventService({ stream, list }: Road) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://service')
    const cursor = url.searchParams.get('cursor') ?? ''
    const from = cursor === 'now' ? 0 : Number(cursor)
    asked.push({ path: url.pathname, cursor, types: url.searchParams.get('types') })
    if (url.pathname.endsWith('/stream')) {
      stream(from, response, asked.filter(({ path }) => path.endsWith('/stream')).length)
      return
    }
    const status = list?.(asked.filter(({ path }) => !path.endsWith('/stream')).length) ?? 200
    const events =
      cursor === 'now'
        ? []
        : Array.from({ length: Math.min(3, all - from) }, (_, index) => ({
            ...envelope(from + index + 1),
            cursor: String(from + index + 1),
          }))
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(
        JSON.stringify(
          status === 200
            ? { events, next_cursor: String(from + events.length), has_more: from + events.length < all }
            : refusal(status, 'INTERNAL', true).body,
        ),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const streams = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

async function collect<T>(source: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const one of source) found.push(one)
  return found
}

/** What a reader sees of a service until it has seen everything. */
async function readAll(road: Road, cursor?: string) {
  await using service = await eventService(road)
  const seen: MarketEvent<'task.created'>[] = []
  const client = createClient({ baseUrl: service.url, wait: async () => undefined })
  for await (const event of client.events({
    types: ['task.created'],
    scope: 'public',
    ...(cursor === undefined ? {} : { cursor }),
  })) {
    seen.push(event)
    if (event.cursor === String(all)) break
  }
  return { seen, asked: service.asked }
}
const places = (events: readonly { readonly cursor: string }[]): readonly number[] =>
  events.map(({ cursor }) => Number(cursor))
const upTo = (count: number, from = 0): readonly number[] =>
  Array.from({ length: count - from }, (_, index) => from + index + 1)

describe('events come each once and in order', () => {
  test('over a stream that works', async () => {
    const { seen, asked } = await readAll({
      stream: (from, response) => {
        streams(response).write(`: open\n\n${upTo(all, from).map(frame).join('')}`)
      },
    })
    expect(places(seen)).toEqual(upTo(all))
    expect(seen[0]?.data.title).toBe('ünï 1')
    expect(asked).toEqual([
      { path: '/api/v1/events', cursor: 'now', types: 'task.created' },
      { path: '/api/v1/events/stream', cursor: '0', types: 'task.created' },
    ])
  })

  test('from the place that was kept, without asking for another', async () => {
    const { seen, asked } = await readAll(
      {
        stream: (from, response) => {
          streams(response).write(upTo(all, from).map(frame).join(''))
        },
      },
      '7',
    )
    expect(places(seen)).toEqual(upTo(all, 7))
    expect(asked).toHaveLength(1)
  })

  test('however often, and wherever, the stream breaks off', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 6 }), async (cuts) => {
        const { seen } = await readAll({
          stream: (from, response, count) => {
            const bytes = Buffer.from(upTo(all, from).map(frame).join(''))
            const cut = cuts[count - 1]
            if (cut === undefined) streams(response).write(bytes)
            else streams(response).write(bytes.subarray(0, cut), () => response.destroy())
          },
        })
        expect(places(seen)).toEqual(upTo(all))
      }),
      { numRuns: 40 },
    )
  })

  test.each<[string, Road['stream']]>([
    [
      'is not there',
      (_, response) => {
        response
          .writeHead(404, { 'content-type': 'application/json' })
          .end(JSON.stringify(refusal(404, 'NOT_FOUND', false).body))
      },
    ],
    [
      'is a page of a proxy',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      },
    ],
    [
      'is refused for a crowd',
      (_, response) => {
        response
          .writeHead(429, { 'content-type': 'application/json' })
          .end(JSON.stringify(refusal(429, 'RATE_LIMITED', true).body))
      },
    ],
    [
      'always ends at once',
      (_, response) => {
        streams(response).end()
      },
    ],
    [
      'is cut before it begins',
      (_, response) => {
        response.destroy()
      },
    ],
  ])('by waiting reads where the stream %s', async (_, stream) => {
    const { seen } = await readAll({ stream, list: (count) => (count === 3 ? 502 : 200) })
    expect(places(seen)).toEqual(upTo(all))
  })

  test('over the stream again, once a service that was away for long is back', async () => {
    const from = 12
    const away = 9
    let tries = 0
    const { seen, asked } = await readAll({
      stream: (cursor, response, count) => {
        if (count === 1) streams(response).end(upTo(from).map(frame).join(''))
        else if ((tries += 1) <= away) response.destroy()
        else streams(response).write(upTo(all, cursor).map(frame).join(''))
      },
      list: (count) => (count === 1 || (tries += 1) > away ? 200 : 503),
    })
    expect(places(seen)).toEqual(upTo(all))
    // One look told that the service is back.
    expect(asked.slice(-2).map(({ path }) => path)).toEqual(['/api/v1/events', '/api/v1/events/stream'])
  })

  test('over the stream again an hour after it was left', async () => {
    let [hours, left] = [0, 0]
    await using service = await eventService({
      stream: (from, response, count) => {
        if (count <= 3) streams(response).end()
        else streams(response).write(upTo(all, from).map(frame).join(''))
      },
      list: (count) => (count > 5 ? ((left += 1), 503) : 200),
    })
    const wait = async (): Promise<void> => {
      if (left > 0) hours = 1
    }
    const seen: string[] = []
    const client = createClient({ baseUrl: service.url, wait, now: () => Date.now() + hours * 3_600_000 })
    for await (const { cursor } of client.events({ scope: 'public' })) if (seen.push(cursor) === all) break
    expect(places(seen.map((cursor) => ({ cursor })))).toEqual(upTo(all))
    expect(service.asked.filter(({ path }) => path.endsWith('/stream'))).toHaveLength(4)
  })

  test('a signal ends them, in the middle of waiting', async () => {
    await using service = await eventService({
      stream: (_, response) => {
        streams(response).write(frame(1))
      },
    })
    const controller = new AbortController()
    const seen: string[] = []
    for await (const { cursor } of createClient({ baseUrl: service.url }).events({
      signal: controller.signal,
      cursor: '0',
    })) {
      seen.push(cursor)
      controller.abort()
    }
    expect(seen).toEqual(['1'])
  })

  test('a refusal that is final is thrown', async () => {
    await using service = await eventService({
      stream: (_, response) => {
        response
          .writeHead(422, { 'content-type': 'application/json' })
          .end(JSON.stringify(refusal(422, 'VALIDATION_FAILED', false).body))
      },
    })
    const read = createClient({ baseUrl: service.url }).events({ cursor: '0' }).next()
    await expect(read).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

test('a stream is read the same, however its bytes are cut', async () => {
  const text =
    ': open\r\n\r\nid: 1\r\ndata: a\r\ndata: ünï\r\n\r\n: ' +
    `\n\n${frame(2)}event: nothing\n\ndata:last\rid:3\r\rdata: half`
  const read = async (pieces: readonly Uint8Array[]) =>
    collect(
      readServerSentEvents(
        new ReadableStream({
          start(controller) {
            for (const piece of pieces) controller.enqueue(piece)
            controller.close()
          },
        }),
      ),
    )
  const bytes = new TextEncoder().encode(text)
  const whole = await read([bytes])
  expect(whole.map(({ id, data }) => [id, data])).toEqual([
    ['1', 'a\nünï'],
    ['2', JSON.stringify(envelope(2))],
    ['3', 'last'],
  ])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (marks) => {
      const cuts = [0, ...marks.sort((left, right) => left - right), bytes.length]
      expect(await read(cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end)))).toEqual(whole)
    }),
  )
})

describe('pages of a list', () => {
  const listOf = (total: number) =>
    recordingService(({ target }) => {
      const from = Number(new URL(target, 'http://service').searchParams.get('cursor') ?? 0)
      return {
        body: {
          tasks: [{ id: from }],
          has_more: from + 1 < total,
          next_cursor: from + 1 < total ? String(from + 1) : null,
          count: 1,
          total,
          offset: 0,
        },
      }
    })

  test('come one after the other, until there are no more', async () => {
    await using service = await listOf(4)
    const ids: unknown[] = []
    for await (const { tasks } of createClient({ baseUrl: service.url }).pages('tasks.list', { category: 'research' }))
      ids.push(...tasks.map(({ id }) => id))
    expect(ids).toEqual([0, 1, 2, 3])
    expect(service.arrivals.every(({ target }) => target.includes('category=research'))).toBe(true)
  })

  test('are fetched when they are asked for', async () => {
    await using service = await listOf(100)
    for await (const page of createClient({ baseUrl: service.url }).pages('tasks.list'))
      if (page.tasks[0]?.id !== undefined) break
    expect(service.arrivals).toHaveLength(1)
  })

  test('a place that comes round again ends them', async () => {
    await using service = await recordingService(() => ({ body: { tasks: [], has_more: true, next_cursor: 'again' } }))
    const pages = await collect(createClient({ baseUrl: service.url }).pages('tasks.list'))
    expect(pages).toHaveLength(2)
  })
})

describe('waiting for a task', () => {
  const until = async (statuses: readonly string[], options?: { readonly timeoutMs: number }) => {
    let read = 0
    let clock = 0
    await using service = await recordingService(({ target }) => {
      if (target.startsWith('/api/v1/events')) {
        clock += 10_000
        return { body: { events: [], next_cursor: 'c', has_more: false } }
      }
      return { body: { id: task_id, status: statuses[Math.min(read++, statuses.length - 1)] } }
    })
    const outcome = await createClient({ baseUrl: service.url, now: () => clock })
      .waitFor(task_id, ({ status }) => status === 'submitted', options)
      .then(
        ({ status }) => status,
        (error: unknown) => error,
      )
    return { outcome, arrivals: service.arrivals }
  }

  test('ends when it is as it should be', async () => {
    const { outcome, arrivals } = await until(['published', 'accepted', 'submitted'])
    expect(outcome).toBe('submitted')
    expect(arrivals.map(({ target }) => target.split('?')[0])).toEqual(
      ['events', 'tasks', 'events', 'tasks', 'events', 'tasks'].map(
        (name) => `/api/v1/${name}${name === 'tasks' ? `/${task_id}` : ''}`,
      ),
    )
  })

  test('ends with what it is, when time is up', async () => {
    const { outcome } = await until(['published'], { timeoutMs: 25_000 })
    expect(outcome).toMatchObject({ code: 'timeout', message: expect.stringContaining('published') })
  })

  const interrupted = async (reply: Reply, options: { readonly timeoutMs?: number } = {}) => {
    let clock = 0
    await using service = await recordingService(({ target }, count) => {
      // More often than one call is sent again.
      if (count > 3 && count < 16) return reply
      if (target.startsWith('/api/v1/events')) return { body: { events: [], next_cursor: 'c', has_more: false } }
      return { body: { id: task_id, status: count < 16 ? 'published' : 'submitted' } }
    })
    const wait = (ms: number): Promise<void> => {
      clock += ms
      return Promise.resolve()
    }
    return await createClient({ baseUrl: service.url, now: () => clock, wait })
      .waitFor(task_id, ({ status }) => status === 'submitted', options)
      .then(
        ({ status }) => status,
        (error: unknown) => error,
      )
  }

  test.each<[string, Reply]>([
    ['answers nothing', { hangUp: true }],
    ['is busy', { status: 503, body: { code: 'SERVICE_BUSY', message: 'Busy.', detail: { retryable: true } } }],
  ])('goes on when a service that %s for a while is there again', async (_what, reply) => {
    expect(await interrupted(reply)).toBe('submitted')
  })

  test('ends at once with what will not pass, and in time with what may', async () => {
    const gone = { status: 404, body: { code: 'TASK_NOT_FOUND', message: 'No task.', detail: { retryable: false } } }
    expect(await interrupted(gone)).toMatchObject({ code: 'TASK_NOT_FOUND' })
    expect(await interrupted({ hangUp: true }, { timeoutMs: 6_000 })).toMatchObject({ status: 0 })
  })
})
