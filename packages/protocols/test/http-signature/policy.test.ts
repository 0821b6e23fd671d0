import { expect, test } from 'vitest'
import { signingPolicy, verifyRequestCodes, verifyRequestReasons } from '../../src/index.ts'
import { coveredWhenPresent } from '../../src/http-signature/coverage.ts'
import { limits } from '../../src/http-signature/limits.ts'
import { codeOf, getLines, handMade, params, theOptions } from './harness.ts'

const { policy } = theOptions()
const document = signingPolicy(policy, { nonceEndpoint: '/api/v1/auth/nonce' })

test('the policy document states the rules in force (spec §5.2)', () => {
  expect(signingPolicy(policy)).toEqual({
    supported: true,
    version: '1',
    supported_chains: [8453, 31337],
    authorities: ['api.example.com'],
    account_verification: 'eoa+erc1271',
    signing: {
      algorithm: 'EIP-191',
      alg: 'eip191',
      alg_required: false,
      signature_format: expect.stringContaining('65 bytes r||s||v in base64, low s, v 27 or 28'),
      covered_components: ['@method', '@authority', '@path', '@query', 'content-digest'],
      covered_when: {
        '@query': 'the target has a query',
        'content-digest': 'the body is not empty',
        ...Object.fromEntries(coveredWhenPresent.map((name) => [name, 'the header is present'])),
      },
      parameters: ['created', 'expires', 'nonce', 'keyid', 'alg'],
      content_digest: 'sha-256=:<base64>:',
      label: 'any; eth preferred',
      keyid_format: 'erc8128:<chain_id>:<lowercase wallet address>',
    },
    policy: {
      max_validity_sec: 300,
      clock_skew_sec: 30,
      require_request_bound: true,
      require_nonce: true,
      max_nonce_length: 128,
      max_signatures: limits.candidates,
      max_components: limits.components,
      max_parameters: limits.parameters,
      max_signature_input_chars: limits.signatureInputChars,
      max_signature_chars: limits.signatureChars,
    },
  })
  expect(coveredWhenPresent).toEqual(expect.arrayContaining(['x-payment-worker', 'x-payment-fee']))
  const links = { nonceEndpoint: '/api/v1/auth/nonce', documentation: '/docs' }
  expect(signingPolicy(policy, links)).toMatchObject({ nonce_endpoint: '/api/v1/auth/nonce', documentation: '/docs' })
})

test('its limits are the ones enforced: one more of anything is refused', async () => {
  const { max_nonce_length, max_components, max_parameters } = document.policy
  const nonce = (length: number) => handMade({ params: params.replace('"n1"', `"${'x'.repeat(length)}"`) })
  expect([await codeOf(await nonce(max_nonce_length)), await codeOf(await nonce(max_nonce_length + 1))]).toEqual([
    'ok',
    'bad_nonce',
  ])
  const covered = (count: number) => {
    const extra = Array.from({ length: count - 3 }, (_, n) => [`h${n}`, 'v'] as const)
    return handMade({ lines: [...getLines, ...extra], headers: extra })
  }
  expect([await codeOf(await covered(max_components)), await codeOf(await covered(max_components + 1))]).toEqual([
    'ok',
    'malformed_signature_input',
  ])
  const withParams = (count: number) =>
    handMade({ params: params + Array.from({ length: count - 4 }, (_, n) => `;p${n}`).join('') })
  expect([await codeOf(await withParams(max_parameters)), await codeOf(await withParams(max_parameters + 1))]).toEqual([
    'parameter_not_allowed',
    'malformed_signature_input',
  ])
})

test('every refusal has a stable name and a sentence', () => {
  expect(verifyRequestCodes.length).toBeGreaterThan(25)
  for (const code of verifyRequestCodes) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    expect(verifyRequestReasons[code].length).toBeGreaterThan(15)
  }
})
