import { sendWhole } from '@ergon/process/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, sendRaw } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { aTask, expectStatus, type Party } from './live-market.ts'
import { startLiveProcesses, type LiveProcesses } from './live-processes.ts'

let market: LiveProcesses
beforeAll(async () => {
  market = await startLiveProcesses()
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

const path = '/api/v1/tasks'

async function publishedBy(party: Party): Promise<unknown> {
  return expectStatus(await market.get(`${path}?publisher=${party.wallet}`), 200).body['total']
}

const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

describe('a publish that the wallet did not sign for here and now publishes nothing', () => {
  const attacks: readonly (readonly [
    string,
    string,
    Parameters<typeof signed>[3],
    (headers: Record<string, string>) => Record<string, string>,
  ])[] = [
    ['expired', 'SIGNATURE_EXPIRED', { now: -900 }, (headers) => headers],
    ['of the future', 'SIGNATURE_EXPIRED', { now: 900 }, (headers) => headers],
    ['made for another host and sent to it', 'authority_not_allowed', { authority: 'evil.test' }, (headers) => headers],
    [
      'made for another host and relayed here',
      'INVALID_SIGNATURE_HEADERS',
      { authority: 'evil.test' },
      (headers) => ({ ...headers, host: authority }),
    ],
    [
      'relayed with the forwarded name of the host it was made for',
      'authority_not_allowed',
      {},
      (headers) => ({ ...headers, host: 'evil.test', 'x-forwarded-host': authority, forwarded: `host=${authority}` }),
    ],
    ['without its input', 'INVALID_SIGNATURE_HEADERS', {}, ({ 'signature-input': _, ...rest }) => rest],
    ['without its bytes', 'INVALID_SIGNATURE_HEADERS', {}, ({ signature: _, ...rest }) => rest],
    [
      'with one bit turned',
      'INVALID_SIGNATURE_HEADERS',
      {},
      (headers) => ({
        ...headers,
        signature: (headers['signature'] ?? '').replace(
          /:(.)/,
          (_all, first: string) => `:${first === 'A' ? 'B' : 'A'}`,
        ),
      }),
    ],
    [
      'in the name of another party',
      'INVALID_SIGNATURE_HEADERS',
      {},
      (headers) => ({
        ...headers,
        'signature-input': (headers['signature-input'] ?? '').replace(/0x[0-9a-f]{40}/, `0x${'12'.repeat(20)}`),
      }),
    ],
    [
      'for another chain',
      'INVALID_SIGNATURE_HEADERS',
      {},
      (headers) => ({
        ...headers,
        'signature-input': (headers['signature-input'] ?? '').replace('erc8128:31337', 'erc8128:8453'),
      }),
    ],
    [
      'with a digest of other bytes',
      'INVALID_SIGNATURE_HEADERS',
      {},
      (headers) => ({ ...headers, 'content-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` }),
    ],
  ]
  test.each(attacks)('%s: %s', async (_name, code, change, alter) => {
    const party = await market.party(0n)
    const body = JSON.stringify(aTask())
    const headers = alter(await signed('POST', path, body, { key: party.key, ...change }))
    const reply = await send(market.url, 'POST', path, headers, body)
    expect([reply.status, reply.body.detail?.['code'], reply.body.detail?.['retryable']]).toEqual([401, code, false])
    expect(reply.headers['www-authenticate']).toContain('ERC8128')
    expect(await publishedBy(party)).toBe(0)
  })

  test('replayed, one after the other and ten at once: one task', async () => {
    const party = await market.party(0n)
    const body = JSON.stringify(aTask())
    const headers = await signed('POST', path, body, { key: party.key })
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(market.url, 'POST', path, headers, body)))
    replies.push(await send(market.url, 'POST', path, headers, body))
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array.from({ length: 10 }, () => 401)])
    expect(
      new Set(replies.filter((reply) => reply.status === 401).map((reply) => reply.body.detail?.['code'])),
    ).toEqual(new Set(['SIGNATURE_REPLAYED']))
    expect(await publishedBy(party)).toBe(1)
  })

  test.each([
    ['a second Host line', (headers: string) => `POST ${path} HTTP/1.1\r\n${headers}Host: evil.test\r\n`, 400],
    ['the same Host line twice', (headers: string) => `POST ${path} HTTP/1.1\r\n${headers}Host: ${authority}\r\n`, 400],
    ['a foreign absolute target', (headers: string) => `POST http://evil.test${path} HTTP/1.1\r\n${headers}`, 400],
    ['dots in the target', (headers: string) => `POST /api/v1/x/../tasks HTTP/1.1\r\n${headers}`, 404],
    ['two slashes in the target', (headers: string) => `POST //api/v1/tasks HTTP/1.1\r\n${headers}`, 404],
    ['a bearer', (headers: string) => `POST ${path} HTTP/1.1\r\n${headers}Authorization: Bearer abc\r\n`, 403],
    [
      'a bearer behind another authorization',
      (headers: string) =>
        `POST ${path} HTTP/1.1\r\n${headers}Authorization: Basic eDp5\r\nAuthorization: Bearer abc\r\n`,
      403,
    ],
    ['both lengths', (headers: string) => `POST ${path} HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n`, 400],
  ] as const)('with %s', async (_name, head, status) => {
    const party = await market.party(0n)
    const body = JSON.stringify(aTask())
    const headers = lines({
      ...(await signed('POST', path, body, { key: party.key })),
      'content-length': String(body.length),
      connection: 'close',
    })
    const answer = await sendRaw(market.url, `${head(headers)}\r\n${body}`)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `))
    expect(await publishedBy(party)).toBe(0)
  })
})

describe('a body over 1 MiB is 413 before any work', () => {
  const big = JSON.stringify(aTask({ instructions: 'x'.repeat(1_100_000) }))

  test('announced: the answer comes before the body', async () => {
    const party = await market.party(0n)
    const headers = await signed('POST', path, big, { key: party.key })
    const answer = await sendRaw(
      market.url,
      `POST ${path} HTTP/1.1\r\n${lines({ ...headers, 'content-length': String(big.length) })}\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      code: 'request_body_too_large',
      detail: { code: 'request_body_too_large', retryable: false },
    })
    expect(await publishedBy(party)).toBe(0)
  })

  test('of many MiB: its sender reads the answer', async () => {
    for (let round = 0; round < 6; round += 1)
      expect(await sendWhole(Number(new URL(market.url).port), path, 16 * 1_048_576)).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('in chunks: the connection ends with the answer', async () => {
    const party = await market.party(0n)
    const headers = await signed('POST', path, big, { key: party.key })
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
    const answer = await sendRaw(
      market.url,
      `POST ${path} HTTP/1.1\r\n${lines({ ...headers, 'transfer-encoding': 'chunked' })}\r\n${chunk.repeat(33)}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(await publishedBy(party)).toBe(0)
  })

  test('just below: read and refused for what it says', async () => {
    const party = await market.party(0n)
    const body = JSON.stringify(aTask({ instructions: 'x'.repeat(1_047_000) }))
    const reply = await party.call('POST', path, body)
    expect([reply.status, reply.body.detail?.['code']]).toEqual([422, 'VALIDATION_FAILED'])
  })
})
