import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { drive, driveAt, type PreparedRequest } from './drive.ts'

let server: Server
let origin: string
let open = 0
let most = 0
const seen: string[] = []

beforeEach(async () => {
  seen.length = 0
  server = createServer((request, response) => {
    open += 1
    most = Math.max(most, open)
    void text(request).then((body) => {
      open -= 1
      seen.push(`${request.method ?? ''} ${request.url ?? ''} ${body}`)
      response.writeHead(request.url === '/refused' ? 401 : 201).end('because')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})
afterEach(() => {
  server.close()
})

function posts(count: number): PreparedRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    method: 'POST',
    path: '/task',
    headers: {},
    body: Buffer.from(String(index)),
  }))
}

test('every request is sent once, over no more connections than asked for', async () => {
  const { requests, p50Ms, p99Ms } = await drive(origin, posts(200), { connections: 8, status: 201 })
  expect(requests).toBe(200)
  expect(new Set(seen).size).toBe(200)
  expect(most).toBeLessThanOrEqual(8)
  expect(p50Ms).toBeLessThanOrEqual(p99Ms)
})

test('an answer of another status ends the measurement with its words', async () => {
  const requests = [...posts(3), { method: 'GET' as const, path: '/refused', headers: {} }]
  await expect(drive(origin, requests, { connections: 2, status: 201 })).rejects.toThrow(
    'GET /refused answered 401: because',
  )
})

test('a steady pace is kept whether earlier requests are answered or not, and each is timed from when it was due', async () => {
  const { requests, seconds, p50Ms } = await driveAt(origin, posts(100), {
    perSecond: 500,
    connections: 8,
    status: 201,
  })
  expect(requests).toBe(100)
  expect(new Set(seen).size).toBe(100)
  expect(seconds).toBeGreaterThanOrEqual(99 / 500)
  expect(p50Ms).toBeGreaterThan(0)
})

test('a request may expect an answer of its own', async () => {
  const refused: PreparedRequest = { method: 'GET', path: '/refused', headers: {}, status: 401 }
  expect(await drive(origin, [...posts(1), refused], { connections: 1, status: 201 })).toMatchObject({ requests: 2 })
})
