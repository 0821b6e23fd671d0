import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTinyService } from './tiny-service.ts'

const body = '{"item":"thing"}'
const head =
  'POST /things HTTP/1.1\r\nhost: market.test\r\n' +
  `content-type: application/json\r\ncontent-length: ${String(body.length)}\r\n\r\n`

async function until(socket: Socket, text: string): Promise<string> {
  let got = ''
  while (!got.includes(text)) got += String((await once(socket, 'data'))[0])
  return got
}

test('a service that stops answers what is under way, and does not wait for a client that keeps its connection', async () => {
  const service = await startTinyService()
  const { port, hostname } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  socket.write(head + body.slice(0, 5))
  await pause(100)
  const stopped = service[Symbol.asyncDispose]().then(() => 'stopped' as const)
  socket.write(body.slice(5))
  expect(await until(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /)
  // The client hangs up on nothing; Node would keep its connection for over a minute.
  expect(await Promise.race([stopped, pause(20_000, 'still there' as const, { ref: false })])).toBe('stopped')
  socket.destroy()
})
