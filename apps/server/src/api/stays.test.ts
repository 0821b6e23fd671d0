import type { EventPage, RecordedEvent, WalletCaller } from '@ergon/core'
import { expect, test } from 'vitest'
import type { EventTap, TapNews } from '../events/event-taps.ts'
import type { ApiDeps } from './deps.ts'
import { createEventHandlers } from './events.ts'

const wallet = '0x00000000000000000000000000000000000000aa'

type Fixed = { banned: boolean; session: object | null | Error; at: number }

const event = { id: '1', type: 'task.created', place: '2', taskId: null, at: new Date(0), data: {}, wallets: [] }

type Market = { readonly news?: TapNews; readonly past?: EventPage }

/** What is asked of the stream, by a wallet that is let in. */
function open(via: 'session' | 'signature', state: Fixed, { news = [], past }: Market = {}) {
  const tap: EventTap = {
    next: (): Promise<TapNews> => Promise.resolve(news),
    [Symbol.dispose]: () => undefined,
  }
  const handlers = createEventHandlers({
    market: { events: () => Promise.resolve(past ?? { events: [], place: '1', hasMore: false }) },
    taps: { open: () => tap },
    live: { isBanned: () => state.banned },
    people: {
      sessions: {
        read: () => (state.session instanceof Error ? Promise.reject(state.session) : Promise.resolve(state.session)),
      },
    },
    now: () => new Date(state.at),
  } as unknown as ApiDeps) // what these handlers ask
  const caller: Partial<WalletCaller> = { kind: 'wallet', wallet, via }
  const call = { caller, request: { ip: '10.0.0.1', headers: [] }, exact: () => undefined } as never // what they read
  return { handlers, call }
}

/** A stream that is open; each step is a sign of life, or an event of a past that does not end. */
async function listen(via: 'session' | 'signature', state: Fixed, isBehind = false): Promise<() => Promise<boolean>> {
  const past: Market = isBehind ? { past: { events: [event as RecordedEvent], place: '2', hasMore: true } } : {}
  const { handlers, call } = open(via, state, past)
  const { body } = await handlers['events.stream'](call, { cursor: '1' })
  const { stream } = body as unknown as { readonly stream: AsyncGenerator<string> }
  await stream.next()
  return async () => (await stream.next()).done !== true
}

test('a stream ends with the session that opened it, as soon as it is asked about again', async () => {
  const state: Fixed = { banned: false, session: {}, at: 0 }
  const goesOn = await listen('session', state)
  state.at = 15_000
  expect(await goesOn()).toBe(true)
  state.session = null
  state.at = 29_999
  expect(await goesOn()).toBe(true)
  state.at = 30_000
  expect(await goesOn()).toBe(false)
})

test('a stream outlives a session that nobody can look up just now', async () => {
  const state: Fixed = { banned: false, session: new Error('the database is away'), at: 0 }
  const goesOn = await listen('session', state)
  state.at = 15_000
  expect(await goesOn()).toBe(true)
})

test('a stream that was signed for has no session to end, and ends with a ban', async () => {
  const state: Fixed = { banned: false, session: null, at: 0 }
  const goesOn = await listen('signature', state)
  state.at = 60_000
  expect(await goesOn()).toBe(true)
  state.banned = true
  expect(await goesOn()).toBe(false)
})

test('a stream that catches up is asked about before each page', async () => {
  const state: Fixed = { banned: false, session: null, at: 0 }
  const goesOn = await listen('signature', state, true)
  expect([await goesOn(), await goesOn()]).toEqual([true, true])
  state.banned = true
  expect(await goesOn()).toBe(false)
})

test('whoever waits for news is told none after a ban', async () => {
  const state: Fixed = { banned: false, session: null, at: 0 }
  const { handlers, call } = open('signature', state, { news: [event as RecordedEvent] })
  const wait = () => handlers['events.list'](call, { cursor: '1', wait_seconds: 1 })
  expect((await wait()).body).toMatchObject({ events: [{ cursor: '2' }] })
  state.banned = true
  expect((await wait()).body).toMatchObject({ events: [], next_cursor: '1' })
})
