import type { Address } from '../bytes.ts'
import type { VerifyRequestCode } from './codes.ts'
import { keyidPrefix, parseKeyid } from './keyid.ts'
import { limits } from './limits.ts'
import type { SignatureInput } from './signature-input.ts'

/** The rules a service sets for signed requests. */
export type SigningPolicyRules = {
  readonly authorities: readonly string[]
  readonly chains: readonly number[]
  readonly maxValiditySec: number
  readonly clockSkewSec: number
}

/** A signature's claims, checked against policy and clock. */
export type Claims = {
  readonly chainId: number
  readonly address: Address
  readonly nonce: string
  readonly created: number
  readonly expires: number
}

/** Whether a signature is of this profile; others are left alone. */
export function isCandidate(input: SignatureInput): boolean {
  const keyid = input.params.get('keyid')
  return keyid?.kind === 'string' && keyid.value.startsWith(keyidPrefix)
}

const allowedParams = new Set(['created', 'expires', 'nonce', 'keyid', 'alg'])

/** Reads and checks the parameters: account, algorithm, times, nonce. Pure and cheap. */
export function checkParams(
  input: SignatureInput,
  policy: SigningPolicyRules,
  now: number,
): Claims | { readonly code: VerifyRequestCode } {
  const keyid = input.params.get('keyid')
  const account = keyid?.kind === 'string' ? parseKeyid(keyid.value) : undefined
  if (account === undefined) return { code: 'bad_keyid' }
  if (!policy.chains.includes(account.chainId)) return { code: 'chain_not_served' }
  const alg = input.params.get('alg')
  if (alg !== undefined && (alg.kind !== 'string' || alg.value !== 'eip191')) return { code: 'alg_not_allowed' }
  for (const name of input.params.keys()) if (!allowedParams.has(name)) return { code: 'parameter_not_allowed' }
  const times = checkTimes(input, policy, now)
  if ('code' in times) return times
  const nonce = input.params.get('nonce')
  if (nonce === undefined) return { code: 'nonce_required' }
  if (nonce.kind !== 'string' || nonce.value === '' || nonce.value.length > limits.nonceChars)
    return { code: 'bad_nonce' }
  return { ...account, ...times, nonce: nonce.value }
}

/** Both ends are inclusive. Written so that a clock or a policy that is not a number refuses. */
function checkTimes(
  input: SignatureInput,
  policy: SigningPolicyRules,
  now: number,
): Pick<Claims, 'created' | 'expires'> | { readonly code: VerifyRequestCode } {
  const created = input.params.get('created')
  const expires = input.params.get('expires')
  if (
    created?.kind !== 'integer' ||
    expires?.kind !== 'integer' ||
    created.value < 0 ||
    expires.value <= created.value
  ) {
    return { code: 'bad_time' }
  }
  if (!(created.value <= now + policy.clockSkewSec)) return { code: 'not_yet_valid' }
  if (!(now <= expires.value + policy.clockSkewSec)) return { code: 'expired' }
  if (!(expires.value - created.value <= policy.maxValiditySec)) return { code: 'validity_too_long' }
  return { created: created.value, expires: expires.value }
}
