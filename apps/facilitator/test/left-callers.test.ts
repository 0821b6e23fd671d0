import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createHttpServer } from '../src/http/server.ts'
import { delay } from '../src/surroundings/surroundings.ts'
import { platform } from '../src/surroundings/platform.ts'

test('callers that leave in the middle of a body are one line each at debug, and no error', async () => {
  const lines: string[] = []
  const note =
    (level: string) =>
    (_fields: object, message: string): void => {
      lines.push(`${level}: ${message}`)
    }
  const server = createHttpServer(() => Promise.resolve({ status: 200, headers: {}, body: '{}' }), {
    debug: note('debug'),
    warn: note('warn'),
    error: note('error'),
  })
  const url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  for (let round = 0; round < 10; round += 1) {
    const socket = connect(Number(url.port), url.hostname)
    const closed = once(socket, 'close')
    socket.write(
      'POST /settle HTTP/1.1\r\nHost: f\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"a"',
      () => {
        setTimeout(() => {
          socket.destroy()
        }, 10)
      },
    )
    await closed
  }
  for (let wait = 0; wait < 100 && lines.length < 10; wait += 1) await delay(platform, 20)
  expect(lines).toEqual(Array.from({ length: 10 }, () => 'debug: a caller left before its body was complete'))
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(200)
  await server.close()
})
