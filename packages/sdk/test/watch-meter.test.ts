import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createClient } from '../src/index.ts'

const task_id = '01890000-0000-7000-8000-000000000001'
const meter = (state: string) => `event: meter\ndata: ${JSON.stringify({ state })}\n\n`
const end = 'event: end\ndata: {}\n\n'

/** What a watcher reads when its connections are answered one after the other; each text is a stream that then ends. */
async function watched(...answers: readonly (string | { readonly status: number; readonly code: string })[]) {
  const left = [...answers]
  const server = createServer((_request, response) => {
    const answer = left.shift() ?? { status: 500, code: 'INTERNAL' }
    if (typeof answer === 'string') response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer)
    else
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code: answer.code, message: answer.code }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const states: string[] = []
  try {
    const client = createClient({ baseUrl: `http://127.0.0.1:${String(port)}`, wait: () => Promise.resolve() })
    for await (const { state } of client.watchMeter(task_id)) states.push(state)
    return { states, left: left.length }
  } catch (error) {
    return { states, left: left.length, error: (error as { code?: string }).code }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

test('is read until the service says that it ends, whatever its state', async () => {
  expect(await watched(meter('unbound') + end, 'never asked')).toEqual({ states: ['unbound'], left: 1 })
})

test('a connection that broke is made again, and the same reading is told once', async () => {
  const readings = [meter('open'), meter('open') + meter('closing'), meter('settled') + end]
  expect(await watched(...readings)).toEqual({ states: ['open', 'closing', 'settled'], left: 0 })
})

test('that was seen and is gone since has ended; that was never seen is an error', async () => {
  const gone = { status: 410, code: 'TASK_GONE' }
  expect(await watched(meter('unbound'), gone, 'never asked')).toEqual({ states: ['unbound'], left: 1 })
  expect(await watched(gone)).toEqual({ states: [], left: 0, error: 'TASK_GONE' })
})

test('any other refusal is an error', async () => {
  const refused = { status: 404, code: 'TASK_NOT_FOUND' }
  expect(await watched(meter('open'), refused)).toEqual({ states: ['open'], left: 0, error: 'TASK_NOT_FOUND' })
})

test.each([
  ['before its first byte', 10_500],
  ['after a reading', 60_500],
] as const)('a service that falls silent %s is asked again', async (when, afterMs) => {
  const asked: ServerResponse[] = []
  const server = createServer((_request, response) => {
    asked.push(response)
    if (asked.length > 1) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(meter('settled') + end)
    else if (when === 'after a reading')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(meter('open'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const client = createClient({ baseUrl: `http://127.0.0.1:${String(port)}`, wait: () => Promise.resolve() })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const states: string[] = []
    const watching = (async () => {
      for await (const { state } of client.watchMeter(task_id)) states.push(state)
    })()
    const isSilent = () => asked.length === 1 && (when !== 'after a reading' || states.length === 1)
    while (!isSilent()) await new Promise((resolve) => setImmediate(resolve))
    // Its reading may have been told before the clock of the silence began.
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(afterMs)
    await watching
    expect(states.at(-1)).toBe('settled')
    expect(asked).toHaveLength(2)
  } finally {
    vi.useRealTimers()
    server.closeAllConnections()
    server.close()
  }
})
