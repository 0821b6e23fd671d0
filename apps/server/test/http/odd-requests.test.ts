import { sendParts } from '@ergon/process/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLiveMarket, type LiveMarket } from './live-market.ts'
import { openSocket } from './live-socket.ts'
import { authority } from '../dispatch/tiny-service.ts'

/** HTTP as foreign clients and what is on the way write it, on raw connections. */

let live: LiveMarket
let port: number
beforeAll(async () => {
  live = await startLiveMarket({ SVC_RATE_ANON_PER_MIN: '0' })
  port = Number(new URL(live.url).port)
})
afterAll(() => live[Symbol.asyncDispose]())

const host = `Host: ${authority}\r\n`
const closing = 'Connection: close\r\n'
const json = 'Content-Type: application/json\r\n'
const list = '/api/v1/tasks'
const odd = 'Range: bytes=0-1\r\nAccept: */*;q=0\r\nAccept-Language: ;;q=\xff\r\nIf-None-Match: junk"\r\n'
const chunked = `POST ${list} HTTP/1.1\r\n${host}${json}${closing}Transfer-Encoding: `

/** What was said: the statuses of its answers, and the code of the last, which names the request. */
async function answersOf(parts: readonly string[], isEnded = false): Promise<string> {
  const heard = await sendParts(port, parts, isEnded)
  const statuses = [...heard.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
  const body = heard.slice(heard.lastIndexOf('\r\n\r\n') + 4)
  if (!body.startsWith('{')) return statuses.join(' ')
  const { code, request_id: requestId } = JSON.parse(body) as { readonly code?: string; readonly request_id?: string }
  if (code !== undefined) expect(heard.toLowerCase()).toContain(`x-request-id: ${String(requestId)}`)
  return [...statuses, ...(code === undefined ? [] : [code])].join(' ')
}

describe('is read as it is meant', () => {
  test.each([
    ['HTTP/1.0 without a host', `GET ${list} HTTP/1.0\r\n\r\n`, '200'],
    ['HEAD', `HEAD ${list} HTTP/1.1\r\n${host}${closing}\r\n`, '200'],
    ['a target in absolute form', `GET http://${authority}${list} HTTP/1.1\r\n${host}${closing}\r\n`, '200'],
    ['empty lines before a request', `\r\n\r\nGET ${list} HTTP/1.1\r\n${host}${closing}\r\n`, '200'],
    [
      'an upgrade nobody offers',
      `GET ${list} HTTP/1.1\r\n${host}Connection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n`,
      '200',
    ],
    [
      'extensions of chunks, and a trailer',
      `${chunked}chunked\r\n\r\n2;a=b;c="d"\r\n{}\r\n0\r\nX-End: 1\r\n\r\n`,
      '401 UNAUTHORIZED',
    ],
    ['odd wishes', `GET ${list} HTTP/1.1\r\n${host}${closing}${odd}\r\n`, '200'],
    [
      'two requests at once',
      `GET ${list} HTTP/1.1\r\n${host}\r\nGET /nowhere HTTP/1.1\r\n${host}${closing}\r\n`,
      '200 404 NOT_FOUND',
    ],
    [
      'something behind the last request',
      `GET ${list} HTTP/1.1\r\n${host}${closing}\r\nGET ${list} HTTP/1.1\r\n\r\n`,
      '200',
    ],
    ['something that is no request behind one', `GET ${list} HTTP/1.1\r\n${host}\r\nGARBAGE\r\n\r\n`, '200'],
  ])('%s', async (_what, bytes, answers) => {
    expect(await answersOf([bytes])).toBe(answers)
  })

  test('a request whose sender ends its side behind it', async () => {
    expect(await answersOf([`GET ${list} HTTP/1.1\r\n${host}\r\n`], true)).toBe('200')
    expect(await answersOf([`GET /api/v1/events?wait_seconds=1 HTTP/1.1\r\n${host}\r\n`], true)).toBe('200')
  })

  test('a body that is held back until it is asked for', async () => {
    const head = `POST ${list} HTTP/1.1\r\n${host}${json}${closing}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`
    expect(await answersOf([head, '{}'])).toBe('100 401 UNAUTHORIZED')
  })
})

describe('is refused in the words of the catalogue', () => {
  const held = `Content-Length: 900000000\r\nExpect: 100-continue\r\n\r\n`
  test.each([
    ['two hosts', `GET ${list} HTTP/1.1\r\n${host}Host: b\r\n\r\n`, '400 MALFORMED_BODY'],
    ['no host', `GET ${list} HTTP/1.1\r\n\r\n`, '400 MALFORMED_BODY'],
    ['a fragment', `GET ${list}#a?limit=1 HTTP/1.1\r\n${host}\r\n`, '400 MALFORMED_BODY'],
    ['a folded header', `GET ${list} HTTP/1.1\r\n${host}X-A: b\r\n c\r\n\r\n`, '400 MALFORMED_BODY'],
    [
      'both lengths',
      `POST ${list} HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '400 MALFORMED_BODY',
    ],
    ['a coding nobody knows', `${chunked}xchunked\r\n\r\n0\r\n\r\n`, '400 MALFORMED_BODY'],
    ['a coding under chunked', `${chunked}gzip, chunked\r\n\r\n0\r\n\r\n`, '400 MALFORMED_BODY'],
    [
      'a coding in HTTP/1.0',
      `${chunked}chunked\r\n\r\n0\r\n\r\n`.replace('HTTP/1.1', 'HTTP/1.0'),
      '400 MALFORMED_BODY',
    ],
    [
      'a body that is too large, before it is sent',
      `POST ${list} HTTP/1.1\r\n${host}${json}${held}`,
      '413 request_body_too_large',
    ],
    [
      'a key, before the body is sent',
      `POST ${list} HTTP/1.1\r\n${host}${json}X-API-Key: k\r\n${held}`,
      '403 API_KEY_REFUSED',
    ],
  ])('%s', async (_what, bytes, answers) => {
    expect(await answersOf([bytes])).toBe(answers)
  })
})

describe('a handshake of a socket', () => {
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const version = 'Sec-WebSocket-Version: 13\r\n'
  const asked = `GET /ws HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\n`

  test.each([
    ['without a key', version],
    ['with a key that is none', `${version}Sec-WebSocket-Key: abc\r\n`],
    ['without a version', key],
    ['of another version', `${key}Sec-WebSocket-Version: 12\r\n`],
    ['with names that are none', `${key}${version}Sec-WebSocket-Protocol: ,, a b\r\n`],
  ])('%s is refused in the words of the catalogue', async (_what, lines) => {
    expect(await answersOf([`${asked}${lines}\r\n`])).toBe('422 VALIDATION_FAILED')
  })

  test('in HTTP/1.0 is refused', async () => {
    const bytes = `${asked}${key}${version}\r\n`.replace('HTTP/1.1', 'HTTP/1.0')
    expect(await answersOf([bytes])).toBe('422 VALIDATION_FAILED')
  })

  test('is agreed to without a name that nobody here speaks, and with the default port in its host', async () => {
    using client = await openSocket(live.url, {
      'sec-websocket-protocol': 'graphql-ws',
      host: `${authority}:443`,
    }).catch((error: unknown) => {
      // The client of the test insists on the name it asked for.
      expect(String(error)).toMatch(/no subprotocol/)
      return openSocket(live.url, { host: `${authority}:443` })
    })
    expect(client.socket.protocol).toBe('')
  })

  test('and answers to pings that nobody sent count as frames', async () => {
    using client = await openSocket(live.url)
    for (let sent = 0; sent < 150; sent += 1) client.socket.pong()
    expect(await client.closed()).toMatchObject({ code: 1008 })
  })
})
