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
}, 120_000)
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

test('the document names every event by its CamelCase name, and every close code', async () => {
  const { messages } = (await read()).channels.live
  for (const { room } of Object.values(events)) expect(messages).toHaveProperty(`service_${room}`)
  expect(Object.keys(socketCloseCodes)).toEqual(['1001', '1002', '1003', '1008', '1009', '1013'])
  expect(asyncApiDocument({ baseUrl: 'https://market.example', version: '0' })).toMatchObject({
    servers: { here: { host: 'market.example', protocol: 'wss', pathname: '/ws' } },
  })
})
