import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient, privateKeySigner, type LiveEvent } from '../src/index.ts'
import { createQueue } from '../src/live/queue.ts'
// Loaded when a connection first signs: reading a file takes real time, and these tests pass no time but their own.
import '../src/sign-auth-frame.ts'
import { ownRoom, scriptedSockets, type Fate, type Logged } from './scripted-sockets.ts'

const signer = privateKeySigner('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const client = createClient({ baseUrl: 'http://127.0.0.1', signer, chainId: 31_337 })

// Pauses between connections are not waited for.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Everything a reader is told until it was told as much as there is. */
async function readAll(log: readonly Logged[], fates: readonly Fate[]) {
  const { WebSocket, subscribed } = scriptedSockets(log, fates)
  await using live = await client.connectEvents({ cursor: '0', rooms: ['global'], WebSocket })
  const told: LiveEvent[] = []
  const reading = (async () => {
    for await (const event of live) if (told.push(event) === log.length) return
  })()
  let isDone = false
  const done = reading.finally(() => {
    isDone = true
  })
  for (let count = 0; !isDone && count < 500; count += 1) await vi.advanceTimersByTimeAsync(100)
  live.close()
  await done
  return { told, subscribed }
}

const someRooms = fc.constantFrom([ownRoom], ['global'], [ownRoom, 'global'])
const someLog = fc
  .array(someRooms, { minLength: 1, maxLength: 12 })
  .map((rooms) => rooms.map((names, index): Logged => ({ place: index + 1, rooms: names })))
// Fewer than it takes to give up on a service that never answers.
const someFates = fc.array(fc.record({ before: fc.nat(5), frames: fc.nat(12) }), { maxLength: 4 })

describe('live events over connections that break', () => {
  test('come each once, wherever the connections break, and every cursor is a place to go on from', async () => {
    await fc.assert(
      fc.asyncProperty(someLog, someFates, async (log, fates) => {
        const { told } = await readAll(log, fates)
        expect(told.map(({ id }) => id).sort()).toEqual(log.map(({ place }) => `event-${String(place)}`).sort())
        told.forEach(({ cursor }, index) => {
          const sofar = new Set(told.slice(0, index + 1).map(({ id }) => id))
          const behind = log.filter(({ place }) => place <= Number(cursor)).map(({ place }) => `event-${String(place)}`)
          expect(behind.filter((id) => !sofar.has(id))).toEqual([])
        })
      }),
      { numRuns: 150 },
    )
  })

  test('the place does not move while one room has told its past and another has not', async () => {
    const log: readonly Logged[] = [
      { place: 1, rooms: ['global'] },
      { place: 2, rooms: [ownRoom] },
    ]
    // Cut between the past of the own room and that of the other: welcome, success, subscribed, event 2.
    const { told, subscribed } = await readAll(log, [{ before: 2, frames: 4 }])
    expect(told.map(({ id, cursor }) => [id, cursor])).toEqual([
      ['event-2', '0'],
      ['event-1', '0'],
    ])
    expect(subscribed.filter(({ connection }) => connection === 2)).toEqual([
      { connection: 2, room: ownRoom, after: 0 },
      { connection: 2, room: 'global', after: 0 },
    ])
  })

  test('a room that is wished for while the socket opens is entered with the first, and one that is left is not', async () => {
    const { WebSocket, subscribed } = scriptedSockets([], [])
    await using live = await client.connectEvents({ cursor: '0', WebSocket })
    // The socket is there, and not open.
    await Promise.resolve()
    const granted = live.subscribe('global')
    live.subscribe('category:research').catch(() => undefined)
    live.unsubscribe('category:research')
    await granted
    expect(subscribed.map(({ room }) => room)).toEqual([ownRoom, 'global'])
    expect(live.rooms).toEqual(['global'])
  })

  test('whoever waits for a room is told when it is left, and when all is', async () => {
    const { WebSocket } = scriptedSockets([], [])
    const live = await client.connectEvents({ cursor: '0', rooms: ['category:research'], WebSocket })
    const left = expect(live.subscribe('category:research')).rejects.toMatchObject({ name: 'AbortError' })
    live.unsubscribe('category:research')
    await left
    // A room of the start that was left ends nothing.
    await live.subscribe('global')
    const closed = expect(live.subscribe('category:research')).rejects.toMatchObject({ name: 'AbortError' })
    live.close()
    await closed
    await expect(live.subscribe('task:1')).rejects.toMatchObject({ name: 'AbortError' })
    expect(await live.next()).toEqual({ done: true, value: undefined })
  })

  test('whoever gives up by a signal hears its reason', async () => {
    const { WebSocket } = scriptedSockets([], [])
    const stopping = new AbortController()
    const live = await client.connectEvents({ cursor: '0', signal: stopping.signal, WebSocket })
    const stopped = expect(live.subscribe('global')).rejects.toThrow('enough')
    stopping.abort(new Error('enough'))
    await stopped
  })

  test('what was heard once is tried for as long as it takes, each time behind what was told', async () => {
    const log = Array.from({ length: 30 }, (_, index): Logged => ({ place: index + 1, rooms: ['global'] }))
    // Welcome, success, two rooms, at most one event of the past, the pong, and what happens then: three in all.
    const { subscribed } = await readAll(
      log,
      Array.from({ length: 9 }, () => ({ before: 0, frames: 8 })),
    )
    expect(subscribed.filter(({ room }) => room === 'global').map(({ after }) => after)).toEqual([
      0, 3, 6, 9, 12, 15, 18, 21, 24, 27,
    ])
  })

  test('a service that is silent is left for another connection', async () => {
    let opened = 0
    class Silent {
      constructor() {
        opened += 1
      }
      addEventListener(): void {
        /* Nothing ever comes. */
      }
      send(): void {
        /* Nobody hears it. */
      }
      close(): void {
        /* It never was open. */
      }
    }
    const joined = vi.spyOn(AbortSignal, 'any')
    const lifelong = new AbortController()
    await using live = await client.connectEvents({ cursor: '0', WebSocket: Silent, signal: lifelong.signal })
    const refused = expect(live.next()).rejects.toMatchObject({ code: 'unreachable', retryable: true })
    await vi.advanceTimersByTimeAsync(120_000)
    await refused
    expect(opened).toBe(5)
    // Else the platform keeps all of it for as long as there is the signal of the reader.
    expect(joined.mock.results.map(({ value }) => (value as AbortSignal).aborted)).toEqual([true])
    joined.mockRestore()
  })
})

describe('a queue', () => {
  test('hands out what waits in order, then its fault, then its end', async () => {
    const queue = createQueue<number>()
    queue.push(1)
    queue.push(2)
    queue.end(new Error('broken'))
    queue.push(3)
    expect([await queue.next(), await queue.next()]).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
    ])
    await expect(queue.next()).rejects.toThrow('broken')
    expect(await queue.next()).toEqual({ done: true, value: undefined })
  })

  test('says when it is drained, and not before', async () => {
    const queue = createQueue<number>()
    for (const item of [1, 2, 3]) queue.push(item)
    let isDrained = false
    const drained = queue.drained(1).then(() => {
      isDrained = true
    })
    await queue.next()
    expect(isDrained).toBe(false)
    await queue.next()
    await drained
    expect(queue.size).toBe(1)
  })
})
