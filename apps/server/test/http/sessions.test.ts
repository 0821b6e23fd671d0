import { privateKeySigner } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'
import {
  cookieOf,
  openSession,
  ownOrigin,
  sendJson,
  sessionPath,
  signedIn,
  signInText,
  type Person,
} from './live-people.ts'

let market: LiveMarket
let party: Party
let clock = 0
const friend = 'https://app.example.org'

beforeAll(async () => {
  market = await startLiveMarket({ SVC_ALLOWED_ORIGINS: friend }, undefined, {
    now: () => new Date(Date.now() + clock),
  })
  party = await market.party(0n)
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

async function textFor(wallet: string = party.wallet, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return String(expectStatus(await signInText(market.url, wallet, headers), 200).body['message'])
}

const whoAmI = async (headers: Readonly<Record<string, string>>) =>
  expectStatus(await sendJson(market.url, 'GET', sessionPath, undefined, headers), 200).body
const register = async (headers: Readonly<Record<string, string>>) =>
  sendJson(market.url, 'POST', '/api/v1/workers/register', { name: 'Ada' }, headers)

describe('a person signs in with the wallet', () => {
  test('the text names the service, the wallet, the chain and ten minutes, and its signature sets a cookie that no script reads', async () => {
    const message = await textFor()
    expect(message.split('\n')[0]).toBe(`${authority} wants you to sign in with your Ethereum account:`)
    expect(message).toContain('Chain ID: 31337\n')
    const opened = expectStatus(await openSession(market.url, message, await party.signer.signMessage(message)), 201)
    expect(opened.body).toMatchObject({ wallet: party.wallet })
    expect(opened.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-svc_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=43200$/),
    ])
    expect(await whoAmI({ cookie: cookieOf(opened) })).toMatchObject({
      wallet: party.wallet,
      expires_at: opened.body['expires_at'],
    })
  })

  test('without a cookie, and with one that is forged, nobody is signed in', async () => {
    const { cookie } = await signedIn(market, party)
    const [header = '', payload = '', signature = ''] = cookie.split('=')[1]?.split('.') ?? []
    const unsigned = `${Buffer.from('{"alg":"none","typ":"svc-session+jwt"}').toString('base64url')}.${payload}.`
    const forged = [`${header}.${payload}.${signature.slice(0, -4)}AAAA`, unsigned, 'x', '']
    for (const token of forged)
      expect(await whoAmI({ cookie: `__Host-svc_session=${token}` })).toEqual({
        wallet: null,
        executor_id: null,
        picture_url: null,
        expires_at: null,
      })
    expect(await whoAmI({})).toEqual({ wallet: null, executor_id: null, picture_url: null, expires_at: null })
    expect(await whoAmI({ cookie: `${cookie}; ${cookie}` })).toEqual({
      wallet: null,
      executor_id: null,
      picture_url: null,
      expires_at: null,
    })
  })

  test('a text signed by another wallet, changed, made up or past its ten minutes opens nothing', async () => {
    const message = await textFor()
    const stranger = privateKeySigner(`0x${'77'.repeat(32)}`)
    const elsewhere = message.replace('31337', '8453')
    const madeUp = message.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef0123456789abcdef0123456789abcdef')
    const tries: readonly (readonly [string, string])[] = [
      [message, await stranger.signMessage(message)],
      [elsewhere, await party.signer.signMessage(elsewhere)],
      [madeUp, await party.signer.signMessage(madeUp)],
      [`${message}\n`, await party.signer.signMessage(`${message}\n`)],
      ['hello', await party.signer.signMessage('hello')],
    ]
    for (const [text, signature] of tries)
      expect((await openSession(market.url, text, signature)).body).toMatchObject({ code: 'SIGN_IN_REFUSED' })
    clock = 601_000
    try {
      expect((await openSession(market.url, message, await party.signer.signMessage(message))).body).toMatchObject({
        code: 'SIGN_IN_REFUSED',
        details: { reason: 'the text has expired' },
      })
    } finally {
      clock = 0
    }
  })

  test('a text opens one session: of twenty that bring it at once one comes in, and a failed try does not spend it', async () => {
    const message = await textFor()
    const signature = await party.signer.signMessage(message)
    expect((await openSession(market.url, message, `0x${'11'.repeat(65)}`)).status).toBe(401)
    const replies = await Promise.all(Array.from({ length: 20 }, () => openSession(market.url, message, signature)))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    expect(new Set(replies.filter((reply) => reply.status !== 201).map((reply) => reply.body.code))).toEqual(
      new Set(['SIGN_IN_REFUSED']),
    )
  })

  test('signing out ends the session, and every copy of its cookie', async () => {
    const person = await signedIn(market, party)
    const out = expectStatus(await person.call('DELETE', sessionPath), 200)
    expect(out.headers['set-cookie']).toEqual([expect.stringContaining('Max-Age=0')])
    expect(await whoAmI({ cookie: person.cookie })).toEqual({
      wallet: null,
      executor_id: null,
      picture_url: null,
      expires_at: null,
    })
    expect((await person.call('DELETE', sessionPath)).body).toMatchObject({ code: 'SESSION_REQUIRED' })
  })

  test('a session ends by itself after its hours', async () => {
    const { cookie } = await signedIn(market, party)
    clock = 12 * 3_600_000 + 1_000
    try {
      expect(await whoAmI({ cookie })).toEqual({ wallet: null, executor_id: null, picture_url: null, expires_at: null })
    } finally {
      clock = 0
    }
  })

  test('a page of a friend signs in under its own name, and a page of strangers not at all', async () => {
    expect(await textFor(party.wallet, { origin: friend })).toMatch(/^app\.example\.org wants you/)
    expect((await signInText(market.url, party.wallet, { origin: 'https://evil.example' })).body).toMatchObject({
      code: 'ORIGIN_NOT_ALLOWED',
    })
    const message = await textFor()
    expect(
      (
        await openSession(market.url, message, await party.signer.signMessage(message), {
          origin: 'https://evil.example',
        })
      ).status,
    ).toBe(403)
  })

  test('a wallet that is a contract on the chain signs in by its own word', async () => {
    const [yes, no] = ['0x00000000000000000000000000000000000a0001', '0x00000000000000000000000000000000000a0002']
    await rpc(market.rig.chain.rpcUrl, 'anvil_setCode', [yes, '0x631626ba7e60e01b60005260206000f3'])
    await rpc(market.rig.chain.rpcUrl, 'anvil_setCode', [no, '0x60206000f3'])
    const signature = `0x${'ab'.repeat(97)}`
    expect(expectStatus(await openSession(market.url, await textFor(yes), signature), 201).body).toMatchObject({
      wallet: yes,
    })
    expect((await openSession(market.url, await textFor(no), signature)).body).toMatchObject({
      code: 'SIGN_IN_REFUSED',
    })
  })

  test('a chain that is not served is refused', async () => {
    const reply = await sendJson(
      market.url,
      'POST',
      `${sessionPath}/challenge`,
      { wallet: party.wallet, chain_id: 8453 },
      {},
    )
    expect(reply.body).toMatchObject({ code: 'NETWORK_NOT_ACCEPTED' })
  })
})

describe('a session acts for its wallet', () => {
  let person: Person
  beforeAll(async () => {
    person = await signedIn(market, await market.party(0n))
  })

  test('a person needs no ERC-8004 identity to become a worker, and is a human', async () => {
    const registered = expectStatus(await person.call('POST', '/api/v1/workers/register', { name: 'Ada' }), 201)
    expect(registered.body).toMatchObject({
      wallet_address: person.wallet,
      executor_type: 'human',
      erc8004_agent_id: null,
    })
    expect((await person.call('POST', '/api/v1/workers/register', { executor_type: 'robot' })).body).toMatchObject({
      code: 'SESSION_NOT_FOR_PARTY',
    })
    expect(
      (await person.call('PUT', `/api/v1/workers/${String(registered.body['id'])}`, { executor_type: 'agent' })).body,
    ).toMatchObject({ code: 'SESSION_NOT_FOR_PARTY' })
  })

  test.each([
    ['without an Origin', {}],
    ['from a foreign origin', { origin: 'https://evil.example' }],
    ['from the same host by another scheme', { origin: `https://${authority}` }],
    ['from an opaque origin', { origin: 'null' }],
  ])('a change %s is refused', async (_what, headers) => {
    expect((await register({ cookie: person.cookie, ...headers })).body).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' })
  })

  test('a change that is not JSON is refused, and one from an allowed page passes', async () => {
    const form = await sendJson(
      market.url,
      'POST',
      '/api/v1/workers/register',
      { name: 'Ada' },
      { cookie: person.cookie, origin: ownOrigin, 'content-type': 'text/plain' },
    )
    expect(form.status).toBe(415)
    expectStatus(await register({ cookie: person.cookie, origin: friend }), 201)
  })

  test('the token is refused as a bearer, before anything else', async () => {
    const token = person.cookie.split('=')[1] ?? ''
    const reply = await sendJson(market.url, 'GET', sessionPath, undefined, {
      authorization: `Bearer ${token}`,
      cookie: person.cookie,
    })
    expect([reply.status, reply.body.code]).toEqual([403, 'API_KEY_REFUSED'])
  })

  test('where an operation takes signatures alone the cookie is nobody', async () => {
    expect((await person.call('POST', '/api/v1/tasks', {})).body).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('a signature wins over the cookie beside it, whatever the origin', async () => {
    const reply = await party.call('GET', sessionPath, undefined, { cookie: person.cookie })
    expect(expectStatus(reply, 200).body).toEqual({
      wallet: party.wallet,
      executor_id: null,
      picture_url: null,
      expires_at: null,
    })
    expect((await party.call('DELETE', sessionPath, undefined, { cookie: person.cookie })).body).toMatchObject({
      code: 'SESSION_REQUIRED',
    })
    expect(await whoAmI({ cookie: person.cookie })).toMatchObject({ wallet: person.wallet })
  })
})
