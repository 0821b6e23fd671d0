import type { WalletCaller } from '@ergon/core'
import { expect, test } from 'vitest'
import type { EventTap, TapNews } from '../events/event-taps.ts'
import type { ApiDeps } from './deps.ts'
import { createEventHandlers } from './events.ts'

const wallet = '0x00000000000000000000000000000000000000aa'

type Fixed = { banned: boolean; session: object | null | Error; at: number }

/** A stream that is open, of which nothing is told; each step is a sign of life. */
async function listen(via: 'session' | 'signature', state: Fixed): Promise<() => Promise<boolean>> {
  const tap: EventTap = {
    next: (): Promise<TapNews> => Promise.resolve([]),
    [Symbol.dispose]: () => undefined,
  }
  const handlers = createEventHandlers({
    market: { events: () => Promise.resolve({ events: [], place: '1', hasMore: false }) },
    taps: { open: () => tap },
    live: { isBanned: () => state.banned },
    people: {
      sessions: {
        read: () => (state.session instanceof Error ? Promise.reject(state.session) : Promise.resolve(state.session)),
      },
    },
    now: () => new Date(state.at),
  } as unknown as ApiDeps) // what this handler asks
  const caller: Partial<WalletCaller> = { kind: 'wallet', wallet, via }
  const call = { caller, request: { ip: '10.0.0.1', headers: [] }, exact: () => undefined } as never // what it reads
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
