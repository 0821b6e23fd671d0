import { ErgonError } from '@ergon/sdk'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { nextEvents } from '../src/event-cursor.ts'
import { sampleEvent } from '../src/sample-event.ts'
import { createSession } from '../src/session.ts'
import { watchTask } from '../src/watch-task.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A service that knows one event, or none; `start` and `stop` keep its port. */
async function aService(events: readonly object[], heard: () => void = () => undefined) {
  const home = mkdtempSync(join(tmpdir(), 'ergon-outage-'))
  const server = createServer((_request, response) => {
    heard()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ events, next_cursor: 'b', has_more: false }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  onTestFinished(async () => {
    await stop()
    rmSync(home, { recursive: true })
  })
  const stopping = new AbortController()
  const env = { ERGON_HOME: home, ERGON_URL: `http://127.0.0.1:${String(port)}` }
  const session = createSession(env, { json: true, quiet: true, yes: true }, stopping.signal)
  return { session, stopping, stop, start: () => server.listen(port, '127.0.0.1') }
}

test('whoever waits for events goes on when the service was started again, and ends when it is told to', async () => {
  const event = { ...sampleEvent('task.completed', {}), cursor: 'b' }
  const { session, stopping, stop, start } = await aService([event])
  await stop()
  // Later than all attempts of the client.
  setTimeout(start, 5_000)
  const { page } = await nextEvents(session, session.reader(), {}, 'a', Infinity)
  expect(page).toEqual([event])
  await stop()
  const waiting = nextEvents(session, session.reader(), {}, 'b', Infinity)
  setTimeout(() => {
    stopping.abort()
  }, 5_000)
  await expect(waiting).rejects.toMatchObject({ exit: 'interrupted' })
})

test('a service that never answered is not waited for, nor one that is away when the time is up', async () => {
  const { session, stop } = await aService([])
  await stop()
  const asked = [
    nextEvents(session, session.reader(), {}, undefined, Infinity),
    nextEvents(session, session.reader(), {}, 'a', performance.now() + 1_000),
  ]
  for (const failure of await Promise.allSettled(asked))
    expect(failure).toMatchObject({ status: 'rejected', reason: { status: 0 } })
  await expect(asked[0]).rejects.toBeInstanceOf(ErgonError)
})

test('the time given is over when it is over, though the clock is set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const { session } = await aService([], () => {
    vi.setSystemTime(Date.now() - 3_600_000)
  })
  const begun = performance.now()
  const unsigned = { ...session, client: session.reader }
  const waiting = watchTask(unsigned, 'a task', { timeoutSec: 1.5, until: 'task.completed', tell: false })
  await expect(waiting).rejects.toMatchObject({ code: 'TIMEOUT' })
  expect(performance.now() - begun).toBeGreaterThanOrEqual(1_500)
})
