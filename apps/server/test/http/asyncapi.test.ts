import { asyncApiDocument, events, socketCloseCodes } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applied, startLiveMarket, type LiveMarket } from './live-market.ts'
import { authFrame, openSocket, type Frame } from './live-socket.ts'

type Message = { readonly name: string; readonly payload: object }
type Document = { readonly channels: { readonly live: { readonly messages: Readonly<Record<string, Message>> } } }

let live: LiveMarket
beforeAll(async () => {
  live = await startLiveMarket()
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

async function read(): Promise<Document> {
  return (await (await fetch(new URL('/asyncapi.json', live.url))).json()) as Document // its own shape
}

/** The message that a frame is, by its type, or by its event. */
function messageOf({ channels }: Document, frame: Frame): Message | undefined {
  const name = frame.type === 'event' ? String(frame.payload['event']) : frame.type
  return channels.live.messages[`service_${name}`]
}

test('/ws: every frame of a connection is what the AsyncAPI document says', async () => {
  const document = await read()
  const [publisher, worker] = [await live.party(5n), await live.party(0n)]
  using socket = await openSocket(live.url)
  const { payload } = await authFrame(publisher.key)
  socket.send('auth', { 'signature-input': 'sig=()', signature: 'sig=:AAAA:' })
  await socket.next(({ type }) => type === 'auth_failed')
  socket.send('auth', { ...payload })
  await socket.next(({ type }) => type === 'auth_success')
  socket.send('subscribe', { room: 'category:simple_action' })
  await socket.next(({ type }) => type === 'subscribed')
  socket.send('shout', {})
  await socket.next(({ type }) => type === 'error')
  socket.send('ping')
  await socket.next(({ type }) => type === 'pong')
  await applied(publisher, worker)
  await socket.next(({ type }) => type === 'event')
  socket.send('unsubscribe', { room: 'category:simple_action' })
  await socket.next(({ type }) => type === 'unsubscribed')

  const seen = new Set<string>()
  for (const frame of socket.frames) {
    const message = messageOf(document, frame)
    expect(message, JSON.stringify(frame)).toBeDefined()
    expect(Compile(message?.payload ?? false).Errors(frame)).toEqual([])
    seen.add(frame.type)
  }
  expect([...seen].sort()).toEqual([
    'auth_failed',
    'auth_success',
    'error',
    'event',
    'pong',
    'subscribed',
    'unsubscribed',
    'welcome',
  ])
})

test('/ws: a client says what the document names, and what it does not name is refused', async () => {
  const { messages } = (await read()).channels.live
  const publisher = await live.party(0n)
  using socket = await openSocket(live.url)
  const { payload } = await authFrame(publisher.key)
  // A cursor that was heard is one that may be said.
  const said: readonly Pick<Frame, 'type' | 'payload'>[] = [
    { type: 'auth', payload: { ...payload } },
    { type: 'subscribe', payload: { room: 'global' } },
    { type: 'subscribe', payload: { room: 'global', cursor: 'CURSOR' } },
    { type: 'unsubscribe', payload: { room: 'global' } },
    { type: 'ping', payload: {} },
    { type: 'pong', payload: {} },
  ]
  for (const { type, payload: words } of said) {
    const heard = socket.frames.findLast((frame) => 'cursor' in frame.payload)
    const sent = 'cursor' in words ? { ...words, cursor: heard?.payload['cursor'] } : words
    const shape = messages[`client_${type}`]?.payload
    expect([type, Compile(shape ?? false).Errors({ type, payload: sent, id: 'mine' })]).toEqual([type, []])
    socket.send(type, sent, 'mine')
    socket.send('ping', {}, `after ${type}`)
    await socket.next((frame) => frame.type === 'pong' && frame.id === `after ${type}`)
  }
  expect(socket.frames.filter(({ type }) => type === 'error')).toEqual([])
  const named = Object.keys(messages).flatMap((name) => (name.startsWith('client_') ? [name.slice(7)] : []))
  expect(named.toSorted()).toEqual([...new Set(said.map(({ type }) => type))].toSorted())
  const room = messages['client_subscribe']?.payload ?? false
  expect(Compile(room).Check({ type: 'subscribe', payload: { topics: ['global'] } })).toBe(false)
})

test('the document names every event by its CamelCase name, and every close code', async () => {
  const { messages } = (await read()).channels.live
  for (const { room } of Object.values(events)) expect(messages).toHaveProperty(`service_${room}`)
  expect(Object.keys(socketCloseCodes)).toEqual(['1001', '1002', '1003', '1008', '1009', '1013'])
  expect(asyncApiDocument({ baseUrl: 'https://market.example', version: '0' })).toMatchObject({
    servers: { here: { host: 'market.example', protocol: 'wss', pathname: '/ws' } },
  })
})
