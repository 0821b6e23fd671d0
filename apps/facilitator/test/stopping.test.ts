import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createHttpServer } from '../src/http/server.ts'

const silent = { warn: () => undefined, error: () => undefined }

test.each([
  ['that asks for nothing', ''],
  ['that brings half a head', 'GET /health HTTP/1.1\r\nhost: f'],
  ['that brings half a body', 'POST /settle HTTP/1.1\r\nhost: f\r\ncontent-length: 9\r\n\r\n{'],
])('a stop does not wait long for a connection %s', async (_what, text) => {
  const server = createHttpServer(() => Promise.reject(new Error('nothing is asked')), silent)
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1').resume()
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  socket.write(text)
  // It is there when another connection was answered behind it.
  await fetch(`http://127.0.0.1:${port}/health`)
  const began = performance.now()
  await server.close()
  expect(performance.now() - began).toBeLessThan(8_000)
  await closed
})
