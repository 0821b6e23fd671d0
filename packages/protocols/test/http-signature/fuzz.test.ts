import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyRequest, type VerifyRequestMessage } from '../../src/index.ts'
import { base64ToBytes, bytesToBase64 } from '../../src/base64.ts'
import { parseSignatureInput } from '../../src/http-signature/signature-input.ts'
import { parseSignatures } from '../../src/http-signature/signature-bytes.ts'
import { aSigned, authority, codeOf, now, signer, theOptions, utf8 } from './harness.ts'

const segment = fc.stringMatching(/^[a-z0-9_~-]{1,12}$/)
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  url: fc
    .tuple(fc.array(segment, { maxLength: 5 }), fc.option(fc.webQueryParameters(), { nil: undefined }))
    .map(([path, query]) => `https://${authority}/${path.join('/')}${query === undefined ? '' : `?${query}`}`),
  body: fc.option(fc.uint8Array({ maxLength: 400 }), { nil: undefined }),
})
const nonce = fc.stringMatching(/^[ -~]{1,128}$/)

test('whatever is signed verifies, once', async () => {
  await fc.assert(
    fc.asyncProperty(request, nonce, fc.integer({ min: 1, max: 300 }), async ({ method, url, body }, text, ttlSec) => {
      const signed = await aSigned({ method, url, ...(body === undefined ? {} : { body }) }, { nonce: text, ttlSec })
      const options = theOptions()
      expect(await verifyRequest(signed, options)).toEqual({
        ok: true,
        chainId: 8453,
        address: signer.address,
        byKey: true,
      })
      expect(await codeOf(signed, options)).toBe('replay')
    }),
    { numRuns: 100 },
  )
})

/** Every place where one character of a signed request can change. */
function places(
  message: VerifyRequestMessage,
): readonly (readonly [string, number, (change: (text: string) => string) => VerifyRequestMessage])[] {
  const signed = new Set(['host', 'content-digest', 'signature-input', 'signature', 'x-payment-worker'])
  const headers = message.headers.flatMap(([name, value], at) =>
    signed.has(name.toLowerCase())
      ? [
          [
            name,
            value.length,
            (change: (text: string) => string) => ({
              ...message,
              headers: message.headers.map((entry, index) => (index === at ? ([name, change(value)] as const) : entry)),
            }),
          ] as const,
        ]
      : [],
  )
  const body = new TextDecoder().decode(message.body)
  return [
    ...headers,
    ['method', message.method.length, (change) => ({ ...message, method: change(message.method) })],
    ['target', message.target.length, (change) => ({ ...message, target: change(message.target) })],
    ['body', body.length, (change) => ({ ...message, body: utf8(change(body)) })],
  ]
}

/** Changes that mean the same request: the case of hex and of the host, a renamed label, blanks the grammar allows. */
function sameMeaning(name: string, before: string, after: string): boolean {
  if (name === 'Host') return before.toLowerCase() === after.toLowerCase().trim()
  return name === 'signature-input' && before.toLowerCase() === after.toLowerCase()
}

describe('any single mutation of a signed request is refused', () => {
  test('a character replaced, dropped or inserted, anywhere', async () => {
    const message = await aSigned({
      method: 'POST',
      url: `https://${authority}/api/v1/tasks?limit=5`,
      headers: { 'X-Payment-Worker': '0xabc' },
      body: '{"title":"photo"}',
    })
    const spots = places(message)
    const char = fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code))
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.nat(),
        char,
        fc.constantFrom('replace', 'drop', 'insert'),
        async (which, where, letter, kind) => {
          const [name, length, apply] = spots[which % spots.length] ?? ['', 1, () => message]
          let [before, after] = ['', '']
          const mutated = apply((text) => {
            const at = where % length
            before = text
            after = text.slice(0, at) + (kind === 'drop' ? '' : letter) + text.slice(kind === 'insert' ? at : at + 1)
            return after
          })
          fc.pre(before !== after.trim() && before !== after && !sameMeaning(name, before, after))
          // A blank where the grammar allows one leaves the signed text as it was.
          fc.pre(!(letter === ' ' && name.startsWith('signature') && kind === 'insert'))
          expect([name, after, await codeOf(mutated)]).not.toEqual([name, after, 'ok'])
        },
      ),
      { numRuns: 1500 },
    )
  })

  test('every bit of the signature and of the body', async () => {
    const message = await aSigned()
    for (let at = 0; at < message.body.length; at += 1) {
      const body = message.body.with(at, (message.body[at] ?? 0) ^ (1 << (at % 8)))
      expect(await codeOf({ ...message, body })).toBe('digest_mismatch')
    }
    for (let at = 0; at < 65; at += 1) {
      const headers = message.headers.map(([name, value]) => {
        if (name !== 'signature') return [name, value] as const
        const bytes = base64ToBytes(value.slice(5, -1)) ?? new Uint8Array(65)
        return [name, `eth=:${bytesToBase64(bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at % 8))))}:`] as const
      })
      expect(await codeOf({ ...message, headers })).toBe('bad_signature')
    }
  })
})

describe('the parser never throws', () => {
  const alphabet = fc.constantFrom(
    ...'abz09_-*.=();:?,"\\ \t@/+~é\u0000\n',
    'created',
    'keyid="erc8128:8453:0x',
    '"@method"',
    ':AQ==:',
  )
  const soup = fc.array(alphabet, { maxLength: 60 }).map((parts) => parts.join(''))

  test('on soup, and what it reads it reads again from its own text', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 80 })), (text) => {
        parseSignatures(text)
        for (const input of parseSignatureInput(text) ?? []) {
          const again = parseSignatureInput(`${input.label}=${input.text}`)
          expect(again?.[0]).toEqual(input)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('and neither does the verifier, on messages made of anything', async () => {
    const name = fc.oneof(
      fc.constantFrom('Host', 'Signature', 'Signature-Input', 'Content-Digest'),
      fc.string({ maxLength: 10 }),
    )
    const message = fc.record({
      method: fc.oneof(fc.constant('GET'), fc.string({ maxLength: 8 })),
      target: fc.oneof(fc.constant('/'), fc.string({ maxLength: 20 })),
      headers: fc.array(fc.tuple(name, fc.oneof(soup, fc.constant(authority))), { maxLength: 8 }),
      body: fc.uint8Array({ maxLength: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(message, async (value) => {
        expect(await verifyRequest(value, theOptions({ now }))).toMatchObject({ ok: false, status: 401 })
      }),
      { numRuns: 1500 },
    )
  })
})

test('base64 has one text for each byte string', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = bytesToBase64(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64'))
      expect(base64ToBytes(text)).toEqual(bytes)
    }),
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const bytes = base64ToBytes(text)
      if (bytes !== undefined) expect(bytesToBase64(bytes)).toBe(text)
    }),
    { numRuns: 1000 },
  )
})
