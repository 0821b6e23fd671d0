import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { JsonRpcTransport } from '@a2a-js/sdk/client'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { aTask, eventually, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { fetchAs } from './signing-fetch.ts'

const json = { host: authority, 'content-type': 'application/json' }

test('a flood of what is no request is counted like any other, and holds nobody else', async () => {
  await using live = await startLiveMarket({ SVC_RATE_ANON_PER_MIN: '30', SVC_RATE_WALLET_PER_MIN: '0' })
  const bodies = [
    '',
    '[]',
    '{"jsonrpc":"2.0","id":1,"method":"no/such"}',
    '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}',
    '{"jsonrpc":"2.0","method":"agent/info"}',
  ]
  const replies = await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      send(live.url, 'POST', '/a2a', json, bodies[index % bodies.length] ?? ''),
    ),
  )
  const limited = replies.filter(({ status }) => status === 429)
  expect(limited).toHaveLength(90)
  expect(
    limited.every(({ headers, body }) => Number(headers['retry-after']) > 0 && JSON.stringify(body).includes('-32069')),
  ).toBe(true)
  const publisher = await live.party(10n)
  expect(
    await publisher.call('POST', '/a2a', { jsonrpc: '2.0', id: 1, method: 'tasks/create', params: aTask() }),
  ).toMatchObject({ status: 200, body: { result: { status: 'published' } } })
})

let live: LiveMarket
let publisher: Party
beforeAll(async () => {
  live = await startLiveMarket()
  publisher = await live.party(100n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const published = async (): Promise<string> =>
  String((await publisher.call('POST', '/api/v1/tasks', aTask())).body['id'])

/** Asks for a stream and never reads a byte of it. */
async function deafReader(party: Party, id: string): Promise<Socket> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id } })
  const headers = await signed('POST', '/a2a', body, { key: party.key })
  const { hostname, port } = new URL(live.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.write(
    `POST /a2a HTTP/1.1\r\n${Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) })
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n')}\r\n\r\n${body}`,
  )
  return socket
}

test('a reader that takes nothing holds nobody: others hear of the same task, and the service goes on', async () => {
  const id = await published()
  const deaf = await Promise.all(Array.from({ length: 10 }, () => deafReader(publisher, id)))
  const seen: string[] = []
  const reading = (async () => {
    for await (const update of new JsonRpcTransport({
      endpoint: `http://${authority}/a2a`,
      fetchImpl: fetchAs(live.url, publisher),
    }).resubscribeTask({ id }))
      seen.push(JSON.stringify(update))
  })()
  await eventually(
    async () => seen.length,
    (length) => length > 0,
  )
  for (let round = 0; round < 20; round += 1)
    await publisher.call('PUT', `/api/v1/tasks/${id}`, { title: `Photograph the gate, attempt ${String(round)}` })
  await publisher.call('DELETE', `/api/v1/tasks/${id}`)
  await reading
  expect(seen[0]).toContain('"kind":"task"')
  expect(seen.filter((one) => one.includes('"type":"task.updated"'))).toHaveLength(20)
  expect(seen.at(-1)).toContain('"type":"task.cancelled"')
  for (const socket of deaf) socket.destroy()
})

test('one caller holds only so many streams open, and a closed one makes room again', async () => {
  const stranger = await live.party(0n)
  const id = await published()
  const reader = () =>
    new JsonRpcTransport({ endpoint: `http://${authority}/a2a`, fetchImpl: fetchAs(live.url, stranger) })
  const aborts = Array.from({ length: 20 }, () => new AbortController())
  const open = await Promise.all(
    aborts.map(async ({ signal }) => {
      const stream = reader().resubscribeTask({ id }, { signal })
      await stream.next()
      return stream
    }),
  )
  await expect(reader().resubscribeTask({ id }).next()).rejects.toThrow(/-32069/)
  aborts[0]?.abort()
  await open[0]?.next().catch(() => undefined) // the reader hears that it left
  const again = await eventually(
    () =>
      reader()
        .resubscribeTask({ id })
        .next()
        .then(
          ({ value }) => value,
          () => undefined,
        ),
    (first) => first !== undefined,
  )
  expect(again).toMatchObject({ kind: 'task', id })
  for (const one of aborts) one.abort()
  await Promise.allSettled(open.map((stream) => stream.next()))
})

test('a reader that reconnects with the last id hears what it missed, the end included', async () => {
  const id = await published()
  const frames: string[] = []
  const read = async (last?: string): Promise<string> => {
    const answer = await fetchAs(live.url, publisher)(`http://${authority}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(last === undefined ? {} : { 'last-event-id': last }) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id } }),
    })
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    if (last !== undefined) return answer.text()
    const chunk = await answer.body?.getReader().read() // and not another one
    return new TextDecoder().decode(chunk?.value)
  }
  frames.push(await read())
  const place = /^id: (.+)$/m.exec(frames[0] ?? '')?.[1] ?? ''
  // A write that began before holds the stream up: the task is over, and nobody may hear so yet.
  const slow = new Client({ connectionString: live.databaseUrl })
  await slow.connect()
  await slow.query('begin')
  await slow.query('select pg_current_xact_id()')
  await publisher.call('DELETE', `/api/v1/tasks/${id}`)
  const [missed] = await Promise.all([read(place), pause(500).then(() => slow.query('commit'))])
  await slow.end()
  expect(missed).toContain('"type":"task.cancelled"')
  expect(missed).toContain('"final":true')
  const refused = await publisher.call(
    'POST',
    '/a2a',
    { jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id } },
    { 'last-event-id': 'nowhere' },
  )
  expect(refused.body).toMatchObject({ error: { code: -32602 } })
})
