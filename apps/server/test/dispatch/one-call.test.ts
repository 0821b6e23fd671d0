import { describe, expect, test } from 'vitest'
import { ada, cookie, home, json, openCounter, planOf, requestOf, signature } from './one-call.ts'
import { refused } from './refused.ts'

const body = '{"item":"stone"}'
const origin = (from: string) => ['origin', from] as const

describe('what a browser sends by itself changes nothing', () => {
  test.each([
    ['a DELETE of a foreign page', 'drop', 'DELETE', [cookie, origin('http://evil.test')], '', 'ORIGIN_NOT_ALLOWED'],
    ['a DELETE of no page', 'drop', 'DELETE', [cookie], '', 'ORIGIN_NOT_ALLOWED'],
    ['a DELETE of our page', 'drop', 'DELETE', [cookie, origin(home)], '', null],
    ['a signed DELETE of no page', 'drop', 'DELETE', [signature], '', null],
    [
      'a POST of a foreign page',
      'make',
      'POST',
      [cookie, json, origin('http://evil.test')],
      body,
      'ORIGIN_NOT_ALLOWED',
    ],
    [
      'a POST of our page that is no JSON',
      'make',
      'POST',
      [cookie, ['content-type', 'text/plain'], origin(home)],
      body,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a POST of our page', 'make', 'POST', [cookie, json, origin(home)], body, null],
  ] as const)('%s', async (_what, kind, method, headers, text, code) => {
    const counter = openCounter()
    expect((await counter.call(kind, { method, headers, body: text })).code).toBe(code)
    expect(counter.called.length).toBe(code === null ? 1 : 0)
  })
})

describe('publishing has a limit of its own', () => {
  const publish = { method: 'POST', headers: [signature, json], body } as const

  test('it counts what would publish, and nothing else a wallet does', async () => {
    const counter = openCounter({ publishPerHour: 2 })
    for (let round = 0; round < 3; round += 1) expect((await counter.call('make', publish)).code).toBe(null)
    const codes = []
    for (let round = 0; round < 3; round += 1) codes.push((await counter.call('publish', publish)).code)
    expect(codes).toEqual([null, null, 'RATE_LIMITED'])
    expect((await counter.call('make', publish)).code).toBe(null)
  })

  test('a body that is refused does not count, and what is over the limit costs no nonce', async () => {
    const counter = openCounter({ publishPerHour: 1 })
    for (let round = 0; round < 3; round += 1)
      expect((await counter.call('publish', { ...publish, body: '{"item":"x"}' })).code).toBe('VALIDATION_FAILED')
    expect(counter.spent).toEqual([])
    expect((await counter.call('publish', publish)).code).toBe(null)
    const over = await counter.call('publish', publish)
    expect([over.code, over.body]).toEqual([
      'RATE_LIMITED',
      expect.objectContaining({
        details: { limit: 1, remaining: 0, reset_at: '2026-11-21T13:00:00.000Z', retry_after_sec: 3_600 },
      }),
    ])
    expect(over.headers['retry-after']).toBe('3600')
    expect(counter.spent).toEqual(['nonce'])
  })
})

describe('an identity is asked for', () => {
  test.each([
    ['of an agent that changes something', 'make', [signature, json], 7, true],
    ['of a person never', 'make', [cookie, json, origin(home)], null, false],
    ['where the operation needs one', 'publish', [signature, json], null, false],
  ] as const)('%s', async (_what, kind, headers, agentId, isAsked) => {
    const counter = openCounter()
    await counter.call(kind, { method: 'POST', headers, body })
    expect(counter.called[0]?.caller).toMatchObject({ wallet: ada, agentId })
    expect(counter.registered).toEqual(isAsked ? [ada] : [])
  })

  test('never of one that is known, nor where the service asks for none', async () => {
    const request = { method: 'POST', headers: [signature, json], body } as const
    const nobody = (): Promise<never> => Promise.reject(new Error('asked'))
    for (const [isRequired, known] of [
      [true, 3],
      [false, null],
    ] as const) {
      const counter = openCounter({}, { agents: { isRequired, known: () => Promise.resolve(known), demanded: nobody } })
      await counter.call('make', request)
      expect(counter.called).toMatchObject([{ caller: { agentId: known } }])
    }
  })

  test('one who owes it goes on, and is marked', async () => {
    const counter = openCounter(
      {},
      { agents: { isRequired: true, known: () => Promise.resolve(null), demanded: () => Promise.resolve(null) } },
    )
    await counter.call('make', { method: 'POST', headers: [signature, json], body })
    expect(counter.called).toMatchObject([{ caller: { agentId: null, owesIdentity: true } }])
  })
})

describe('who may come in', () => {
  const key = (text: string) => ['x-admin-key', text] as const
  test.each([
    ['nobody, where a wallet is needed', 'make', [], 'UNAUTHORIZED'],
    ['nobody, where a session is needed', 'person', [], 'SESSION_REQUIRED'],
    ['a signature, where a session is needed', 'person', [signature], 'SESSION_REQUIRED'],
    ['a session, where one is needed', 'person', [cookie], null],
    ['a wrong admin key', 'admin', [key('guess')], 'INVALID_API_KEY'],
    ['no admin key', 'admin', [signature], 'INVALID_API_KEY'],
    ['the admin key', 'admin', [key('open sesame')], null],
    ['the admin key, where a wallet may come too', 'either', [key('open sesame')], null],
    ['a wrong admin key beside a signature', 'either', [key('guess'), signature], 'INVALID_API_KEY'],
    ['a wrong admin key, where nobody is asked for one', 'read', [key('guess')], 'INVALID_API_KEY'],
    ['the admin key, which is no wallet', 'make', [key('open sesame')], 'UNAUTHORIZED'],
    ['a wallet, where the admin key may come too', 'either', [signature], null],
  ] as const)('%s', async (_who, kind, headers, code) => {
    const counter = openCounter()
    const method = kind === 'make' ? 'POST' : 'GET'
    expect(
      (
        await counter.call(kind, {
          method,
          headers: method === 'POST' ? [...headers, json] : headers,
          body: method === 'POST' ? body : '',
        })
      ).code,
    ).toBe(code)
  })

  test('the admin key is the admin, and beside a signature the wallet acts', async () => {
    const counter = openCounter()
    await counter.call('either', { headers: [key('open sesame')] })
    await counter.call('either', { headers: [key('open sesame'), signature] })
    expect(counter.called).toMatchObject([
      { caller: { kind: 'admin' } },
      { caller: { kind: 'wallet', wallet: ada, via: 'signature', from: '192.0.2.1' } },
    ])
  })

  test('a banned wallet is refused, and on an operation of the admin it is not asked about', async () => {
    const counter = openCounter({}, { gate: { isBanned: (wallet) => wallet === ada, isOff: () => false } })
    expect((await counter.call('drop', { method: 'DELETE', headers: [signature] })).code).toBe('WALLET_BLOCKED')
    expect((await counter.call('admin', { headers: [signature, key('open sesame')] })).code).toBe(null)
    expect((await counter.call('read', {})).code).toBe(null)
  })

  test('what is switched off answers nobody', async () => {
    const counter = openCounter({}, { gate: { isBanned: () => false, isOff: (section) => section === 'things' } })
    expect((await counter.call('read', {})).code).toBe('FEATURE_DISABLED')
  })

  test('ten wrong admin keys a minute, and the right one at any time', async () => {
    const counter = openCounter()
    const codes = []
    for (let round = 0; round < 11; round += 1)
      codes.push((await counter.call('either', { headers: [key('guess')] })).code)
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 'INVALID_API_KEY'), 'RATE_LIMITED'])
    expect((await counter.call('either', { headers: [key('open sesame')] })).code).toBe(null)
    expect((await counter.call('read', { headers: [key('guess')] })).code).toBe('RATE_LIMITED')
  })
})

describe('what counts against a limit', () => {
  test('the admin is not counted, a wallet by its name, everybody else by address; the answer says what is left', async () => {
    const counter = openCounter({ anonymousPerMinute: 5, walletPerMinute: 9 })
    const left = async (kind: 'read' | 'either', headers: readonly (readonly [string, string])[]): Promise<unknown> =>
      (await counter.call(kind, { headers })).headers
    expect(await left('either', [['x-admin-key', 'open sesame']])).toEqual({})
    expect(await left('read', [['x-admin-key', 'open sesame']])).toEqual({})
    expect(await left('read', [['x-admin-key', 'open sesame'], signature])).toEqual({})
    expect(await left('read', [signature])).toEqual({
      'ratelimit-limit': '9',
      'ratelimit-remaining': '8',
      'ratelimit-reset': '60',
    })
    expect(await left('read', [cookie])).toMatchObject({ 'ratelimit-remaining': '7' })
    expect(await left('read', [])).toEqual({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '4',
      'ratelimit-reset': '60',
    })
  })

  test('a call inside a proven one is not proven again, and carries its wallet', async () => {
    const counter = openCounter({ walletPerMinute: 1 }, { authenticate: () => Promise.reject(new Error('asked')) })
    const proven = {
      wallet: ada,
      chainId: 1,
      proof: 'key',
      via: 'signature',
      consumeNonce: () => Promise.resolve(),
    } as const
    for (let round = 0; round < 3; round += 1)
      expect(await counter.call('drop', { method: 'DELETE', headers: [signature] }, proven)).toMatchObject({
        code: null,
        wallet: ada,
        headers: {},
      })
  })

  test('a store of sessions that is away is no fault of a public read', async () => {
    const away = { read: () => Promise.reject(new Error('away')), allows: () => true }
    expect(
      (await openCounter({ anonymousPerMinute: 5 }, { people: away }).call('read', { headers: [cookie] })).headers[
        'ratelimit-limit'
      ],
    ).toBe('5')
    expect((await openCounter({}, { people: away }).call('person', { headers: [cookie] })).code).toBe('INTERNAL')
  })
})

describe('where a field may travel', () => {
  const gather =
    (kind: 'search' | 'change' | 'make', given: Parameters<typeof requestOf>[0], path: Record<string, string> = {}) =>
    () =>
      planOf(kind).gather(requestOf(given), path)
  const post = { method: 'POST', headers: [json], body: '{}' } as const

  test('a query beside a body is refused, and each stray field is named', () => {
    expect(gather('make', { ...post, target: '/things?item=stone&note=x' })).toThrow(
      refused('UNKNOWN_FIELD', { fields: ['item', 'note'] }),
    )
    expect(gather('make', { ...post, target: '/things?' })()).toMatchObject({ input: {} })
  })

  test('what travels in the path or in a header does not travel in the body', () => {
    expect(gather('change', { ...post, body: '{"thing":"b"}' }, { thing: 'a' })).toThrow(
      refused('UNKNOWN_FIELD', { fields: ['thing'] }),
    )
    expect(gather('change', { ...post, body: '{"proof":"b"}' }, { thing: 'a' })).toThrow(
      refused('UNKNOWN_FIELD', { fields: ['proof'] }),
    )
    expect(
      gather('change', { ...post, headers: [json, ['x-PROOF', 'p']], body: '{"item":"b"}' }, { thing: 'a' })().input,
    ).toEqual({ thing: 'a', item: 'b', proof: 'p' })
  })

  test('at most twenty strays are named', () => {
    const query = Array.from({ length: 25 }, (_none, index) => `f${String(index)}=1`).join('&')
    expect(gather('make', { ...post, target: `/things?${query}` })).toThrow(
      refused('UNKNOWN_FIELD', { fields: Array.from({ length: 20 }, (_none, index) => `f${String(index)}`) }),
    )
  })

  test('a header that is sent twice is refused, whatever its case', () => {
    expect(gather('change', { ...post, headers: [json, ['X-Proof', 'a'], ['x-proof', 'b']] }, { thing: 'a' })).toThrow(
      refused('VALIDATION_FAILED', { field: 'x-proof', constraint: 'one header line', received: 'several' }),
    )
  })

  test.each([
    ['application/json', [], true],
    ['APPLICATION/JSON; charset=utf-8', [], true],
    ['application/json;charset="utf-8"', [], true],
    ['application/json; charset=latin1', [], false],
    ['text/json', [], false],
    ['application/jsonx', [], false],
    ['x application/json', [], false],
    ['application/json', [['content-encoding', 'gzip']], false],
  ] as const)('%s with %j is read as JSON: %s', (type, more, isRead) => {
    const read = gather('make', { ...post, headers: [['content-type', type], ...more], body: '{"item":"stone"}' })
    if (isRead) expect(read().input).toEqual({ item: 'stone' })
    else expect(read).toThrow(refused('UNSUPPORTED_MEDIA_TYPE', {}))
  })

  test('an empty body of any type is no field at all', () => {
    expect(gather('make', { method: 'POST', headers: [], body: '' })()).toEqual({ input: {}, decimals: {} })
  })

  test('a field of the query is given once', () => {
    expect(gather('search', { target: '/things?count=1&count=1' })).toThrow(
      refused('VALIDATION_FAILED', { field: 'count', constraint: 'given once', received: 'several values' }),
    )
  })

  test.each([
    ['count=12', { count: 12 }],
    ['count=-3', { count: -3 }],
    ['count=0', { count: 0 }],
    ['count=012', { count: '012' }],
    ['count=1e3', { count: '1e3' }],
    ['count=', { count: '' }],
    ['is_new=true', { is_new: true }],
    ['is_new=false', { is_new: false }],
    ['is_new=yes', { is_new: 'yes' }],
    ['text=12', { text: '12' }],
    ['other=1', { other: '1' }],
    ['price=0.10', { price: 0.1 }],
  ])('the query %s reads as %j', (query, input) => {
    expect(gather('search', { target: `/things?${query}` })().input).toEqual(input)
  })

  test('the text of a decimal is kept beside its number, and of nothing else', () => {
    expect(gather('search', { target: '/things?price=0.10&count=3' })().decimals).toEqual({ price: '0.10' })
  })

  test('text with NUL is refused', () => {
    expect(gather('search', { target: '/things?text=a%00b' })).toThrow(
      refused('VALIDATION_FAILED', { constraint: 'text without NUL characters' }),
    )
  })
})
