import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TypedData } from '@ergon/protocols'
import type { Party } from '../http/live-market.ts'
import {
  between,
  choose,
  createHand,
  createVisitor,
  deliverOrder,
  fieldOf,
  open,
  orderIn,
  post,
  startLiveOAuth,
  type LiveOAuth,
} from './live-oauth.ts'

/** A wallet on another device signs by the address in a QR code (decision 0132). */
let live: LiveOAuth
let party: Party
let hand: Awaited<ReturnType<typeof createHand>>
let ahead = 0
beforeAll(async () => {
  live = await startLiveOAuth({}, { now: () => new Date(Date.now() + ahead) })
  party = await live.market.party(0n)
  hand = await createHand(live.issuer)
})
afterAll(() => live?.[Symbol.asyncDispose]())

const approval: [string, string][] = [
  ['approve', 'yes'],
  ['usd', '5'],
  ['count', '2'],
]

/** What a camera reads of a page: the drawn modules, four pixels each. */
function scanned(page: string): string {
  const size = Number(between(page, 'viewBox="0 0 ', ' '))
  const [scale, width] = [4, size * 4]
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, run] of between(page, '<path d="', '"').matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1)
      for (let at = Number(x) * scale; at < (Number(x) + Number(run)) * scale; at += 1)
        data.fill(0, (row * width + at) * 4, (row * width + at) * 4 + 3)
  return decodeQR({ width, height: width, data })
}

/** A browser that came to the text, and what the phone in front of it scans. */
async function begin(more: [string, string][] = []) {
  const visitor = createVisitor()
  const begun = await open(visitor, hand.authorizeUrl())
  const { text, page } = await choose(visitor, begun, party.wallet, ['task:read'], more)
  const status = async () =>
    (await (await visitor.get(`${begun.url}/status`)).json()) as Readonly<Record<string, unknown>>
  return { visitor, begun, text, page, status, address: scanned(page) }
}

/** The phone: no cookie, no script. */
async function phone(address: string) {
  const shown = await fetch(address)
  const page = await shown.text()
  const [to = ''] = address.split('?')
  const send = (action: string, signature: string) =>
    post(to, { action, signature, delivery_token: fieldOf(page, 'delivery_token'), lang: 'en' })
  return { page, send, text: between(page, 'role="region" aria-label="Sign this text">', '</pre>') }
}
const orderOf = (page: string): TypedData => {
  const mark = 'role="region" aria-label="Sign the standing order">'
  const { types, ...rest } = JSON.parse(between(page, mark, '</pre>')) as TypedData // our own page
  const { EIP712Domain: _domain, ...own } = types
  return { ...rest, types: own }
}

test('the code of a page is the address of the same text, and nothing more than the delivery token is in it', async () => {
  const { begun, text, page, address } = await begin()
  const url = new URL(address)
  expect(`${url.origin}${url.pathname}`).toBe(`${live.issuer}/oauth/consent/${begun.rid}/elsewhere`)
  expect([...url.searchParams.keys()]).toEqual(['delivery_token', 'lang'])
  expect(url.searchParams.get('delivery_token')).toBe(fieldOf(page, 'delivery_token'))
  const there = await phone(address)
  expect(there.text).toBe(text)
  expect(there.page).not.toContain(begun.csrf)
  expect(there.page).toContain('tool.example')
  expect(there.page).not.toContain('/finish')
  expect((await fetch(address)).headers.get('x-frame-options')).toBe('DENY')
})

test('both signatures of an approval are taken from the phone, and the browser that began goes on', async () => {
  const { visitor, begun, address, status } = await begin(approval)
  const there = await phone(address)
  expect(await status()).toEqual({ status: 'open' })
  const first = await there.send('sign', await party.signer.signMessage(there.text))
  expect(first.status).toBe(303)
  expect(await status()).toMatchObject({ status: 'signed', standing_order: 'open' })
  const next = await (await fetch(new URL(first.headers.get('location') ?? '', address))).text()
  const order = orderOf(next)
  expect(order).toEqual(await orderIn(visitor, begun))
  const wrong = await there.send(
    'order',
    await party.signer.signTypedData({
      ...order,
      primaryType: 'StandingOrder',
      message: { ...order.message, maxCount: '50' },
    }),
  )
  expect([wrong.status, await wrong.text()]).toEqual([
    422,
    expect.stringContaining('This wallet did not sign this text'),
  ])
  const second = await there.send('order', await party.signer.signTypedData(order))
  expect(second.status).toBe(303)
  expect(await (await fetch(new URL(second.headers.get('location') ?? '', address))).text()).toContain(
    'Nothing is left',
  )
  expect(await status()).toMatchObject({ status: 'signed', standing_order: 'signed' })
  expect(await orderIn(visitor, begun)).toBeUndefined()
  expect((await visitor.get(`${begun.url}/finish`)).headers.get('location')).toContain('code=')
  expect(await (await fetch(address)).text()).toContain('Nothing is left')
})

test('the second signature alone may come from a phone, by the code of its own page', async () => {
  const { visitor, begun, text, status, page } = await begin(approval)
  await visitor.submit(begun.url, [
    ['csrf', begun.csrf],
    ['action', 'sign'],
    ['delivery_token', fieldOf(page, 'delivery_token')],
    ['signature', await party.signer.signMessage(text)],
  ])
  const address = scanned(await (await visitor.get(begun.url)).text())
  const order = orderOf(await (await fetch(address)).text())
  const token = new URL(address).searchParams.get('delivery_token') ?? ''
  const signature = await party.signer.signTypedData(order)
  const deliver = async (delivery_token: string, given: string, rid = begun.rid) => {
    const answer = await post(`${live.issuer}/oauth/consent/${rid}/signature`, { delivery_token, signature: given })
    const { error, status: taken } = (await answer.json()) as { readonly error?: string; readonly status?: string }
    return [answer.status, error ?? taken]
  }
  // The token of the first text is used up: it delivers no order.
  expect(await deliver(fieldOf(page, 'delivery_token'), signature)).toEqual([409, 'delivery_already_used'])
  expect(await deliver(`x${token}`, signature)).toEqual([404, 'not_found'])
  expect(await deliver(token, signature, (await begin()).begun.rid)).toEqual([404, 'not_found'])
  expect(await deliver(token, await party.signer.signMessage('other'))).toEqual([400, 'signature_mismatch'])
  expect(await status()).toMatchObject({ standing_order: 'open' })
  expect(await deliver(token, signature)).toEqual([200, 'signed'])
  expect(await deliver(token, signature)).toEqual([409, 'delivery_already_used'])
  expect(await status()).toMatchObject({ standing_order: 'signed' })
})

describe('the page elsewhere', () => {
  test('takes no signature of another wallet, and says so', async () => {
    const { address, status } = await begin()
    const there = await phone(address)
    const answer = await there.send('sign', await party.signer.signMessage(`${there.text} `))
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('This wallet did not sign')])
    expect(await status()).toEqual({ status: 'open' })
  })

  test.each([
    ['without a token', (url: URL) => void url.searchParams.delete('delivery_token')],
    ['with a forged one', (url: URL) => void url.searchParams.set('delivery_token', 'e30.e30')],
    ['of another sign-in', (url: URL) => void (url.pathname = url.pathname.replace(/[0-9a-f]{32}/, '0'.repeat(32)))],
  ])('is not there %s', async (_what, change) => {
    const url = new URL((await begin()).address)
    change(url)
    expect((await fetch(url)).status).toBe(404)
    const fields = { action: 'sign', signature: '0x00', delivery_token: url.searchParams.get('delivery_token') ?? '' }
    expect((await post(`${url.origin}${url.pathname}`, fields)).status).toBe(404)
  })

  test('of a sign-in that was denied is not there', async () => {
    const { visitor, begun, address } = await begin()
    await visitor.submit(begun.url, [
      ['csrf', begun.csrf],
      ['action', 'deny'],
    ])
    expect((await fetch(address)).status).toBe(404)
  })

  test('signed there twice stays signed once', async () => {
    const { address } = await begin()
    const there = await phone(address)
    const signature = await party.signer.signMessage(there.text)
    const answers = await Promise.all(Array.from({ length: 5 }, () => there.send('sign', signature)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
    expect(await (await fetch(address)).text()).toContain('Nothing is left')
  })

  test('takes no order before the text was signed, and none where nothing is released', async () => {
    const [early, plain] = [await begin(approval), await begin()]
    const there = await phone(early.address)
    await there.send('order', '0x00')
    expect(await early.status()).toEqual({ status: 'open' })
    const other = await phone(plain.address)
    await other.send('sign', await party.signer.signMessage(other.text))
    expect(await plain.status()).not.toHaveProperty('standing_order')
  })

  test('ends with the sign-in, ten minutes after it began', async () => {
    const { visitor, begun, address } = await begin(approval)
    ahead += 600_001
    expect((await fetch(address)).status).toBe(404)
    expect((await deliverOrder(visitor, begun, '0x00')).status).toBe(404)
  })
})
