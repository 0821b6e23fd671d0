import { describe, expect, test } from 'vitest'
import { send, sendRaw } from './send.ts'
import { authority, signed, signer, startTinyService } from './tiny-service.ts'

const good = '{"item":"stone","bounty_usd":0.10}'

describe('what every call passes, in order', () => {
  test('a signed call reaches its handler with the wallet, its agent id and the exact decimal text', async () => {
    await using service = await startTinyService()
    const reply = await send(
      service.url,
      'POST',
      '/things',
      await signed('POST', '/things', good, { headers: { 'x-payment-auth': '{"a":1}' } }),
      good,
    )
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({ exact: '0.10', input: { item: 'stone', bounty_usd: 0.1, payment_auth: '{"a":1}' } })
    expect(service.calls[0]?.call.caller).toEqual({
      kind: 'wallet',
      wallet: signer.address,
      agentId: 7,
      via: 'signature',
      proof: 'key',
      from: '127.0.0.1',
    })
    expect(service.lines[0]).toMatchObject({ op: 'things.make', status: 201, wallet: signer.address })
  })

  test.each([
    ['an API key', { 'x-api-key': 'k' }],
    ['a bearer', { authorization: 'bEaReR abc' }],
    ['a bearer behind another authorization', { authorization: ['Basic eDp5', 'Bearer abc'] }],
  ])('%s is refused with 403 before anything else, even where nobody asks who calls', async (_name, headers) => {
    await using service = await startTinyService()
    const targets = ['/things', '/nowhere']
    const replies = await Promise.all(targets.map((target) => send(service.url, 'GET', target, headers)))
    expect(replies.map((reply) => [reply.status, reply.body.code])).toEqual([
      [403, 'API_KEY_REFUSED'],
      [403, 'API_KEY_REFUSED'],
    ])
    const huge = await send(
      service.url,
      'POST',
      '/things',
      { ...headers, 'content-length': '9000000' },
      '{}'.padEnd(9_000_000),
    ).catch((error: unknown) => error)
    // The connection may end while the body is still on its way; what matters is that nothing was called.
    expect(huge instanceof Error || (huge as { status: number }).status === 403).toBe(true)
    expect(service.calls).toEqual([])
  })

  test('a body over 1 MiB is 413 before its signature is looked at, announced or streamed', async () => {
    await using service = await startTinyService()
    const announced = await sendRaw(
      service.url,
      `POST /things HTTP/1.1\r\nHost: ${authority}\r\n` +
        'Content-Length: 1048577\r\nContent-Type: application/json\r\n\r\n',
    )
    expect(announced).toMatch(/^HTTP\/1\.1 413 /)
    expect(announced).toContain('request_body_too_large')
    const chunk = 'x'.repeat(0x8000)
    const streamed = await sendRaw(
      service.url,
      `POST /things HTTP/1.1\r\nHost: ${authority}\r\nTransfer-Encoding: chunked\r\n` +
        `Content-Type: application/json\r\n\r\n${`8000\r\n${chunk}\r\n`.repeat(34)}0\r\n\r\n`,
    )
    expect(streamed).toMatch(/^HTTP\/1\.1 413 /)
    expect(service.calls).toEqual([])
  })

  test('an unsigned mutation is 401 with a challenge, an unsigned gated read 403', async () => {
    await using service = await startTinyService()
    const mutation = await send(service.url, 'POST', '/things', { 'content-type': 'application/json' }, '{"nonsense":')
    expect([mutation.status, mutation.body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(mutation.headers['www-authenticate']).toBe(`ERC8128 realm="${authority}", error="UNAUTHORIZED"`)
    expect(mutation.headers['x-svc-auth-schemes']).toBe('erc8128')
    const read = await send(service.url, 'GET', '/things/stone')
    expect([read.status, read.body.code]).toEqual([403, 'SIGNATURE_REQUIRED'])
  })

  test('a refused body leaves the nonce unused, and the corrected call may not reuse the signature', async () => {
    await using service = await startTinyService()
    const bad = '{"item":"x","bounty_usd":1}'
    const refused = await send(
      service.url,
      'POST',
      '/things',
      await signed('POST', '/things', bad, { nonce: 'same' }),
      bad,
    )
    expect([refused.status, refused.body.code]).toEqual([422, 'VALIDATION_FAILED'])
    const corrected = await send(
      service.url,
      'POST',
      '/things',
      await signed('POST', '/things', good, { nonce: 'same' }),
      good,
    )
    expect(corrected.status).toBe(201)
    const replayed = await send(
      service.url,
      'POST',
      '/things',
      await signed('POST', '/things', good, { nonce: 'same' }),
      good,
    )
    expect([replayed.status, replayed.body.code]).toEqual([401, 'SIGNATURE_REPLAYED'])
  })

  test('one signed request sent ten times at once is served once', async () => {
    await using service = await startTinyService()
    const headers = await signed('POST', '/things', good)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => send(service.url, 'POST', '/things', headers, good)),
    )
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 401)])
    expect(service.calls.length).toBe(1)
  })

  test('when the identity or the nonce cannot be checked the same request succeeds later', async () => {
    let down = true
    await using nonces = await startTinyService({ noncesFail: () => down })
    const headers = await signed('POST', '/things', good)
    const refused = await send(nonces.url, 'POST', '/things', headers, good)
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      503,
      'nonce_store_unavailable',
      '2',
    ])
    down = false
    expect((await send(nonces.url, 'POST', '/things', headers, good)).status).toBe(201)
  })

  test('a contract wallet that cannot be asked is 503, and strangers have a budget of ten a minute', async () => {
    await using service = await startTinyService({
      contracts: { isValidSignature: () => Promise.reject(new Error('no chain')) },
    })
    const forged = async () => {
      const headers = await signed('GET', '/things')
      return send(service.url, 'GET', '/things', {
        ...headers,
        signature: headers['signature']?.replace(/:.{4}/, ':AAAA') ?? '',
      })
    }
    const statuses: (number | string | undefined)[] = []
    for (let round = 0; round < 11; round += 1) statuses.push((await forged()).body.code)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 'identity_check_unavailable'), 'RATE_LIMITED'])
  })

  test('an unforeseen failure is INTERNAL with the request id, logged once, and tells nothing', async () => {
    await using service = await startTinyService()
    const body = '{"item":"explode","bounty_usd":1}'
    const reply = await send(service.url, 'POST', '/things', await signed('POST', '/things', body), body)
    expect([reply.status, reply.body.code, reply.body['request_id']]).toEqual([500, 'INTERNAL', 'request-1'])
    expect(JSON.stringify(reply.body)).not.toContain('secret')
    expect(service.faults.length).toBe(1)
  })

  test('an error carries its details in both envelopes', async () => {
    await using service = await startTinyService()
    const body = '{"item":"refuse","bounty_usd":1}'
    const reply = await send(service.url, 'POST', '/things', await signed('POST', '/things', body), body)
    expect(reply.status).toBe(402)
    expect(reply.body).toMatchObject({
      error: 'PaymentRequired',
      code: 'INSUFFICIENT_FUNDS',
      details: { required_usdc: '5' },
      detail: {
        code: 'INSUFFICIENT_FUNDS',
        retryable: true,
        required_usdc: '5',
        network: 'localnet',
        ref: 'request-1',
      },
    })
    expect(reply.body.detail?.['recovery']).toContain('required_usdc')
  })

  test('an unknown path and an undecodable one answer in the same envelope', async () => {
    await using service = await startTinyService()
    for (const target of ['/nowhere', '/things/%E0%A4%A', '/THINGS', '/things/']) {
      const reply = await send(service.url, 'GET', target)
      expect([target, reply.status === 404 || reply.status === 403, typeof reply.body['request_id']]).toEqual([
        target,
        true,
        'string',
      ])
    }
  })

  test('an admin operation opens to the key alone', async () => {
    await using service = await startTinyService()
    const replies = await Promise.all(
      [{}, { 'x-admin-key': 'guess' }, { 'x-admin-key': 'open sesame' }].map((headers) =>
        send(service.url, 'GET', '/admin', headers),
      ),
    )
    expect(replies.map((reply) => reply.status)).toEqual([401, 401, 200])
  })
})

describe('rate limits', () => {
  test('anonymous callers are counted by address, wallets by wallet', async () => {
    await using service = await startTinyService({ limits: { anonymousPerMinute: 3, walletPerMinute: 2 } })
    const anonymous = []
    for (let round = 0; round < 4; round += 1) anonymous.push(await send(service.url, 'GET', '/things'))
    expect(anonymous.map((reply) => [reply.status, reply.headers['ratelimit-remaining']])).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ])
    const last = anonymous[3]
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(last?.headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000 - 1)
    expect(last?.body.details).toMatchObject({ limit: 3, remaining: 0, reset_at: expect.stringMatching(/Z$/) })
    const wallet = []
    for (let round = 0; round < 3; round += 1)
      wallet.push((await send(service.url, 'GET', '/things', await signed('GET', '/things'))).status)
    expect(wallet).toEqual([200, 200, 429])
    const other = await signed('GET', '/things', undefined, { key: `0x${'22'.repeat(32)}` })
    expect((await send(service.url, 'GET', '/things', other)).status).toBe(200)
  })

  test('refused signatures spend the budget of what they claim at their address', async () => {
    await using service = await startTinyService({ limits: { anonymousPerMinute: 2, walletPerMinute: 5 } })
    const stale = await signed('GET', '/things', undefined, { now: -900 })
    const statuses = []
    for (let round = 0; round < 3; round += 1) statuses.push((await send(service.url, 'GET', '/things', stale)).status)
    expect(statuses).toEqual([401, 401, 429])
  })

  test('six hundred forged signatures lock out nobody else behind their address: not who proved themselves, and not who comes with a session or unsigned', async () => {
    await using service = await startTinyService({
      limits: { anonymousPerMinute: 60 },
      session: (cookie) => (cookie === 'sid=ada' ? `0x${'ad'.repeat(20)}` : null),
    })
    const statusOf = async (headers: Record<string, string>, target = '/things'): Promise<number> =>
      (await send(service.url, 'GET', target, headers)).status
    expect(await statusOf(await signed('GET', '/things'))).toBe(200)
    const forged = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        signed('GET', '/things', undefined, { now: -900, key: `0x${(index + 5).toString(16).padStart(64, '0')}` }),
      ),
    )
    const statuses: number[] = []
    for (let round = 0; round < 650; round += 1) statuses.push(await statusOf(forged[round % 20] ?? {}))
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    // No account was named more than 33 times, so it is the address that has failed too often.
    expect(statuses.indexOf(429)).toBe(600)
    // Its own forgeries do not count against who proved itself either.
    const victim = await signed('GET', '/things')
    for (let round = 0; round < 100; round += 1)
      await statusOf({ ...victim, signature: `eth=:${Buffer.alloc(65, 7).toString('base64')}:` })
    expect(await statusOf(await signed('GET', '/things'))).toBe(200)
    expect(await statusOf({ host: authority })).toBe(200)
    expect(await statusOf({ host: authority, cookie: 'sid=ada' }, '/own')).toBe(200)
  })

  test('one account that is named by forgeries is not looked at for a minute, and another of the address is', async () => {
    await using service = await startTinyService({ limits: { anonymousPerMinute: 5 } })
    const stale = await signed('GET', '/things', undefined, { now: -900 })
    for (let round = 0; round < 6; round += 1) await send(service.url, 'GET', '/things', stale)
    expect((await send(service.url, 'GET', '/things', await signed('GET', '/things'))).status).toBe(429)
    expect(
      (
        await send(
          service.url,
          'GET',
          '/things',
          await signed('GET', '/things', undefined, { key: `0x${'22'.repeat(32)}` }),
        )
      ).status,
    ).toBe(200)
  })

  test('people with a session have the limit of their wallet on every read, and two behind one address do not share it', async () => {
    await using service = await startTinyService({
      limits: { anonymousPerMinute: 2, walletPerMinute: 5 },
      session: (cookie) => `0x${(cookie === 'sid=ada' ? 'ad' : 'be').repeat(20)}`,
    })
    const read = async (cookie: string | undefined, target: string): Promise<number> =>
      (await send(service.url, 'GET', target, { host: authority, ...(cookie === undefined ? {} : { cookie }) })).status
    const ada = []
    for (let round = 0; round < 6; round += 1) ada.push(await read('sid=ada', round % 2 === 0 ? '/things' : '/own'))
    expect(ada).toEqual([200, 200, 200, 200, 200, 429])
    expect([await read('sid=bea', '/things'), await read('sid=bea', '/own')]).toEqual([200, 200])
    expect(await read('sid=bea', '/own')).toBe(200)
  })
})

describe('a session on a read that a foreign page leads to', () => {
  test.each([
    ['cross-site', undefined, 401],
    ['same-site', undefined, 401],
    ['cross-site', 'http://evil.test', 401],
    ['same-origin', undefined, 200],
    ['none', undefined, 200],
    [undefined, undefined, 200],
    ['same-site', `http://${authority}`, 200],
  ] as const)('Sec-Fetch-Site %s and Origin %s: %i', async (site, origin, status) => {
    await using service = await startTinyService({ session: () => `0x${'ad'.repeat(20)}` })
    const headers = {
      host: authority,
      cookie: 'sid=ada',
      ...(site === undefined ? {} : { 'sec-fetch-site': site }),
      ...(origin === undefined ? {} : { origin }),
    }
    expect((await send(service.url, 'GET', '/own', headers)).status).toBe(status)
  })
})

test('when the event loop is late strangers are put off first, and whoever is known goes on', async () => {
  let late = true
  await using service = await startTinyService({
    isOverloaded: () => late,
    session: (cookie) => (cookie === 'sid=ada' ? `0x${'ad'.repeat(20)}` : null),
  })
  const shed = await send(service.url, 'GET', '/things', { host: authority })
  expect([shed.status, shed.body.code, shed.headers['retry-after']]).toEqual([503, 'SERVICE_BUSY', '2'])
  expect((await send(service.url, 'GET', '/things', await signed('GET', '/things'))).status).toBe(200)
  expect((await send(service.url, 'GET', '/things', { host: authority, cookie: 'sid=ada' })).status).toBe(200)
  late = false
  expect((await send(service.url, 'GET', '/things', { host: authority })).status).toBe(200)
})
