import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../src/index.ts'

const stack = new AsyncDisposableStack()
afterEach(() => stack.disposeAsync())

test('a file takes as long as its line needs, where another call is given up', async () => {
  // Takes in what comes, and answers well after the patience of an ordinary call.
  const service = createServer((request, response) => {
    request.resume().once('end', () => setTimeout(() => response.writeHead(201).end(), 600))
  }).listen(0, '127.0.0.1')
  stack.defer(() => {
    service.closeAllConnections()
    service.close()
  })
  await once(service, 'listening')
  const address = service.address()
  if (address === null || typeof address === 'string') throw new Error('the service has no port')
  const baseUrl = `http://127.0.0.1:${String(address.port)}`
  const client = createClient({ baseUrl, timeoutMs: 100 })
  await client.transport.put(`${baseUrl}/file`, { 'content-type': 'video/mp4' }, new Uint8Array(2_000_000))
  await expect(client.call('service.health', {})).rejects.toMatchObject({ code: 'timeout' })
})
