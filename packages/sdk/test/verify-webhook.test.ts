import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookRefused, type WebhookFault } from '../src/index.ts'

/** Deliveries are signed by the reference library, or by the platform where that one signs nothing (v1a). */
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const now = (): number => nowMs
const secretOf = (letter: string): string => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`
const secret = secretOf('s')
const event = {
  id: 'msg_1',
  type: 'task.created',
  created_at: '2026-11-21T11:59:59Z',
  data: { title: 'ünï — 橋' },
  metadata: { api_version: '2026-11-21', idempotency_key: 'k' },
}
const body = JSON.stringify(event)

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const whpk = `whpk_${publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`

const seconds = (atMs: number): string => String(Math.floor(atMs / 1_000))
const shared = (given: { readonly secret?: string; readonly body?: string; readonly atMs?: number } = {}): string =>
  new Webhook(given.secret ?? secret).sign(event.id, new Date(given.atMs ?? nowMs), given.body ?? body)
const ownKey = (content = body, key = privateKey): string =>
  `v1a,${sign(null, Buffer.from(`${event.id}.${seconds(nowMs)}.${content}`), key).toString('base64')}`
const headersWith = (signature: string, atMs = nowMs): Record<string, string> => ({
  'webhook-id': event.id,
  'webhook-timestamp': seconds(atMs),
  'webhook-signature': signature,
})
const refused = (fault: WebhookFault): unknown => expect.objectContaining({ name: 'WebhookRefused', fault })

describe('a delivery that was signed with what is valid here is believed', () => {
  test.each<readonly [string, string, string | readonly string[]]>([
    ['by HMAC', shared(), secret],
    ['by HMAC with a secret that has no prefix', shared(), secret.slice('whsec_'.length)],
    ['by ed25519', ownKey(), whpk],
    ['by the second of several signatures', `${shared({ secret: secretOf('o') })} ${shared()}`, secret],
    ['by one of several kinds, the others unknown here', `v2,AAAA v1a,AAAA nonsense ${shared()} ${ownKey()}`, whpk],
    [
      'with the older of two secrets, while one is exchanged',
      shared({ secret: secretOf('o') }),
      [secret, secretOf('o')],
    ],
    ['with a secret and a key together', ownKey(), [secret, whpk]],
  ])('%s', async (_, signature, valid) => {
    await expect(verifyWebhook(body, headersWith(signature), valid, { now })).resolves.toEqual(event)
    await expect(
      verifyWebhook(new TextEncoder().encode(body), new Headers(headersWith(signature)), valid, { now }),
    ).resolves.toEqual(event)
  })

  test('however the headers are written and whichever framework read them', async () => {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headersWith(shared())
    await expect(
      verifyWebhook(
        body,
        { 'Webhook-Id': id, 'WEBHOOK-TIMESTAMP': at, 'Webhook-Signature': [signature ?? ''] },
        secret,
        { now },
      ),
    ).resolves.toEqual(event)
  })

  test('as long as the clocks are apart, to the second, and no longer', async () => {
    const verified = (apartSec: number, toleranceSec?: number): Promise<string> => {
      const atMs = nowMs + apartSec * 1_000
      const options = { now, ...(toleranceSec === undefined ? {} : { toleranceSec }) }
      return verifyWebhook(body, headersWith(shared({ atMs }), atMs), secret, options).then(
        () => 'believed',
        (error: unknown) => (error as WebhookRefused).fault,
      )
    }
    expect(await Promise.all([-301, -300, 300, 301].map((apart) => verified(apart)))).toEqual([
      'too_old',
      'believed',
      'believed',
      'too_new',
    ])
    expect(await Promise.all([-2, -1, 0, 1, 2].map((apart) => verified(apart, 1)))).toEqual([
      'too_old',
      'believed',
      'believed',
      'believed',
      'too_new',
    ])
  })

  test('as the reference library believes it, whatever the event says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.uint8Array({ minLength: 24, maxLength: 64 }), async (data, key) => {
        const text = JSON.stringify({ ...event, data })
        const random = `whsec_${Buffer.from(key).toString('base64')}`
        const headers = headersWith(shared({ secret: random, body: text, atMs: Date.now() }), Date.now())
        expect(await verifyWebhook(text, headers, random)).toEqual(new Webhook(random).verify(text, headers))
      }),
      { numRuns: 50 },
    )
  })
})

describe('anything else is refused, and says why', () => {
  test.each<readonly [string, WebhookFault, Record<string, string>, string | readonly string[], string]>([
    ['another secret', 'no_match', headersWith(shared()), secretOf('o'), body],
    ['another key', 'no_match', headersWith(ownKey(body, generateKeyPairSync('ed25519').privateKey)), whpk, body],
    ['a changed body', 'no_match', headersWith(shared()), secret, body.replace('ünï', 'uni')],
    ['a changed body under ed25519', 'no_match', headersWith(ownKey()), whpk, body.replace('ünï', 'uni')],
    ['the id of another delivery', 'no_match', { ...headersWith(shared()), 'webhook-id': 'msg_2' }, secret, body],
    [
      'a time that was not signed',
      'no_match',
      { ...headersWith(shared()), 'webhook-timestamp': seconds(nowMs - 1_000) },
      secret,
      body,
    ],
    ['an HMAC that calls itself v1a', 'no_match', headersWith(shared().replace('v1,', 'v1a,')), [secret, whpk], body],
    ['a signature cut short', 'no_match', headersWith(shared().slice(0, -8)), secret, body],
    ['no signature at all', 'missing_header', headersWith(''), secret, body],
    ['no id', 'missing_header', { ...headersWith(shared()), 'webhook-id': '' }, secret, body],
    ['a time that is none', 'missing_header', { ...headersWith(shared()), 'webhook-timestamp': '1e9' }, secret, body],
    [
      'a delivery of more than five minutes ago',
      'too_old',
      headersWith(shared({ atMs: nowMs - 301_000 }), nowMs - 301_000),
      secret,
      body,
    ],
    [
      'a delivery of the future',
      'too_new',
      headersWith(shared({ atMs: nowMs + 301_000 }), nowMs + 301_000),
      secret,
      body,
    ],
    ['a secret that is none', 'malformed_secret', headersWith(shared()), 'whsec_short', body],
    [
      'a private key where a public one belongs',
      'malformed_secret',
      headersWith(ownKey()),
      whpk.replace('whpk_', 'whsk_'),
      body,
    ],
    ['a signed body that is no event', 'malformed_body', headersWith(shared({ body: '[]' })), secret, '[]'],
    [
      'a signed body that names another event',
      'malformed_body',
      headersWith(shared({ body: body.replace('msg_1', 'msg_2') })),
      secret,
      body.replace('msg_1', 'msg_2'),
    ],
  ])('%s', async (_, fault, headers, valid, content) => {
    await expect(verifyWebhook(content, headers, valid, { now })).rejects.toEqual(refused(fault))
  })

  test('at the very edge of the tolerance it is still believed, and the tolerance can be narrowed', async () => {
    const headers = headersWith(shared({ atMs: nowMs - 300_000 }), nowMs - 300_000)
    await expect(verifyWebhook(body, headers, secret, { now })).resolves.toEqual(event)
    await expect(verifyWebhook(body, headers, secret, { now, toleranceSec: 60 })).rejects.toEqual(refused('too_old'))
  })

  test('whichever single byte of body or signature is changed', async () => {
    const signatures = [
      [shared(), secret],
      [ownKey(), whpk],
    ] as const
    const bytes = new TextEncoder().encode(body)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom(...signatures),
        async (at, change, [signature, valid]) => {
          const altered = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ change : byte))
          await expect(verifyWebhook(altered, headersWith(signature), valid, { now })).rejects.toBeInstanceOf(
            WebhookRefused,
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})
