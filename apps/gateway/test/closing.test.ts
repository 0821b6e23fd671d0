import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { closingOf } from '../src/http/closing.ts'

/** A listener that answers when it is told to. */
async function open() {
  const { promise: told, resolve: answer } = Promise.withResolvers<void>()
  const server = createServer((_request, response) => void told.then(() => response.end('done')))
  const close = closingOf(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return { port, close, answer, asked: once(server, 'request') }
}

test.each([
  ['that asks for nothing', ''],
  ['that brings half a head', 'GET / HTTP/1.1\r\nhost: g'],
])('a stop does not wait long for a connection %s', async (_what, text) => {
  const { port, close } = await open()
  const socket = connect(port, '127.0.0.1').resume()
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  socket.write(text)
  await pause(200)
  const began = performance.now()
  await close()
  expect(performance.now() - began).toBeLessThan(8_000)
  await closed
})

test('what is being answered when it stops is answered, however long it takes', async () => {
  const { port, close, answer, asked } = await open()
  const answered = once(request({ host: '127.0.0.1', port }).end(), 'response')
  await asked
  const closed = close()
  setTimeout(answer, 3_000)
  const [response] = await answered
  expect(response).toMatchObject({ statusCode: 200 })
  await closed
})
