import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { eventually } from '../adapters/rig.ts'
import { hasLeft } from '../../src/transports/broken-request.ts'
import { send, sendRaw } from './send.ts'
import { authority, startTinyService } from './tiny-service.ts'

const host = `Host: ${authority}\r\n`

describe('what is no request at all is answered in the words of the catalogue', () => {
  test.each<[name: string, bytes: string, status?: number]>([
    ['an unknown method', `FOO /things HTTP/1.1\r\n${host}\r\n`],
    ['a foreign protocol', '\x16\x03\x01\x02\x00\x01\r\n\r\n'],
    ['both lengths', `POST /things HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
    ['a negative length', `POST /things HTTP/1.1\r\n${host}Content-Length: -5\r\n\r\n`],
    ['a length beyond counting', `POST /things HTTP/1.1\r\n${host}Content-Length: 99999999999999999999\r\n\r\n`],
    ['no host', 'GET /things HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a flood of header lines', `GET /things HTTP/1.1\r\n${host}${'a:\r\n'.repeat(20_000)}\r\n`, 431],
    ['a target without end', `GET /things/${'a'.repeat(50_000)} HTTP/1.1\r\n${host}\r\n`, 431],
  ])('%s', async (_name, bytes, status = 400) => {
    await using service = await startTinyService()
    const answer = await sendRaw(service.url, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `))
    // What the envelope promises.
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { request_id: string }
    expect(body).toMatchObject({
      error: 'BadRequest',
      code: 'MALFORMED_BODY',
      detail: { code: 'MALFORMED_BODY', retryable: false, ref: body.request_id },
    })
    expect([service.calls, service.faults]).toEqual([[], []])
  })
})

test('a caller who leaves in the middle of a body is no fault of the service', async () => {
  await using service = await startTinyService()
  const { port } = new URL(service.url)
  for (const half of [`Content-Length: 20\r\n\r\n{"item"`, 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"ite\r\nzz\r\n']) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`POST /things HTTP/1.1\r\n${host}Content-Type: application/json\r\n${half}`, () => {
      socket.destroySoon()
    })
  }
  await eventually(
    () => Promise.resolve(service.left),
    (left) => left.length === 2,
  )
  expect([service.left.length, service.lines]).toEqual([2, []])
  expect(service.faults).toEqual([])
  expect((await send(service.url, 'GET', '/things')).status).toBe(200)
})

test('callers that leave in the middle of a body are one line each for whoever looks closely, and no fault', async () => {
  await using service = await startTinyService()
  const { hostname, port } = new URL(service.url)
  for (let round = 0; round < 20; round += 1) {
    const socket = connect(Number(port), hostname)
    const closed = once(socket, 'close')
    socket.on('error', () => undefined)
    socket.write(
      `POST /things HTTP/1.1\r\nHost: ${authority}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"item"',
      () => {
        setTimeout(() => {
          if (round % 2 === 0) socket.destroy()
          else socket.resetAndDestroy()
        }, 10)
      },
    )
    await closed
  }
  await eventually(
    () => Promise.resolve(service.left.length),
    (count) => count === 20,
  )
  expect([service.left.length, service.faults, service.lines]).toEqual([20, [], []])
  expect((await send(service.url, 'GET', '/things', { host: authority })).status).toBe(200)
})

test.each([
  ['an aborted wait', new DOMException('aborted', 'AbortError'), true],
  ['a reset connection of the caller', Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), true],
  [
    'a stream that was closed early',
    Object.assign(new Error('premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }),
    true,
  ],
  [
    'a node that does not answer',
    Object.assign(new Error('connect'), { code: 'ECONNRESET', syscall: 'connect', address: '127.0.0.1' }),
    false,
  ],
  ['a fault of our own', new TypeError('undefined is not a function'), false],
])('%s is told apart', (_name, error, left) => {
  expect(hasLeft(error)).toBe(left)
})
