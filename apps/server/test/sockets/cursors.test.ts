import { MarketError } from '@ergon/core'
import { generatePrivateKey } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { authenticated, authFrame, openSocket, subscribed } from '../http/live-socket.ts'
import { anEvent, startTinySockets } from './tiny-sockets.ts'

const roomEvents = (_room: unknown, after: string) =>
  after === 'never given'
    ? Promise.reject(new MarketError('VALIDATION_FAILED', { field: 'cursor' }))
    : Promise.resolve({ events: [], place: after, hasMore: false })

test('a subscription from a cursor that cannot be read is answered by the error alone', async () => {
  await using tiny = await startTinySockets({}, { roomEvents })
  using client = await authenticated(tiny.url, generatePrivateKey())
  client.send('subscribe', { room: 'global', cursor: 'never given' }, 'asked')
  await client.next(({ type }) => type === 'error')
  expect(client.frames.filter(({ id }) => id === 'asked')).toMatchObject([
    { type: 'error', payload: { code: 'VALIDATION_FAILED', details: { field: 'cursor' } } },
  ])
  expect((await subscribed(client, 'global', '1.0')).payload).toMatchObject({ total_subscriptions: 2 })
})

test('an auth frame with such a cursor lets nobody in, and another frame may come', async () => {
  await using tiny = await startTinySockets({}, { roomEvents })
  const key = generatePrivateKey()
  using client = await openSocket(tiny.url)
  client.send('auth', { ...(await authFrame(key)).payload, cursor: 'never given' })
  expect((await client.next(({ type }) => type.startsWith('auth_'))).type).toBe('auth_failed')
  expect(tiny.sockets.stats()).toMatchObject({ authenticated: 0, wallets: 0 })
  client.send('auth', (await authFrame(key)).payload)
  await client.next(({ type }) => type === 'auth_success')
  expect(client.frames.some(({ type }) => type === 'error')).toBe(false)
})

test('a ban ends the telling of the past', async () => {
  let pages = 0
  let banned = false
  const past = {
    roomEvents: (_room: unknown, _after: string, limit: number) => {
      if (limit > 1) pages += 1
      banned = pages > 1
      return Promise.resolve({ events: [anEvent()], place: `1.${String(pages)}`, hasMore: true })
    },
  }
  await using tiny = await startTinySockets({}, past, undefined, () => banned)
  using client = await authenticated(tiny.url, generatePrivateKey())
  client.send('subscribe', { room: 'global', cursor: '1.0' })
  expect(await client.closed()).toMatchObject({ code: 1008 })
  expect(client.events()).toHaveLength(1)
  expect(pages).toBe(2)
})
