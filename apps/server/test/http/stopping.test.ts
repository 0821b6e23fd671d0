import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { authority, startTinyService } from '../dispatch/tiny-service.ts'
import { startLiveMarket } from './live-market.ts'

/** Far below what a stop may take in all. */
const soonMs = 5_000

async function stopMs(service: AsyncDisposable): Promise<number> {
  const began = performance.now()
  await service[Symbol.asyncDispose]()
  return performance.now() - began
}

async function connected(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  // It is there when another request was answered behind it.
  await fetch(`${url}/things`)
  return socket
}

test('a stop ends streams of events and answers who waits for one, and waits for neither', async () => {
  await using live = await startLiveMarket()
  const headers = { host: authority }
  const path = `${live.url}/api/v1/events`
  const stream = connect(Number(new URL(live.url).port), '127.0.0.1')
  stream.write(`GET /api/v1/events/stream HTTP/1.1\r\nhost: ${authority}\r\n\r\n`)
  const [opened] = (await once(stream, 'data')) as [Buffer]
  expect(String(opened)).toContain('200 OK')
  const ended = once(stream.resume(), 'end')
  const waiting = fetch(`${path}?wait_seconds=20`, { headers }).then(({ status }) => status)
  await live.get('/api/v1/health')
  expect(await stopMs(live.app)).toBeLessThan(soonMs)
  expect(await waiting).toBeLessThan(500)
  await ended
})

test.each([
  ['that asks for nothing', ''],
  ['that brings half a head', 'GET /things HTTP/1.1\r\nhost: mar'],
  ['that was answered and begins anew', `GET /things HTTP/1.1\r\nhost: ${authority}\r\n\r\nGET /thi`],
])('a stop does not wait for a connection %s', async (_what, text) => {
  const service = await startTinyService()
  const socket = await connected(service.url, text)
  const closed = once(socket.resume(), 'close')
  expect(await stopMs(service)).toBeLessThan(soonMs)
  await closed
})

test('a stop waits for a body that is on its way, and not for ever', async () => {
  const service = await startTinyService()
  const type = 'content-type: application/json'
  const head = `POST /things HTTP/1.1\r\nhost: ${authority}\r\n${type}\r\ncontent-length: 9\r\n\r\n`
  const [late, never] = [await connected(service.url, head), await connected(service.url, `${head}{`)]
  const answer = once(late, 'data') as Promise<[Buffer]>
  const cut = once(never.resume(), 'close')
  setTimeout(() => late.write('{"item":1'), 3_000)
  const ms = await stopMs(service)
  expect(String((await answer)[0])).toContain('HTTP/1.1 4')
  await cut
  expect(ms).toBeGreaterThan(soonMs)
  expect(ms).toBeLessThan(15_000)
})
