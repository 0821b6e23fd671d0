import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { eventually } from '../adapters/rig.ts'
import { send, sendRaw } from './send.ts'
import { authority, startTinyService } from './tiny-service.ts'

const host = `Host: ${authority}\r\n`

describe('what is no request at all is answered in the words of the catalogue', () => {
  test.each([
    ['an unknown method', `FOO /things HTTP/1.1\r\n${host}\r\n`],
    ['a foreign protocol', '\x16\x03\x01\x02\x00\x01\r\n\r\n'],
    ['both lengths', `POST /things HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
    ['a negative length', `POST /things HTTP/1.1\r\n${host}Content-Length: -5\r\n\r\n`],
    ['a length beyond counting', `POST /things HTTP/1.1\r\n${host}Content-Length: 99999999999999999999\r\n\r\n`],
    ['no host', 'GET /things HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a flood of header lines', `GET /things HTTP/1.1\r\n${host}${'a:\r\n'.repeat(20_000)}\r\n`],
    ['a target without end', `GET /things/${'a'.repeat(50_000)} HTTP/1.1\r\n${host}\r\n`],
  ])('%s', async (_name, bytes) => {
    await using service = await startTinyService()
    const answer = await sendRaw(service.url, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { request_id: string } // what the envelope promises
    expect(body).toMatchObject({ error: 'BadRequest', code: 'MALFORMED_BODY', detail: { code: 'MALFORMED_BODY', retryable: false, ref: body.request_id } })
    expect([service.calls, service.faults]).toEqual([[], []])
  })
})

test('a caller who leaves in the middle of a body is no fault of the service', async () => {
  await using service = await startTinyService()
  const { port } = new URL(service.url)
  for (const half of [`Content-Length: 20\r\n\r\n{"item"`, 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"ite\r\nzz\r\n']) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`POST /things HTTP/1.1\r\n${host}Content-Type: application/json\r\n${half}`, () => { socket.destroySoon() })
  }
  await eventually(() => Promise.resolve(service.lines), (lines) => lines.length === 2)
  expect(service.lines.map((line) => line.code)).toEqual(['MALFORMED_BODY', 'MALFORMED_BODY'])
  expect(service.faults).toEqual([])
  expect((await send(service.url, 'GET', '/things')).status).toBe(200)
})
