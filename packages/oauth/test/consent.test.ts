import { parseSignInMessage } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { isOrderDelivery, sealDelivery, sealOrderDelivery } from '../src/delivery-token.ts'
import { readLimits } from '../src/index.ts'
import { begun, choice, consented, createBench, issuer, other, query, redirectUri, rules, signer } from './bench.ts'

const limits = { maxCents: 750n, maxCount: 3 }

describe('the text that a wallet signs', () => {
  test('says who asks, what is allowed and up to which limits, and is ours to the letter', async () => {
    const bench = createBench()
    const clientId = await bench.client({ client_name: 'Café "Böt" <b>' })
    const { rid, read } = await begun(bench, clientId)
    const scopes = ['agent:approve', 'task:read', 'worker:withdraw']
    const { message } = bench.server.consent.offer(await read(), choice({ scopes, limits }))
    const fields = parseSignInMessage(message)
    expect(fields).toMatchObject({
      domain: 'market.example',
      uri: issuer,
      chainId: 8453,
      address: signer.address,
      requestId: rid,
      issuedAt: '2026-11-23T12:00:00.000Z',
      expirationTime: '2026-11-23T12:10:00.000Z',
      resources: [
        'urn:ergon:scope:task:read',
        'urn:ergon:scope:agent:approve',
        'urn:ergon:approve-max-usd:7.50',
        'urn:ergon:approve-max-count:3',
        `urn:ergon:client:${clientId}`,
        'urn:ergon:redirect-host:tool.example',
      ],
    })
    expect(fields.statement).toBe(
      "Let 'Cafe ?Bot? ?b?' (name not verified) act for this wallet, as the scopes below say, until you take it back. " +
        'It may approve work and so release up to 7.50 USD each time, 3 times at most, within 15 minutes. ' +
        'The answer goes to tool.example. This text itself moves no money and costs no gas.',
    )
  })
})

describe('a delivered signature', () => {
  test('is taken once; the second answers that it was used', async () => {
    const bench = createBench()
    const { rid, read } = await begun(bench, await bench.client())
    const offer = bench.server.consent.offer(await read(), choice())
    const signature = await signer.signMessage(offer.message)
    const deliver = () => bench.server.consent.deliver(rid, offer.deliveryToken, signature, 'here')
    expect(await Promise.all(Array.from({ length: 10 }, deliver))).toEqual(
      expect.arrayContaining([null, ...Array.from({ length: 9 }, () => 'delivery_already_used')]),
    )
    expect((await read()).outcome).toMatchObject({ kind: 'allowed', by: 'signature', address: signer.address })
    await bench.server.consent.finish(await read())
    expect(await deliver()).toBe('delivery_already_used')
  })

  test('of another wallet, of another text or of no shape leaves the sign-in open', async () => {
    const bench = createBench()
    const { rid, read } = await begun(bench, await bench.client())
    const offer = bench.server.consent.offer(await read(), choice())
    const deliver = (signature: string) => bench.server.consent.deliver(rid, offer.deliveryToken, signature, 'here')
    expect(await deliver(await other.signMessage(offer.message))).toBe('signature_mismatch')
    expect(await deliver(await signer.signMessage(`${offer.message} `))).toBe('signature_mismatch')
    expect(await deliver('0x')).toBe('signature_mismatch')
    expect((await read()).outcome).toEqual({ kind: 'open' })
    expect(await deliver(await signer.signMessage(offer.message))).toBeNull()
  })

  test('that is forged, for another sign-in, too late or for none is unknown, all alike', async () => {
    const bench = createBench()
    const clientId = await bench.client()
    const [one, two] = [await begun(bench, clientId), await begun(bench, clientId)]
    const offer = bench.server.consent.offer(await one.read(), choice())
    const signature = await signer.signMessage(offer.message)
    const deliver = (rid: string, token: string) => bench.server.consent.deliver(rid, token, signature, 'here')
    const [body = '', mac = ''] = offer.deliveryToken.split('.')
    const wider = Buffer.from(
      Buffer.from(body, 'base64url').toString().replace('"task:write"', '"agent:approve"'),
    ).toString('base64url')
    expect([
      await deliver(two.rid, offer.deliveryToken),
      await deliver('0'.repeat(32), offer.deliveryToken),
      await deliver('../etc', offer.deliveryToken),
      await deliver(one.rid, `${wider}.${mac}`),
      await deliver(one.rid, body),
      await deliver(one.rid, ''),
      await deliver(one.rid, 'x'.repeat(10_000)),
    ]).toEqual(Array.from({ length: 7 }, () => 'unknown'))
    bench.advance(600_000)
    expect(await deliver(one.rid, offer.deliveryToken)).toBe('unknown')
  })

  test('after a refusal is for nothing', async () => {
    const bench = createBench()
    const { rid, read } = await begun(bench, await bench.client())
    const offer = bench.server.consent.offer(await read(), choice())
    await bench.server.consent.deny(await read())
    const signature = await signer.signMessage(offer.message)
    expect(await bench.server.consent.deliver(rid, offer.deliveryToken, signature, 'here')).toBe('unknown')
    const done = await bench.server.consent.finish(await read())
    expect(Object.fromEntries(new URL(done?.location ?? '').searchParams)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'the state',
      iss: issuer,
    })
  })
})

describe('the browser that began', () => {
  test('alone reads the sign-in, and finishes it once', async () => {
    const bench = createBench()
    const { rid, csrf, read } = await begun(bench, await bench.client())
    expect(await bench.server.consent.read(rid, undefined)).toBeNull()
    expect(await bench.server.consent.read(rid, `${csrf}x`)).toBeNull()
    expect(await bench.server.consent.finish(await read())).toBeNull()
    const offer = bench.server.consent.offer(await read(), choice())
    await bench.server.consent.deliver(rid, offer.deliveryToken, await signer.signMessage(offer.message), 'here')
    const signIn = await read()
    const done = await Promise.all(Array.from({ length: 10 }, () => bench.server.consent.finish(signIn)))
    const [location, ...more] = done.flatMap((one) => (one === null ? [] : [one.location]))
    expect(more).toEqual([])
    const url = new URL(location ?? '')
    expect(`${url.origin}${url.pathname}`).toBe(redirectUri)
    expect(Object.fromEntries(url.searchParams)).toEqual({ code: expect.any(String), state: 'the state', iss: issuer })
    expect(bench.store.grants()).toHaveLength(1)
  })

  test('keeps the query of a redirect as it is', async () => {
    const bench = createBench()
    const redirect_uri = 'https://tool.example/cb?a=%20b&a=c'
    const clientId = await bench.client({ redirect_uris: [redirect_uri] })
    const asked = await bench.server.authorize(query(clientId, { redirect_uri, response_type: 'token' }))
    expect(asked.kind === 'redirect' && asked.location).toMatch(/^https:\/\/tool\.example\/cb\?a=%20b&a=c&error=/)
  })
})

describe('a wallet that was proven', () => {
  const proven = async () => {
    const bench = createBench()
    const clientId = await bench.client()
    const { rid, read } = await begun(bench, clientId)
    const offer = bench.server.consent.offer(await read(), choice())
    await bench.server.consent.deliver(rid, offer.deliveryToken, await signer.signMessage(offer.message), 'here')
    const done = await bench.server.consent.finish(await read())
    return { bench, clientId, cookie: done?.remember ?? '' }
  }

  test('is remembered for its client for seven days, and using that extends nothing', async () => {
    const { bench, clientId, cookie } = await proven()
    bench.advance(6 * 86_400_000)
    const again = await begun(bench, clientId)
    expect(bench.server.consent.rememberedWallet(await again.read(), cookie)).toEqual({
      address: signer.address,
      chainId: 8453,
    })
    expect(await bench.server.consent.allowRemembered(await again.read(), choice(), cookie)).toBe(true)
    const done = await bench.server.consent.finish(await again.read())
    expect([done?.location.includes('code='), done?.remember]).toEqual([true, null])
    bench.advance(86_400_000)
    const late = await begun(bench, clientId)
    expect(bench.server.consent.rememberedWallet(await late.read(), cookie)).toBeUndefined()
    expect(await bench.server.consent.allowRemembered(await late.read(), choice(), cookie)).toBe(false)
  })

  test.each([
    ['for approvals', { scopes: ['task:read', rules.approve], limits }],
    ['for approvals without limits', { scopes: ['task:read', rules.approve] }],
    ['for limits without approvals', { limits }],
    ['for another wallet', { address: other.address }],
    ['on another chain', { chainId: 1 }],
    ['for nothing', { scopes: [] }],
    ['for what no token carries', { scopes: ['worker:withdraw'] }],
  ])('is not enough %s', async (_what, change) => {
    const { bench, clientId, cookie } = await proven()
    const { read } = await begun(bench, clientId)
    expect(await bench.server.consent.allowRemembered(await read(), choice(change), cookie)).toBe(false)
    expect((await read()).outcome).toEqual({ kind: 'open' })
  })

  test('is unknown to another client, and a forged memory is none', async () => {
    const { bench, cookie } = await proven()
    const { read } = await begun(bench, await bench.client())
    const consent = bench.server.consent
    expect(consent.rememberedWallet(await read(), cookie)).toBeUndefined()
    expect(consent.rememberedWallet(await read(), `x${cookie}`)).toBeUndefined()
    expect(consent.rememberedWallet(await read(), undefined)).toBeUndefined()
  })
})

describe('typed limits', () => {
  test.each([
    ['100.00', '50', { maxCents: 10_000n, maxCount: 50 }],
    ['0.01', '1', { maxCents: 1n, maxCount: 1 }],
    [' 7,5 ', ' 3 ', { maxCents: 750n, maxCount: 3 }],
    ['100.01', '1', { fault: 'usd' }],
    ['0', '1', { fault: 'usd' }],
    ['-1', '1', { fault: 'usd' }],
    ['1e1', '1', { fault: 'usd' }],
    ['1.001', '1', { fault: 'usd' }],
    ['', '1', { fault: 'usd' }],
    ['1', '51', { fault: 'count' }],
    ['1', '0', { fault: 'count' }],
    ['1', '1.5', { fault: 'count' }],
  ])('%s USD, %s times', (usd, count, read) => {
    expect(readLimits(usd, count)).toEqual(read)
  })
})

test('a code is issued for what stayed ticked', async () => {
  const bench = createBench()
  await consented(bench, await bench.client(), choice({ scopes: ['task:read', 'worker:submit', 'nonsense'] }))
  expect(bench.store.grants()).toEqual([expect.objectContaining({ scopes: ['task:read'], limits: null })])
})

describe('what holds a delivery token', () => {
  const held = async () => {
    const bench = createBench()
    const clientId = await bench.client()
    const [one, two] = [await begun(bench, clientId), await begun(bench, clientId)]
    const { consent } = bench.server
    const offer = consent.offer(await one.read(), choice({ scopes: [...rules.basic, rules.approve], limits }))
    return { bench, consent, one, two, offer, orderToken: consent.orderToken(await one.read()) }
  }

  test('for the text sees the text and the choice; for the order, the sign-in alone', async () => {
    const { consent, one, offer, orderToken } = await held()
    expect(await consent.held(one.rid, offer.deliveryToken)).toMatchObject({
      signIn: { rid: one.rid, outcome: { kind: 'open' } },
      offer: { message: offer.message, choice: { address: signer.address, limits } },
    })
    expect(await consent.held(one.rid, orderToken)).toMatchObject({ signIn: { rid: one.rid }, offer: null })
  })

  test('for an order is over when its time is, whatever is kept of the sign-in', () => {
    const [key, at] = [new Uint8Array(32), new Date(1_000)]
    const token = sealOrderDelivery(key, 'a', at)
    const isGood = (rid: string, now: number) => isOrderDelivery(key, token, rid, new Date(now))
    expect([isGood('a', 999), isGood('a', 1_000), isGood('b', 999)]).toEqual([true, false, false])
    const delivery = { ...choice(), rid: 'a', nonce: 'n', issuedAt: at, expiresAt: at }
    expect(isOrderDelivery(key, sealDelivery(key, delivery), 'a', new Date(0))).toBe(false)
  })

  test('of one kind is none of the other kind', async () => {
    const { consent, one, offer, orderToken } = await held()
    const signature = await signer.signMessage(offer.message)
    expect(await consent.deliver(one.rid, orderToken, signature, 'here')).toBe('unknown')
    expect(consent.offerAgain(await one.read(), orderToken)).toBeUndefined()
  })

  test('that is forged, for another sign-in, too long or over sees nothing', async () => {
    const { bench, consent, one, two, offer, orderToken } = await held()
    for (const token of [offer.deliveryToken, orderToken]) {
      expect(await consent.held(two.rid, token)).toBeNull()
      expect(await consent.held('../etc', token)).toBeNull()
      expect(await consent.held(one.rid, `x${token}`)).toBeNull()
      expect(await consent.held(one.rid, token.split('.')[0] ?? '')).toBeNull()
    }
    expect(await consent.held(one.rid, 'x'.repeat(10_000))).toBeNull()
    bench.advance(600_000)
    for (const token of [offer.deliveryToken, orderToken]) expect(await consent.held(one.rid, token)).toBeNull()
  })
})
