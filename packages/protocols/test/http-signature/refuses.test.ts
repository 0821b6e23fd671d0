import { describe, expect, test } from 'vitest'
import { verifyRequest, type VerifyRequestMessage } from '../../src/index.ts'
import {
  aNonceStore,
  aPost,
  aSigned,
  authority,
  bytesToBase64,
  codeOf,
  getLines,
  handMade,
  hexToBytes,
  key,
  now,
  params,
  replaceHeader,
  signer,
  someContracts,
  theOptions,
  withHeaders,
} from './harness.ts'
import { signedButRefused } from './signed-but-refused.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
describe('a properly signed request is refused for', () => {
  test.each(signedButRefused)('%s: %s', async (_, code, made) => {
    const nonces = aNonceStore()
    expect(await codeOf(await handMade(made), theOptions({ nonces }))).toBe(code)
    expect(nonces.kept.size).toBe(0)
  })
})

const targets = [
  'http://api.example.com/api/v1/tasks',
  '//api.example.com/api/v1/tasks',
  '/api/./v1/tasks',
  '/api/v1/x/../tasks',
  '/api/v1/%2e%2e/tasks',
  '/api\\v1/tasks',
  '/api/v1/tasks#x',
  '/api/v1/ tasks',
  '/api/v1/täsks',
  '*',
  '',
  'api',
  '/api\n/v1',
]

describe('a target is refused unless a URL parser leaves it as it is', () => {
  test.each(targets)('%j', async (target) => {
    const path = target.split('?')[0] ?? ''
    const lines = [getLines[0], getLines[1], ['@path', path]] as const
    expect(await codeOf(await handMade({ target, lines }))).toBe('malformed_request')
  })
})

describe('an authority is refused', () => {
  const hosts: readonly (readonly [string, readonly string[]])[] = [
    ['of another host', ['evil.example']],
    ['with another port', ['api.example.com:8443']],
    ['with a trailing dot', ['api.example.com.']],
    ['with a user', ['me@api.example.com']],
    ['with an empty port', ['api.example.com:']],
    ['that is empty', ['']],
    ['given twice, even alike', [authority, authority]],
    ['given as a list', [`${authority}, evil.example`]],
    ['that is absent', []],
    ['with a blank that is none on the wire', [`\u00a0${authority}`]],
  ]
  test.each(hosts)('%s', async (_, values) => {
    const message = await handMade()
    const headers = [...values.map((value) => ['Host', value] as const), ...message.headers.slice(1)]
    expect(await codeOf({ ...message, headers })).toBe('authority_not_allowed')
  })

  test('and forwarding headers do not repair or replace it', async () => {
    const message = await handMade()
    const forwarded = [
      ['X-Forwarded-Host', authority],
      ['Forwarded', `host=${authority}`],
    ] as const
    expect(
      await codeOf({ ...message, headers: [['Host', 'evil.example'], ...forwarded, ...message.headers.slice(1)] }),
    ).toBe('authority_not_allowed')
    expect(await codeOf({ ...message, headers: [...message.headers, ['X-Forwarded-Host', 'evil.example']] })).toBe('ok')
  })

  test('signed for another host that is served, when sent to this one', async () => {
    const policy = { ...theOptions().policy, authorities: [authority, 'mcp.example.com'] }
    const message = await handMade()
    const relayed = replaceHeader(message, 'host', () => 'mcp.example.com')
    expect(await codeOf(relayed, theOptions({ policy }))).toBe('bad_signature')
  })
})

describe('signature headers are refused', () => {
  const input = `eth=("@method" "@authority" "@path")${params}`
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['a repeated label', 'malformed_signature_input', `${input}, ${input}`, 'eth=:AQ==:'],
    ['a repeated label of the signature', 'malformed_signature', input, 'eth=:AQ==:, eth=:AQ==:'],
    [
      'a repeated component',
      'malformed_signature_input',
      input.replace('"@method"', '"@method" "@method"'),
      'eth=:AQ==:',
    ],
    ['a repeated parameter', 'malformed_signature_input', `${input};created=1`, 'eth=:AQ==:'],
    ['a repetition inside a foreign signature', 'malformed_signature_input', `${input}, x=("a" "a")`, 'eth=:AQ==:'],
    ['a trailing comma', 'malformed_signature_input', `${input},`, 'eth=:AQ==:'],
    ['a member that is no list', 'malformed_signature_input', `${input}, x=1`, 'eth=:AQ==:'],
    ['a component that is a token', 'malformed_signature_input', input.replace('"@method"', '@method'), 'eth=:AQ==:'],
    ['components without a blank between', 'malformed_signature_input', input.replace('" "', '""'), 'eth=:AQ==:'],
    ['an open list', 'malformed_signature_input', 'eth=("@method"', 'eth=:AQ==:'],
    ['an open string', 'malformed_signature_input', 'eth=("@method', 'eth=:AQ==:'],
    ['an uppercase label', 'malformed_signature_input', input.replace('eth', 'Eth'), 'Eth=:AQ==:'],
    ['a tab in the list', 'malformed_signature_input', input.replace('" "', '"\t"'), 'eth=:AQ==:'],
    [
      'an integer of 16 digits',
      'malformed_signature_input',
      input.replace(String(now), '1790000000000000'),
      'eth=:AQ==:',
    ],
    [
      'an integer with a leading zero',
      'malformed_signature_input',
      input.replace(String(now), `0${now}`),
      'eth=:AQ==:',
    ],
    [
      '33 components',
      'malformed_signature_input',
      `eth=(${Array.from({ length: 33 }, (_, n) => `"h${n}"`).join(' ')})${params}`,
      'eth=:AQ==:',
    ],
    [
      '17 parameters',
      'malformed_signature_input',
      `${input}${Array.from({ length: 13 }, (_, n) => `;p${n}`).join('')}`,
      'eth=:AQ==:',
    ],
    ['an input of 4097 characters', 'headers_too_large', `${input}, x=("${'a'.repeat(4097)}")`, 'eth=:AQ==:'],
    ['a signature of 8193 characters', 'headers_too_large', input, `eth=:${'A'.repeat(8192)}:`],
    ['a signature under another label', 'malformed_signature', input, 'sig=:AQ==:'],
    ['a signature that is no bytes', 'malformed_signature', input, 'eth="AQ=="'],
    ['a signature of no bytes', 'malformed_signature', input, 'eth=::'],
    ['base64 without padding', 'malformed_signature', input, 'eth=:AQ:'],
    ['base64 with stray bits', 'malformed_signature', input, 'eth=:AR==:'],
    ['base64url', 'malformed_signature', input, 'eth=:_-__:'],
    ['a signature with parameters', 'malformed_signature', input, 'eth=:AQ==:;a=1'],
    ['nothing in the input', 'malformed_signature_input', '', 'eth=:AQ==:'],
    [
      'four signatures of ours',
      'too_many_signatures',
      ['a', 'b', 'c', 'd'].map((l) => input.replace('eth', l)).join(', '),
      'a=:AQ==:, b=:AQ==:, c=:AQ==:, d=:AQ==:',
    ],
  ]
  test.each(cases)('for %s: %s', async (_, code, signatureInput, signature) => {
    const message = await handMade()
    const swapped = replaceHeader(
      replaceHeader(message, 'signature-input', () => signatureInput),
      'signature',
      () => signature,
    )
    expect(await codeOf(swapped)).toBe(code)
  })

  test.each(['signature-input', 'signature'])('when %s is missing', async (name) => {
    const message = await handMade()
    expect(await codeOf(withHeaders(message, (headers) => headers.filter(([key]) => key.toLowerCase() !== name)))).toBe(
      'missing_headers',
    )
  })

  test('when a second line repeats the member of the first', async () => {
    const message = await handMade()
    const line = message.headers.find(([name]) => name === 'Signature-Input')
    expect(await codeOf(withHeaders(message, (headers) => [...headers, ...(line ? [line] : [])]))).toBe(
      'malformed_signature_input',
    )
  })
})

describe('a digest is refused', () => {
  const wrong: readonly (readonly [string, string, (old: string) => string])[] = [
    ['of other bytes', 'digest_mismatch', () => 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'],
    ['twice in one line', 'malformed_digest', (old) => `${old}, ${old}`],
    ['with a second algorithm', 'malformed_digest', (old) => `${old}, sha-512=:AAAA:`],
    ['sha-512 alone', 'malformed_digest', () => 'sha-512=:AAAA:'],
    ['md5 alone', 'malformed_digest', () => 'md5=:AAAA:'],
    ['in hex', 'malformed_digest', () => `sha-256=${'ab'.repeat(32)}`],
    ['with parameters', 'malformed_digest', (old) => `${old};a`],
    ['with an empty value', 'malformed_digest', () => ''],
  ]
  test.each(wrong)('%s', async (_, code, change) => {
    expect(await codeOf(replaceHeader(await aSigned(), 'content-digest', change))).toBe(code)
  })

  test('when the body is another, empty or longer', async () => {
    const message = await aSigned()
    for (const body of ['', '{}', `${String(aPost.body)} `]) {
      expect(await codeOf({ ...message, body: new TextEncoder().encode(body) })).toBe('digest_mismatch')
    }
  })

  test('when a line is added, or the body is encoded', async () => {
    const message = await aSigned()
    const digest = message.headers.find(([name]) => name === 'content-digest') ?? ['', '']
    expect(await codeOf(withHeaders(message, (headers) => [...headers, digest]))).toBe('malformed_digest')
    expect(await codeOf(withHeaders(message, (headers) => [...headers, ['Content-Encoding', 'gzip']]))).toBe(
      'content_encoding_not_allowed',
    )
  })

  test('when digest and body are swapped together: the digest is in the base', async () => {
    const [message, other] = [await aSigned(), await aSigned({ ...aPost, body: '{"title":"other"}' })]
    const digest = other.headers.find(([name]) => name === 'content-digest')?.[1] ?? ''
    const swapped = replaceHeader(message, 'content-digest', () => digest)
    expect(await codeOf({ ...swapped, body: other.body })).toBe('bad_signature')
  })
})

describe('a key signature counts in its canonical form only', () => {
  const forms: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
    ['v 0 or 1', (bytes) => bytes.with(64, (bytes[64] ?? 0) - 27)],
    [
      'high s',
      (bytes) => {
        const s = order - BigInt(`0x${Buffer.from(bytes.subarray(32, 64)).toString('hex')}`)
        return Uint8Array.from([
          ...bytes.subarray(0, 32),
          ...hexToBytes(`0x${s.toString(16).padStart(64, '0')}`),
          bytes[64] === 27 ? 28 : 27,
        ])
      },
    ],
    ['64 bytes', (bytes) => bytes.subarray(0, 64)],
    ['66 bytes', (bytes) => Uint8Array.from([...bytes, 0])],
    ['all zero', () => new Uint8Array(65)],
  ]
  test.each(forms)('%s is asked of the account as a contract, and refused when it says no', async (_, change) => {
    const contracts = someContracts(() => false)
    const message = replaceHeader(await handMade(), 'signature', (old) => {
      const bytes = Uint8Array.from(Buffer.from(old.slice(5, -1), 'base64'))
      return `eth=:${bytesToBase64(change(bytes))}:`
    })
    expect(await codeOf(message, theOptions({ contracts }))).toBe('bad_signature')
    expect(contracts.calls).toHaveLength(1)
  })
})

describe('several signatures', () => {
  async function two(first: string, second: string): Promise<VerifyRequestMessage> {
    const [a, b] = [await handMade({ label: 'a', params: first }), await handMade({ label: 'b', params: second })]
    const value = (message: VerifyRequestMessage, name: string) =>
      message.headers.find(([key]) => key === name)?.[1] ?? ''
    const both = (name: string) => `${value(a, name)}, ${value(b, name)}`
    return {
      ...a,
      headers: [
        ['Host', authority],
        ['Signature-Input', both('Signature-Input')],
        ['Signature', both('Signature')],
      ],
    }
  }

  test('the one that verifies is the identity, whatever comes before it', async () => {
    const contracts = someContracts(() => true)
    const message = await two(params.replace(signer.address, `0x${'11'.repeat(20)}`), params)
    expect(await verifyRequest(message, theOptions({ contracts }))).toEqual({
      ok: true,
      chainId: 8453,
      address: signer.address,
      byKey: true,
    })
    expect(contracts.calls).toHaveLength(0)
  })

  test('only the winner consumes its nonce, and its replay is not saved by another', async () => {
    const nonces = aNonceStore()
    const message = await two(params, params.replace('"n1"', '"n2"'))
    expect(await codeOf(message, theOptions({ nonces }))).toBe('ok')
    expect([...nonces.kept.keys()]).toEqual([`8453:${signer.address}:n1`])
    expect(await codeOf(message, theOptions({ nonces }))).toBe('replay')
  })

  test('the first reason is told when none verifies', async () => {
    expect(await codeOf(await two(params.replace('8453', '1'), params.replace('"n1"', '""')))).toBe('chain_not_served')
  })
})

describe('a refusal', () => {
  test('names no computed value: two forgeries of different kinds read the same', async () => {
    const [a, b] = [await handMade({ target: '/a' }), await handMade({ target: '/b' })]
    expect(await verifyRequest(a, theOptions())).toEqual(await verifyRequest(b, theOptions()))
    expect(JSON.stringify(await verifyRequest(a, theOptions()))).not.toContain('0x')
  })

  test('is what a sign-in text gets as a request signature', async () => {
    const text = `${authority} wants you to sign in with your Ethereum account:\n${signer.address}`
    const signature = bytesToBase64(hexToBytes(await signer.signMessage(text)))
    expect(await codeOf(replaceHeader(await handMade(), 'signature', () => `eth=:${signature}:`))).toBe('bad_signature')
  })

  test('comes for a clock or a policy that is no number', async () => {
    const message = await handMade()
    expect(await codeOf(message, theOptions({ now: Number.NaN }))).not.toBe('ok')
    for (const policy of [
      { maxValiditySec: Number.NaN },
      { clockSkewSec: Number.NaN },
      { authorities: [] },
      { chains: [] },
    ]) {
      expect(await codeOf(message, theOptions({ policy: { ...theOptions().policy, ...policy } }))).not.toBe('ok')
    }
  })

  test('comes for a message of a foreign shape instead of an exception', async () => {
    // Callers in plain JavaScript can pass anything; the casts stand for them.
    const shapes = [
      {},
      null,
      { headers: [[1, 2]] },
      { ...(await handMade()), method: 5 },
      { ...(await handMade()), body: null },
    ]
    for (const shape of shapes) expect(await codeOf(shape as unknown as VerifyRequestMessage)).toBe('malformed_request')
    expect(key).toHaveLength(66)
  })
})
