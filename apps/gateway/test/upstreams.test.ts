import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiptOf } from './foreign-client.ts'
import {
  price,
  seller,
  startChain,
  startSession,
  startStage,
  startUpstream,
  until,
  type Chain,
  type Session,
  type Stage,
  type Upstream,
} from './harness.ts'

let chain: Chain
let upstream: Upstream
let stage: Stage
beforeAll(async () => {
  chain = await startChain()
  upstream = await startUpstream((request, response) => {
    const kind = (request.url ?? '').slice('/v1/'.length)
    const status = /^status-(\d+)$/.exec(kind)?.[1]
    if (status !== undefined) return void response.writeHead(Number(status)).end(`status ${status}`)
    if (kind === 'silent') return
    if (kind === 'hangs-up') return void request.socket.destroy()
    if (kind === 'lies') {
      response.writeHead(200, { 'content-length': '100' })
      response.write('short')
      return void setTimeout(() => request.socket.destroy(), 50)
    }
    if (kind === 'claims-much') return void response.writeHead(200, { 'content-length': '99999999' }).flushHeaders()
    if (kind === 'huge') {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x')));
        if (!response.destroyed) response.once('drain', more)
      }
      return more()
    }
    if (kind === 'dribbles') {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 100)
      return void response.once('close', () => clearInterval(timer))
    }
    if (kind === 'large') return void response.end(Buffer.alloc(300_000, 'y'))
    if (kind === 'events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      return void setTimeout(() => response.end('data: 2\n\n'), 100)
    }
    if (kind === 'greedy') {
      response.setHeader('payment-receipt', 'forged')
      response.setHeader('set-cookie', 'a=b')
      response.setHeader('www-authenticate', 'Basic')
      response.setHeader('connection', 'x-private')
      response.setHeader('x-private', 'yes')
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('x-kept', 'yes')
    }
    response.end(JSON.stringify(request.headers))
  })
  stage = await startStage(chain, upstream.url, {
    GATEWAY_UPSTREAM_MS: '3000/3000',
    GATEWAY_BODIES: '1048576/400000',
    GATEWAY_ENDPOINTS: [
      `/weather ${upstream.url}/v1 ${price} ${seller.address}`,
      `/named ${upstream.url.replace('127.0.0.1', 'localhost')}/v1 ${price} ${seller.address}`,
      `/allowed ${upstream.url.replace('127.0.0.1', 'localhost')}/v1 ${price} ${seller.address} private`,
      `/gone http://127.0.0.1:1 ${price} ${seller.address}`,
    ].join(','),
  })
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})

describe('what an upstream refuses or never ends', () => {
  let session: Session
  beforeAll(async () => {
    session = await startSession(chain, stage, 'client')
  })

  test.each<[string, number]>([
    ['/weather/status-500', 500],
    ['/weather/status-503', 503],
    ['/weather/status-429', 429],
    ['/weather/silent', 504],
    ['/weather/dribbles', 504],
    ['/weather/hangs-up', 502],
    ['/weather/lies', 502],
    ['/weather/claims-much', 502],
    ['/gone', 502],
    ['/named', 502],
  ])('%s is not charged, and its voucher buys another call', async (path, status) => {
    const response = await session.pay(path, { cumulative: price })
    expect(response.status).toBe(status)
    expect(receiptOf(response)).toBeUndefined()
    expect(await session.books()).toMatchObject({ spent: '0', held: '0' })
  })

  test('the voucher that ten refused calls did not spend pays for one that is answered', async () => {
    const response = await session.pay('/weather/fine', { cumulative: price })
    expect([response.status, receiptOf(response)?.['spent']]).toEqual([200, '2500'])
  })
})

test('what the upstream answers is charged, whatever it says', async () => {
  const session = await startSession(chain, stage, 'operator')
  for (const status of [201, 204, 404]) {
    const response = await session.pay(`/weather/status-${status}`)
    expect(response.status).toBe(status)
    expect(receiptOf(response)).toBeDefined()
  }
  expect(await session.books()).toMatchObject({ spent: '7500' })
})

test('a long answer is streamed, charged once, and whole', async () => {
  const session = await startSession(chain, stage, 'operator')
  const response = await session.pay('/weather/large', { key: 'large' })
  expect((await response.arrayBuffer()).byteLength).toBe(300_000)
  const again = await session.pay('/weather/large', { key: 'large' })
  expect([again.status, receiptOf(again)?.['spent']]).toEqual([410, '2500'])
  expect(await session.books()).toMatchObject({ spent: '2500' })
})

test('an endless answer ends in the middle, so that nobody takes it for whole', async () => {
  const session = await startSession(chain, stage, 'operator')
  const response = await session.pay('/weather/huge')
  let length = 0
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) length += (chunk as Uint8Array).length
  }
  await expect(read()).rejects.toThrow('terminated')
  expect(length).toBeGreaterThan(65_536)
  expect(length).toBeLessThanOrEqual(400_000)
  expect(await session.books()).toMatchObject({ spent: '2500', held: '0' })
})

test('events come as they happen', async () => {
  const session = await startSession(chain, stage, 'operator')
  const response = await session.pay('/weather/events')
  expect(receiptOf(response)?.['spent']).toBe('2500')
  expect(await response.text()).toBe('data: 1\n\ndata: 2\n\n')
})

test('neither the credential nor what belongs to a connection goes on, nor an answer that speaks for the gateway', async () => {
  const session = await startSession(chain, stage, 'operator')
  const response = await session.pay('/weather/greedy', {
    key: 'seen',
    headers: { cookie: 'session=1', 'x-forwarded-for': '10.0.0.1', 'x-own': 'mine', te: 'trailers' },
  })
  const asked = (await response.json()) as Record<string, string>
  expect(asked).toMatchObject({ 'x-own': 'mine', 'idempotency-key': 'seen', host: new URL(upstream.url).host })
  for (const name of ['authorization', 'cookie', 'x-forwarded-for', 'te']) expect(asked).not.toHaveProperty(name)
  for (const name of ['set-cookie', 'www-authenticate', 'x-private', 'access-control-allow-origin'])
    expect(response.headers.get(name), name).toBeNull()
  expect(response.headers.get('x-kept')).toBe('yes')
  expect(receiptOf(response)).toMatchObject({ status: 'success' })
})

test('a name that leads to a private address is asked only where its seller says so', async () => {
  const session = await startSession(chain, stage, 'operator')
  const [refused, allowed] = [await session.pay('/named/x'), await session.pay('/allowed/x')]
  expect([refused.status, allowed.status]).toEqual([502, 200])
})

test('a buyer that leaves pays for what was answered, and gets it when it comes back', async () => {
  const session = await startSession(chain, stage, 'operator')
  const leaving = new AbortController()
  const left = session.pay('/weather/events', { key: 'left', signal: leaving.signal })
  await expect(left.then((response) => (leaving.abort(), response.text()))).rejects.toThrow()
  await until(async () => (await session.books())['held'] === '0')
  expect(await session.books()).toMatchObject({ spent: '2500', held: '0' })
})
