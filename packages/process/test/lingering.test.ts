import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { lingering } from '../src/index.ts'
import { sendWhole } from '../src/testing/send-whole.ts'

const mebibyte = 1_048_576
const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A service that refuses every body before it has read it. */
async function refusing(limits?: Parameters<typeof lingering>[1]): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(413, { connection: 'close', 'content-length': 9 }).end('too large')
  })
  lingering(server, limits)
  open.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('who is answered before the body has arrived', () => {
  test('reads the answer, however much is still on its way', async () => {
    // However slow the machine is.
    const port = await refusing({ ms: 60_000, bytes: 32 * mebibyte })
    for (let round = 0; round < 8; round += 1)
      expect(await sendWhole(port, '/', 20 * mebibyte)).toMatch(/^HTTP\/1\.1 413 [^]*too large$/)
  })

  test('is cut off when it sends more than is read', async () => {
    const { socket, cut } = await sendingOn({ ms: 60_000, bytes: mebibyte })
    const timer = setInterval(() => socket.write(new Uint8Array(mebibyte)), 10)
    await cut
    clearInterval(timer)
    expect(socket.bytesWritten).toBeGreaterThan(mebibyte)
    socket.destroy()
  })

  test('is cut off when it takes its time', async () => {
    const { socket, cut } = await sendingOn({ ms: 50, bytes: mebibyte })
    await cut
    expect(socket.bytesWritten).toBeLessThan(1_000)
    socket.destroy()
  })
})

/** A caller that has been answered, keeps its side open and owes nearly all of its body. */
async function sendingOn(limits: Parameters<typeof lingering>[1]) {
  const port = await refusing(limits)
  const [server] = open
  if (server === undefined) throw new Error('there is a server')
  const accepted = once(server, 'connection')
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.resume()
  const [taken] = (await accepted) as [Socket]
  const cut = once(taken, 'close')
  socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${String(1_000 * mebibyte)}\r\n\r\nhalf`)
  await once(socket, 'end')
  return { socket, cut }
}
