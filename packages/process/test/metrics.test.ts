import { createServer, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  checkMetricsToken,
  createHttpCounts,
  createSources,
  decideMetricsAt,
  httpFigures,
  listenMetrics,
  printFigures,
  samplesBy,
  sourceFigures,
  type MetricsPage,
} from '../src/index.ts'

const figures = {
  ergon_backlog: { type: 'gauge', says: 'What waits: a \\ and\nmore.', labels: ['queue'] },
  ergon_silent: { type: 'gauge', says: 'Nobody knows.' },
  ergon_done_total: { type: 'counter', says: 'What was done.' },
} as const

test('a page has each figure with its meaning, and labels that no text breaks out of', () => {
  expect(printFigures(figures, { ergon_backlog: samplesBy('queue', [['a"b\\c\nd', 1.5]]), ergon_done_total: 3 })).toBe(
    [
      '# HELP ergon_backlog What waits: a \\\\ and\\nmore.',
      '# TYPE ergon_backlog gauge',
      'ergon_backlog{queue="a\\"b\\\\c\\nd"} 1.5',
      '# HELP ergon_done_total What was done.',
      '# TYPE ergon_done_total counter',
      'ergon_done_total 3',
      '',
    ].join('\n'),
  )
})

test('what nobody knows is left out, and is no zero', () => {
  expect(printFigures(figures, { ergon_silent: null, ergon_done_total: 0 })).not.toContain('ergon_silent')
})

describe('requests', () => {
  test('are counted by class of their status, and by how long they took up to each bound', () => {
    const counts = createHttpCounts()
    for (const ms of [1, 25, 26, 60_000]) counts.note('tasks.list', ms === 1 ? 404 : 200, ms)
    const text = printFigures(httpFigures, counts.told())
    expect(text).toContain('ergon_http_requests_total{operation="tasks.list",status="2xx"} 3\n')
    expect(text).toContain('ergon_http_requests_total{operation="tasks.list",status="4xx"} 1\n')
    const buckets = [...text.matchAll(/_bucket\{operation="tasks.list",le="([^"]+)"\} (\d+)/g)]
    expect(buckets.map(([, le, count]) => [le, Number(count)])).toEqual([
      ['0.005', 1],
      ['0.025', 2],
      ['0.1', 3],
      ['0.25', 3],
      ['1', 3],
      ['2.5', 3],
      ['10', 3],
      ['+Inf', 4],
    ])
    expect(text).toContain('_sum{operation="tasks.list"} 60.052\n')
    expect(text).toContain('_count{operation="tasks.list"} 4\n')
  })

  test('fill no memory by their names', () => {
    const counts = createHttpCounts()
    for (let name = 0; name < 5_000; name += 1) counts.note(`name-${String(name)}`, 200, 1)
    const rows = counts.told().ergon_http_requests_total as readonly unknown[] // as it tells them
    expect(rows.length).toBe(1_001)
  })
})

describe('sources', () => {
  const ask = async (sources: Parameters<typeof createSources<typeof figures>>[0], ms = 50) =>
    printFigures({ ...figures, ...sourceFigures }, await createSources<typeof figures>(sources, ms)())

  test('one that is silent or fails keeps nothing but its own figures from being told', async () => {
    const text = await ask({
      good: () => Promise.resolve({ ergon_done_total: 2 }),
      bad: () => Promise.reject(new Error('no table')),
      silent: () => new Promise(() => undefined),
    })
    expect(text).toContain('ergon_done_total 2\n')
    expect(text).toContain('ergon_source_up{source="good"} 1\n')
    expect(text).toContain('ergon_source_up{source="bad"} 0\n')
    expect(text).toContain('ergon_source_up{source="silent"} 0\n')
    expect(text).toContain('ergon_database_up 1\n')
  })

  test('a database of which none answers is down, within the time that is given', async () => {
    const began = performance.now()
    expect(await ask({ silent: () => new Promise(() => undefined) })).toContain('ergon_database_up 0\n')
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('one that still owes an answer is not asked again, and is asked again once it gave it', async () => {
    let asked = 0
    const first = Promise.withResolvers<{ readonly ergon_done_total: number }>()
    const ask = createSources<typeof figures>(
      { slow: () => ((asked += 1) === 1 ? first.promise : Promise.resolve({})) },
      5,
    )
    for (let times = 0; times < 3; times += 1) await ask()
    expect(asked).toBe(1)
    first.resolve({ ergon_done_total: 1 })
    await first.promise
    await ask()
    await ask()
    expect(asked).toBeGreaterThan(1)
  })
})

describe('the listener', () => {
  const owned = new AsyncDisposableStack()
  let open: AsyncDisposable | undefined
  afterEach(async () => {
    await open?.[Symbol.asyncDispose]()
    open = undefined
  })
  const token = 'a token of thirty-two characters.'.replaceAll(' ', '-')
  const start = async (changed: Partial<MetricsPage> = {}): Promise<string> => {
    const port = await somePort()
    const page = { token: undefined, print: () => Promise.resolve('x 1\n'), onFault: () => undefined, ...changed }
    open = await listenMetrics({ host: '127.0.0.1', port }, page)
    return `http://127.0.0.1:${String(port)}`
  }

  test('answers what it was given, on one path and to GET alone', async () => {
    const url = await start()
    const answer = await fetch(`${url}/metrics`)
    expect([answer.status, await answer.text()]).toEqual([200, 'x 1\n'])
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await fetch(url)).status).toBe(404)
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405)
  })

  test('with a token, nobody without it learns anything', async () => {
    const url = await start({ token })
    const ask = async (authorization?: string): Promise<readonly unknown[]> => {
      const headers = authorization === undefined ? {} : { authorization }
      const answer = await fetch(`${url}/metrics`, { headers })
      return [answer.status, await answer.text()]
    }
    expect(await ask()).toEqual([401, ''])
    expect(await ask(`Bearer ${token}x`)).toEqual([401, ''])
    expect(await ask(token)).toEqual([401, ''])
    expect(await ask(`Bearer ${token}`)).toEqual([200, 'x 1\n'])
  })

  test('who is refused, and who asks for nothing, keeps no connection from others', async () => {
    const url = await start({ token })
    expect((await fetch(`${url}/metrics`)).headers.get('connection')).toBe('close')
    const silent = Array.from({ length: 20 }, () => connect(Number(new URL(url).port), '127.0.0.1'))
    const gone = silent.map((socket) => {
      socket.on('error', () => undefined).resume()
      return new Promise((resolve) => socket.once('close', resolve))
    })
    await Promise.all(gone)
    expect((await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })

  test('without one, a page in a browser on this machine that comes by another name is turned away', async () => {
    const url = await start()
    expect(await statusFor(url, 'rebound.example')).toBe(421)
    expect(await statusFor(url, '127.0.0.1.rebound.example:80')).toBe(421)
    expect(await statusFor(url, 'localhost:9464')).toBe(200)
    expect(await statusFor(url, '[::1]:9464')).toBe(200)
  })

  test('however many ask at once, the figures are read once', async () => {
    let read = 0
    const url = await start({ print: () => Promise.resolve(`x ${String((read += 1))}\n`) })
    await Promise.all(Array.from({ length: 12 }, () => fetch(`${url}/metrics`).then((answer) => answer.text())))
    expect(read).toBe(1)
  })

  test('a failure is told to the log and is an answer', async () => {
    const faults: unknown[] = []
    const url = await start({ print: () => Promise.reject(new Error('lost')), onFault: (error) => faults.push(error) })
    expect((await fetch(`${url}/metrics`)).status).toBe(500)
    expect(faults.map(String)).toEqual(['Error: lost'])
  })

  test('a port that is taken is an error', async () => {
    await using taken = owned
    const server = createServer()
    taken.defer(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // of a listener on a port
    const page = { token: undefined, print: () => Promise.resolve(''), onFault: () => undefined }
    await expect(listenMetrics({ host: '127.0.0.1', port }, page)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('settings', () => {
  const refuse = (sentence: string): Error => new Error(sentence)
  const at = (port?: string, host?: string) => decideMetricsAt('SVC', { port, host }, refuse)
  const check = (where: ReturnType<typeof at>, token?: string) => checkMetricsToken('SVC', where, token, refuse)

  test('nothing is told unless a port is set, and then to this machine', () => {
    expect(at()).toBeNull()
    expect(at('')).toBeNull()
    expect(at('9464')).toEqual({ host: '127.0.0.1', port: 9_464 })
    expect(check(at('9464'))).toBeUndefined()
  })

  test.each([['0'], ['65536'], ['94 64'], ['-1'], ['http']])('%s is no port', (port) => {
    expect(() => at(port)).toThrow('SVC_METRICS_PORT must be a port from 1 to 65535')
  })

  test('a host or a token without a port is a mistake', () => {
    expect(() => at(undefined, '10.0.0.1')).toThrow('SVC_METRICS_HOST is set and SVC_METRICS_PORT is not')
    expect(() => check(null, 'x'.repeat(32))).toThrow('SVC_METRICS_TOKEN is set and SVC_METRICS_PORT is not')
  })

  test.each([['0.0.0.0'], ['10.0.0.7'], ['::'], ['metrics.internal'], ['127.0.0.1.example']])(
    'at %s others could read them, so a token is asked for',
    (host) => {
      expect(() => check(at('9464', host))).toThrow('set SVC_METRICS_TOKEN')
      expect(check(at('9464', host), 'x'.repeat(32))).toBe('x'.repeat(32))
    },
  )

  test.each([['x'.repeat(31)], [`${'x'.repeat(31)} y`]])('%s is no token', (token) => {
    expect(() => check(at('9464'), token)).toThrow('at least 32 random characters')
  })
})

async function somePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // of a listener on a port
  await new Promise((resolve) => server.close(resolve))
  return port
}

function statusFor(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/metrics`, { headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end()
  })
}
