import * as fc from 'fast-check'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import {
  buildSignInMessage,
  canonicalJson,
  delegateOf,
  delegationCode,
  feedbackDocument,
  isCanonicalSignInMessage,
  keccak256Hex,
  networks,
  parseSignInMessage,
  registrationFile,
  toChecksumAddress,
  utf8,
  type SignInFields,
} from '../src/index.ts'

const example = `service.org wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ServiceOrg Terms of Service: https://service.org/tos

URI: https://service.org/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24Z
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json`

const fields: SignInFields = {
  domain: 'app.example.com:8443',
  address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  uri: 'https://app.example.com:8443/login',
  chainId: 8453,
  nonce: 'abcdefgh12345678',
  issuedAt: '2026-11-21T10:00:00.000Z',
}

describe('EIP-4361', () => {
  test('the example of the standard is canonical', () => {
    expect(isCanonicalSignInMessage(example)).toBe(true)
    expect(parseSignInMessage(example)).toMatchObject({ domain: 'service.org', chainId: 1, nonce: '32891756' })
    expect(parseSignInMessage(example).resources).toHaveLength(2)
  })

  test('a text is written as viem writes it', () => {
    const full = {
      ...fields,
      statement: 'Sign in: at most 100.00 USD',
      expirationTime: '2026-11-21T10:10:00.000Z',
      notBefore: '2026-11-21T10:00:00.000Z',
      requestId: 'r-1',
      resources: ['https://example.com/a', 'ipfs://b'],
    }
    for (const one of [fields, full]) {
      const { address, issuedAt, expirationTime, notBefore, resources, ...rest } = {
        expirationTime: undefined,
        notBefore: undefined,
        resources: undefined,
        ...one,
      }
      const theirs = createSiweMessage({
        ...rest,
        version: '1',
        address: toChecksumAddress(address),
        issuedAt: new Date(issuedAt),
        ...(resources === undefined ? {} : { resources: [...resources] }),
        ...(expirationTime === undefined ? {} : { expirationTime: new Date(expirationTime) }),
        ...(notBefore === undefined ? {} : { notBefore: new Date(notBefore) }),
      })
      expect(buildSignInMessage(one)).toBe(theirs)
      expect(parseSignInMessage(theirs)).toEqual(one)
    }
  })

  test.each<[string, (text: string) => string]>([
    ['junk after the end', (text) => `${text}\njunk`],
    ['a line break after the end', (text) => `${text}\n`],
    ['another version', (text) => text.replace('Version: 1', 'Version: 2')],
    ['an address without its checksum', (text) => text.replace('0xC02aaA', '0xc02aaA')],
    ['a user in the domain', (text) => text.replace('service.org wants', 'evil@service.org wants')],
    ['a scheme in the domain', (text) => text.replace('service.org wants', 'https://service.org wants')],
    ['a chain id with a leading zero', (text) => text.replace('Chain ID: 1', 'Chain ID: 01')],
    ['a short nonce', (text) => text.replace('32891756', '3289175')],
    ['a nonce with a dash', (text) => text.replace('32891756', '3289-1756')],
    ['a date that is none', (text) => text.replace('2021-09-30', '2021-19-30')],
    ['a date without a time', (text) => text.replace('2021-09-30T16:25:24Z', '2021-09-30')],
    ['fields in another order', (text) => text.replace('Version: 1\nChain ID: 1', 'Chain ID: 1\nVersion: 1')],
    ['a statement of two lines', (text) => text.replace('Service: ', 'Service:\n')],
    ['a carriage return', (text) => text.replace('Service: ', 'Service:\r')],
    ['a letter beyond ASCII', (text) => text.replace('accept', 'accépt')],
    ['nothing', () => ''],
  ])('a text with %s is not', (_, change) => {
    expect(change(example)).not.toBe(example)
    expect(isCanonicalSignInMessage(change(example))).toBe(false)
  })

  test.each<Partial<SignInFields>>([
    { statement: 'a\nURI: https://evil.example' },
    { statement: '' },
    { nonce: 'a b c d e' },
    { domain: 'evil@app.example.com' },
    { uri: 'https://a\nb' },
    { requestId: 'a\nb' },
    { resources: ['not a uri'] },
    { chainId: 0 },
    { issuedAt: 'yesterday' },
  ])('no text is written for %j', (change) => {
    expect(() => buildSignInMessage({ ...fields, ...change })).toThrow('EIP-4361')
  })
})

describe('ERC-8004 documents', () => {
  const registry = networks.base.erc8004?.reputation ?? fields.address
  const feedback = {
    chainId: 8453,
    registry,
    agentId: 17n,
    client: fields.address,
    createdAt: '2026-11-21T10:00:00Z',
    value: 95,
    valueDecimals: 0,
  }

  test('a feedback document has sorted keys, no blanks, and the keccak of its bytes as its hash', () => {
    const { bytes, hash } = feedbackDocument({
      ...feedback,
      tag1: 'b',
      extra: { version: '1.0', a: [1, { z: 1, y: null }] },
    })
    const text = new TextDecoder().decode(bytes)
    expect(text).toBe(
      `{"a":[1,{"y":null,"z":1}],"agentId":17,"agentRegistry":"eip155:8453:${registry}",` +
        `"clientAddress":"eip155:8453:${fields.address}",` +
        '"createdAt":"2026-11-21T10:00:00Z","tag1":"b","value":95,"valueDecimals":0,"version":"1.0"}',
    )
    expect(hash).toBe(keccak256Hex(utf8(text)))
  })

  test('canonical JSON is JSON, and one text for one value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
    for (const value of [Number.NaN, 1n, undefined, () => 1]) expect(() => canonicalJson([value])).toThrow()
  })

  test('a registration file has the members of the standard', () => {
    const file = registrationFile({
      name: 'n',
      description: 'd',
      registrations: [{ agentId: 3, chainId: 8453, registry }],
    })
    expect(file).toEqual({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: 'n',
      description: 'd',
      services: [],
      x402Support: false,
      active: true,
      registrations: [{ agentId: 3, agentRegistry: `eip155:8453:${registry}` }],
      supportedTrust: ['reputation'],
    })
  })
})

test('a delegation names its delegate and other code does not (EIP-7702)', () => {
  const code = delegationCode('0x260D3D0258680aA458D0EBB8BcAE8A2f68bf6163')
  expect(code).toBe('0xef0100260d3d0258680aa458d0ebb8bcae8a2f68bf6163')
  expect(delegateOf(code)).toBe('0x260d3d0258680aa458d0ebb8bcae8a2f68bf6163')
  for (const other of ['0x', '0x6080', `${code}00`, code.replace('ef01', 'ef02')] as const)
    expect(delegateOf(other as `0x${string}`)).toBeUndefined()
})
