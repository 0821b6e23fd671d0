import type { SigningPolicyRules } from './candidate.ts'
import { coveredWhenPresent } from './coverage.ts'
import { limits } from './limits.ts'

/**
 * The policy document a service publishes; it states what {@link verifyRequest} enforces and outranks any
 * example (spec §5.2).
 */
export function signingPolicy(
  policy: SigningPolicyRules,
  links: { readonly nonceEndpoint?: string; readonly documentation?: string } = {},
) {
  return {
    supported: true,
    version: '1',
    supported_chains: [...policy.chains],
    authorities: [...policy.authorities],
    account_verification: 'eoa+erc1271',
    signing: {
      algorithm: 'EIP-191',
      alg: 'eip191',
      alg_required: false,
      signature_format:
        '65 bytes r||s||v in base64, low s, v 27 or 28; other forms are asked of the account as ERC-1271',
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
      max_validity_sec: policy.maxValiditySec,
      clock_skew_sec: policy.clockSkewSec,
      require_request_bound: true,
      require_nonce: true,
      max_nonce_length: limits.nonceChars,
      max_signatures: limits.candidates,
      max_components: limits.components,
      max_parameters: limits.parameters,
      max_signature_input_chars: limits.signatureInputChars,
      max_signature_chars: limits.signatureChars,
    },
    ...(links.nonceEndpoint === undefined ? {} : { nonce_endpoint: links.nonceEndpoint }),
    ...(links.documentation === undefined ? {} : { documentation: links.documentation }),
  } as const
}
