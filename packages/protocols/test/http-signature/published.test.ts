import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { contentDigest, utf8 } from '../../src/index.ts'
import { collectFields, type RequestParts } from '../../src/http-signature/message.ts'
import { parseSignatureInput } from '../../src/http-signature/signature-input.ts'
import { signatureBase } from '../../src/http-signature/signature-base.ts'

/** The request of RFC 9421 appendix B.2. */
const parts: RequestParts = {
  method: 'POST',
  authority: 'example.com',
  path: '/foo',
  query: '?param=Value&Pet=dog',
  hasBody: true,
  fields: collectFields([
    ['Host', 'example.com'],
    ['Date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
    ['Content-Type', 'application/json'],
    ['Content-Length', '18'],
  ]),
}

describe('RFC 9421', () => {
  test('B.2.6: the base is the one whose Ed25519 signature is published', () => {
    const text =
      '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"'
    const [input] = parseSignatureInput(`sig-b26=${text}`) ?? []
    const base = input === undefined ? undefined : signatureBase(input, parts)
    expect(base).toBe(
      [
        '"date": Tue, 20 Apr 2021 02:07:55 GMT',
        '"@method": POST',
        '"@path": /foo',
        '"@authority": example.com',
        '"content-type": application/json',
        '"content-length": 18',
        `"@signature-params": ${text}`,
      ].join('\n'),
    )
    const key = createPublicKey({
      format: 'jwk',
      key: { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' },
    })
    const signature = Buffer.from(
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
      'base64',
    )
    expect(verify(null, utf8(typeof base === 'string' ? base : ''), key, signature)).toBe(true)
  })

  test('2.2.7: @query is the raw query with its question mark, or a lone one', () => {
    const [input] = parseSignatureInput('a=("@query")') ?? []
    if (input === undefined) throw new Error('not parsed')
    expect(signatureBase(input, parts)).toBe('"@query": ?param=Value&Pet=dog\n"@signature-params": ("@query")')
    expect(signatureBase(input, { ...parts, query: undefined })).toBe('"@query": ?\n"@signature-params": ("@query")')
  })

  test('2.1: repeated lines are joined in order, trimmed and otherwise left alone', () => {
    const { values } = collectFields([
      ['X-Dup', '  one  two '],
      ['x-dup', '\tthree'],
      ['Empty', ''],
    ])
    expect(values.get('x-dup')).toBe('one  two, three')
    expect(values.get('empty')).toBe('')
  })

  test('4.1: several signatures in one header keep their order and their one text', () => {
    const inputs = parseSignatureInput(
      'sig1=("@method" "@authority" "@path" "content-digest"  "content-type"  "content-length");created=1618884475;keyid="test-key-ecc-p256",' +
        ' proxy_sig=("@method" "@authority" "@path" "content-digest" "content-type" "content-length" "forwarded");created=1618884480;keyid="test-key-rsa";alg="rsa-v1_5-sha256";expires=1618884540',
    )
    expect(inputs?.map((input) => input.label)).toEqual(['sig1', 'proxy_sig'])
    expect(inputs?.[0]?.text).toBe(
      '("@method" "@authority" "@path" "content-digest" "content-type" "content-length");created=1618884475;keyid="test-key-ecc-p256"',
    )
    expect(inputs?.[1]?.params.get('expires')).toEqual({ kind: 'integer', value: 1618884540 })
  })
})

test('RFC 9530: the sha-256 digest of the example body', () => {
  expect(contentDigest(utf8('{"hello": "world"}'))).toBe('sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:')
})
