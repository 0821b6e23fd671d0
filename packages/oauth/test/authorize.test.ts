import { expect, test, describe } from 'vitest'
import { createBench, issuer, query, redirectUri } from './bench.ts'

const bench = createBench()
const clientId = await bench.client({ redirect_uris: [redirectUri, 'http://127.0.0.1:33418/cb', 'cursor://back'] })

describe('until client and redirect are known to be good, nothing is redirected:', () => {
  test.each([
    ['no client', { client_id: undefined }, 'invalid_request', 'client_id is missing'],
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client', 'client_id is unknown here: register it first'],
    ['no redirect', { redirect_uri: undefined }, 'invalid_request', 'redirect_uri is missing'],
    ['a redirect with another end', { redirect_uri: `${redirectUri}/` }, 'invalid_request', /same in every character/],
    ['another case', { redirect_uri: 'https://tool.example/Callback' }, 'invalid_request', /same in every character/],
    ['a port on https', { redirect_uri: 'https://tool.example:444/callback' }, 'invalid_request', /every character/],
    ['an added query', { redirect_uri: `${redirectUri}?a=1` }, 'invalid_request', /same in every character/],
    ['a fragment', { redirect_uri: `${redirectUri}#a` }, 'invalid_request', /same in every character/],
    ['another loopback path', { redirect_uri: 'http://127.0.0.1:1/other' }, 'invalid_request', /every character/],
    ['a user on loopback', { redirect_uri: 'http://a@127.0.0.1:1/cb' }, 'invalid_request', /every character/],
    ['another loopback name', { redirect_uri: 'http://localhost:33418/cb' }, 'invalid_request', /every character/],
  ])('%s', async (_what, change, code, message) => {
    await expect(bench.server.authorize(query(clientId, change))).rejects.toMatchObject({
      code,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })

  test.each(['client_id', 'redirect_uri'])('%s given twice', async (name) => {
    const twice = `${query(clientId)}&${name}=${encodeURIComponent(name === 'client_id' ? clientId : redirectUri)}`
    await expect(bench.server.authorize(twice)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'a parameter is given twice',
    })
  })
})

describe('afterwards the client is told, with its state and our issuer:', () => {
  test.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['a response mode of another kind', { response_mode: 'fragment' }, 'invalid_request'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['no challenge method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['an unknown scope', { scope: 'task:read money:all' }, 'invalid_scope'],
    ['a foreign resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request object elsewhere', { request_uri: 'https://tool.example/r' }, 'request_uri_not_supported'],
  ])('%s', async (_what, change, error) => {
    const asked = await bench.server.authorize(query(clientId, change))
    if (asked.kind !== 'redirect') throw new Error('it was taken')
    const url = new URL(asked.location)
    expect(`${url.origin}${url.pathname}`).toBe(redirectUri)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      state: 'the state',
      iss: issuer,
    })
  })

  test.each(['state', 'scope', 'code_challenge', 'response_type'])('%s given twice', async (name) => {
    const asked = await bench.server.authorize(`${query(clientId, { scope: 'task:read' })}&${name}=more`)
    expect(asked.kind === 'redirect' && new URL(asked.location).searchParams.get('error')).toBe('invalid_request')
  })

  test('two resources', async () => {
    const two = `${query(clientId)}&resource=https://mcp.market.example/mcp&resource=https://mcp.market.example`
    const asked = await bench.server.authorize(two)
    expect(asked.kind === 'redirect' && new URL(asked.location).searchParams.get('error')).toBe('invalid_target')
  })

  test('a state that is too long is not sent back', async () => {
    const asked = await bench.server.authorize(query(clientId, { state: 'x'.repeat(2_049) }))
    if (asked.kind !== 'redirect') throw new Error('it was taken')
    const answer = new URL(asked.location).searchParams
    expect([answer.get('error'), answer.has('state')]).toEqual(['invalid_request', false])
    expect(answer.get('error_description')).toBe('state is longer than 2048 characters')
  })
})

describe('what is good:', () => {
  test.each([
    undefined,
    'https://mcp.market.example/mcp',
    'https://mcp.market.example/mcp/',
    'https://mcp.market.example',
  ])('the resource %s is for the tool endpoint', async (resource) => {
    const asked = await bench.server.authorize(query(clientId, { resource }))
    expect(asked.kind === 'good' && asked.request.resource).toBe('https://mcp.market.example/mcp')
  })

  test('a loopback redirect may name any port, and an app its own scheme', async () => {
    for (const redirect_uri of ['http://127.0.0.1:50123/cb', 'http://127.0.0.1/cb', 'cursor://back']) {
      const asked = await bench.server.authorize(query(clientId, { redirect_uri }))
      expect(asked.kind === 'good' && asked.request.redirectUri).toBe(redirect_uri)
    }
  })

  test('the longest state comes back', async () => {
    const state = 'x'.repeat(2_048)
    const asked = await bench.server.authorize(query(clientId, { state }))
    expect(asked.kind === 'good' && asked.request.state).toBe(state)
    const refused = await bench.server.authorize(query(clientId, { state, response_type: 'token' }))
    expect(refused.kind === 'redirect' && new URL(refused.location).searchParams.get('state')).toBe(state)
  })

  test('a parameter without a value counts as left out', async () => {
    const asked = await bench.server.authorize(query(clientId, { resource: '', request: '', response_mode: '' }))
    expect(asked.kind).toBe('good')
  })

  test('fifty parameters, and not one more', async () => {
    const given = query(clientId)
    const more = (count: number) => `${given}${'&x='.repeat(count - given.split('&').length)}`
    expect((await bench.server.authorize(more(50))).kind).toBe('good')
    await expect(bench.server.authorize(more(51))).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('without a scope the five basic ones are asked for', async () => {
    const asked = await bench.server.authorize(query(clientId))
    expect(asked.kind === 'good' && asked.request.scopes).toEqual([
      'task:read',
      'task:write',
      'task:cancel',
      'worker:apply',
      'agent:publish',
    ])
  })
})
