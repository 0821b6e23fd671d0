import { describe, expect, test } from 'vitest'
import { send, sendRaw } from './send.ts'
import { authority, signed, startTinyService } from './tiny-service.ts'

describe('signatures against a running server', () => {
  const attacks: readonly (readonly [string, string, (headers: Record<string, string>) => Record<string, string>])[] = [
    ['half a signature', 'INVALID_SIGNATURE_HEADERS', ({ signature: _, ...rest }) => rest],
    ['a foreign host', 'authority_not_allowed', (headers) => ({ ...headers, host: 'evil.test' })],
    ['another served path', 'INVALID_SIGNATURE_HEADERS', (headers) => headers],
    ['a broken signature', 'INVALID_SIGNATURE_HEADERS', (headers) => ({ ...headers, signature: 'eth=:AAAA:' })],
  ]
  test.each(attacks)('%s is refused, on a public read too', async (name, code, change) => {
    await using service = await startTinyService()
    const headers = await signed('GET', name === 'another served path' ? '/things?limit=5' : '/things')
    const reply = await send(service.url, 'GET', '/things', change(headers))
    expect([reply.status, reply.body.code]).toEqual([401, code])
    expect(service.calls).toEqual([])
  })

  test.each([
    [-900, 'SIGNATURE_EXPIRED'],
    [900, 'SIGNATURE_EXPIRED'],
  ] as const)('a signature %i seconds off the clock is %s', async (now, code) => {
    await using service = await startTinyService()
    const reply = await send(service.url, 'GET', '/things', await signed('GET', '/things', undefined, { now }))
    expect([reply.status, reply.body.code]).toEqual([401, code])
  })

  test('a body changed by one blank after signing is refused', async () => {
    await using service = await startTinyService()
    const headers = await signed('POST', '/things', '{"item":"stone","bounty_usd":1}')
    const reply = await send(service.url, 'POST', '/things', headers, '{"item":"stone","bounty_usd":1 }')
    expect([reply.status, reply.body.details?.['reason_code']]).toEqual([401, 'digest_mismatch'])
  })

  test('a signed request with two Host lines is refused', async () => {
    await using service = await startTinyService()
    const headers = await signed('GET', '/things')
    const lines = Object.entries({ ...headers, connection: 'close' })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    const plain = await sendRaw(service.url, `GET /things HTTP/1.1\r\n${lines}\r\n`)
    expect(plain).toMatch(/^HTTP\/1\.1 200 /)
    const twoHosts = await sendRaw(service.url, `GET /things HTTP/1.1\r\n${lines}Host: ${authority}\r\n\r\n`)
    expect(twoHosts).toMatch(/^HTTP\/1\.1 400 /)
    expect(service.calls.length).toBe(1)
  })
})

describe('bodies', () => {
  const cases: readonly (readonly [string, string, number, string, Readonly<Record<string, unknown>>])[] = [
    ['no JSON', '{"item"', 400, 'MALFORMED_BODY', {}],
    ['no object', '[]', 400, 'MALFORMED_BODY', {}],
    ['a key twice', '{"item":"stone","item":"stone","bounty_usd":1}', 400, 'MALFORMED_BODY', { field: 'item' }],
    [
      'a key twice in disguise',
      '{"item":"stone","it\\u0065m":"stone","bounty_usd":1}',
      400,
      'MALFORMED_BODY',
      { field: 'item' },
    ],
    [
      'a key twice deep inside',
      '{"item":"stone","bounty_usd":1,"deep":[{"a":1,"b":"\\"","a":2}]}',
      400,
      'MALFORMED_BODY',
      { field: 'a' },
    ],
    [
      'nesting without end',
      `{"item":${'['.repeat(40)}${']'.repeat(40)},"bounty_usd":1}`,
      400,
      'MALFORMED_BODY',
      { max_depth: 32 },
    ],
    ['a field too many', '{"item":"stone","bounty_usd":1,"tip":2}', 422, 'UNKNOWN_FIELD', { fields: ['tip'] }],
    [
      'a header field in the body',
      '{"item":"stone","bounty_usd":1,"payment_auth":"{}"}',
      422,
      'UNKNOWN_FIELD',
      { fields: ['payment_auth'] },
    ],
    ['a prototype', '{"item":"stone","bounty_usd":1,"__proto__":{}}', 422, 'UNKNOWN_FIELD', { fields: ['__proto__'] }],
    [
      'a short text',
      '{"item":"st","bounty_usd":1}',
      422,
      'VALIDATION_FAILED',
      { field: 'item', constraint: 'at least 3 characters', min: 3, received: 'st' },
    ],
    [
      'a long text',
      `{"item":"${'s'.repeat(99)}","bounty_usd":1}`,
      422,
      'VALIDATION_FAILED',
      { field: 'item', max: 10, received: '99 characters' },
    ],
    [
      'a missing field',
      '{"bounty_usd":1}',
      422,
      'VALIDATION_FAILED',
      { field: 'item', constraint: 'is required', received: 'nothing', missing: ['item'] },
    ],
    [
      'a number as text',
      '{"item":"stone","bounty_usd":"1"}',
      422,
      'VALIDATION_FAILED',
      { field: 'bounty_usd', received: '1' },
    ],
    [
      'too high a bounty',
      '{"item":"stone","bounty_usd":101}',
      422,
      'INVALID_BOUNTY',
      { field: 'bounty_usd', constraint: 'maximum', max: 100, min: 0.01, received: 101 },
    ],
  ]
  test.each(cases)('%s', async (_name, body, status, code, details) => {
    await using service = await startTinyService()
    const reply = await send(service.url, 'POST', '/things', await signed('POST', '/things', body), body)
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect(reply.body.details ?? {}).toMatchObject(details)
    expect(service.calls).toEqual([])
  })

  test('bytes that are no UTF-8 and other content types are refused', async () => {
    await using service = await startTinyService()
    const body = '{"item":"stone","bounty_usd":1}'
    const text = await send(
      service.url,
      'POST',
      '/things',
      { ...(await signed('POST', '/things', body)), 'content-type': 'text/plain' },
      body,
    )
    expect([text.status, text.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    const read = await send(service.url, 'GET', '/things', {}, 'x')
    expect([read.status, read.body.code]).toEqual([400, 'MALFORMED_BODY'])
  })
})

describe('queries', () => {
  test.each([
    ['/things?limit=5&only_new=true', 200, undefined],
    ['/things?limit=5.5', 422, 'VALIDATION_FAILED'],
    ['/things?limit=05', 422, 'VALIDATION_FAILED'],
    ['/things?limit=five', 422, 'VALIDATION_FAILED'],
    ['/things?limit=0', 422, 'VALIDATION_FAILED'],
    ['/things?limit=5&limit=6', 422, 'VALIDATION_FAILED'],
    ['/things?only_new=yes', 422, 'VALIDATION_FAILED'],
    ['/things?colour=red', 422, 'UNKNOWN_FIELD'],
    ['/things?__proto__=red', 422, 'UNKNOWN_FIELD'],
  ])('%s is %i', async (target, status, code) => {
    await using service = await startTinyService()
    const reply = await send(service.url, 'GET', target)
    expect([reply.status, reply.body.code]).toEqual([status, code])
    if (status === 200) expect(service.calls[0]?.input).toEqual({ limit: 5, only_new: true })
  })
})

describe('whom a request is for', () => {
  const own = `Host: ${authority}\r\nConnection: close\r\n`
  test.each([
    ['two hosts', `GET /things HTTP/1.1\r\n${own}host: ${authority}\r\n\r\n`],
    [
      'two hosts, of which one is foreign, with an API key',
      `GET /things HTTP/1.1\r\n${own}HOST: evil.test\r\nX-API-Key: k\r\n\r\n`,
    ],
    ['two hosts on a path that nothing answers', `GET /nowhere HTTP/1.1\r\n${own}Host: evil.test\r\n\r\n`],
    ['a URL of a foreign host', `GET http://evil.test/things HTTP/1.1\r\n${own}\r\n`],
    [
      'a URL of a foreign host that Host names too',
      'GET http://evil.test/things HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n',
    ],
    [
      'a URL of ours beside a foreign Host',
      `GET http://${authority}/things HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`,
    ],
    ['a URL of ours with a name in it', `GET http://evil.test@${authority}/things HTTP/1.1\r\n${own}\r\n`],
    ['a target that is neither path nor URL', `GET things HTTP/1.1\r\n${own}\r\n`],
  ])('%s: 400, before anything else', async (_name, request) => {
    await using service = await startTinyService()
    const answer = await sendRaw(service.url, request)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('MALFORMED_BODY')
    expect(service.calls).toEqual([])
  })

  test('a signed URL of a foreign host is refused, and one of our own is served as its path, signed or not', async () => {
    await using service = await startTinyService()
    const lines = async (): Promise<string> =>
      Object.entries({ ...(await signed('GET', '/things?limit=5')), connection: 'close' })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')
    expect(await sendRaw(service.url, `GET http://evil.test/things?limit=5 HTTP/1.1\r\n${await lines()}\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /,
    )
    expect(
      await sendRaw(service.url, `GET http://${authority}/things?limit=5 HTTP/1.1\r\n${await lines()}\r\n`),
    ).toMatch(/^HTTP\/1\.1 200 /)
    expect(
      await sendRaw(service.url, `GET HTTP://${authority.toUpperCase()}:80/things?limit=5 HTTP/1.1\r\n${own}\r\n`),
    ).toMatch(/^HTTP\/1\.1 200 /)
    expect(service.calls.map(({ call, input }) => [call.caller.kind, input])).toEqual([
      ['wallet', { limit: 5 }],
      ['anonymous', { limit: 5 }],
    ])
  })
})
