import { bytesToHex } from '../bytes.ts'
import { fastKeccakLoaded, loadFastKeccak } from '../keccak.ts'
import { hashMessage, recoverAddress } from '../secp256k1.ts'
import { checkParams, isCandidate, type Claims, type SigningPolicyRules } from './candidate.ts'
import { refusal, type VerifyRequestCode } from './codes.ts'
import { checkDigest } from './content-digest.ts'
import { missingCoverage } from './coverage.ts'
import { limits } from './limits.ts'
import {
  collectFields,
  servedAuthority,
  splitRequest,
  type Fields,
  type RequestParts,
  type VerifyRequestMessage,
} from './message.ts'
import { signatureBase } from './signature-base.ts'
import { parseSignatures } from './signature-bytes.ts'
import { parseSignatureInput, type SignatureInput } from './signature-input.ts'

/** What a verification depends on beside the message. */
export type VerifyRequestOptions = {
  readonly policy: SigningPolicyRules
  /** Unix seconds; fractions are allowed. */
  readonly now: number
  readonly nonces: {
    /**
     * Records a nonce and answers whether it was new. A store keeps it while `now <= expiresAt` (unix
     * seconds). `createdAt`, unix seconds, is when the signature says it was made: a store that has lost nonces since
     * cannot tell. Throwing means that: the request is refused with 503.
     */
    consume(key: string, expiresAt: number, createdAt: number): Promise<boolean>
  }
  readonly contracts: {
    /** ERC-1271 on the account's chain. Throwing means the chain cannot be asked: 503. */
    isValidSignature(call: { chainId: number; address: string; hash: string; signature: string }): Promise<boolean>
  }
}
/**
 * The account that signed, or why the request is refused. `byKey`: the key of the address signed, which is the same
 * account on every chain; otherwise the contract that is there on the chain of the keyid said so.
 */
export type VerifyRequestResult =
  | { readonly ok: true; readonly chainId: number; readonly address: string; readonly byKey: boolean }
  | { readonly ok: false; readonly status: 401 | 503; readonly code: string; readonly reason: string }

type Candidate = { readonly input: SignatureInput; readonly signature: Uint8Array }
type Checked = {
  readonly claims: Claims
  readonly digest: Uint8Array
  readonly signature: Uint8Array
  readonly byKey: boolean
}
type Failure = { readonly code: VerifyRequestCode }

/**
 * Verifies a wallet-signed request (RFC 9421, ERC-8128; spec §5.1, §5.2). Never throws. The checks run from
 * free to costly and the nonce is consumed last, only by a request that has passed everything else: a forged
 * request burns nobody's nonce, and a 503 can be answered by sending the same request again.
 */
export async function verifyRequest(
  message: VerifyRequestMessage,
  options: VerifyRequestOptions,
): Promise<VerifyRequestResult> {
  try {
    if (!fastKeccakLoaded()) await loadFastKeccak()
    const candidates = readCandidates(message)
    if ('code' in candidates) return refusal(candidates.code)
    const parts = readParts(message, candidates.fields, options.policy)
    if ('code' in parts) return refusal(parts.code)
    return await decide(candidates.list, parts, message.body, options)
  } catch {
    // Only a message or an option of a foreign shape ends here; it proves nothing about its sender.
    return refusal('malformed_request')
  }
}

function readCandidates(
  message: VerifyRequestMessage,
): { readonly list: readonly Candidate[]; readonly fields: Fields } | Failure {
  const fields = collectFields(message.headers)
  const inputText = fields.values.get('signature-input')
  const signatureText = fields.values.get('signature')
  if (inputText === undefined || signatureText === undefined) return { code: 'missing_headers' }
  if (inputText.length > limits.signatureInputChars || signatureText.length > limits.signatureChars) {
    return { code: 'headers_too_large' }
  }
  const inputs = parseSignatureInput(inputText)
  if (inputs === undefined) return { code: 'malformed_signature_input' }
  const signatures = parseSignatures(signatureText)
  if (signatures === undefined) return { code: 'malformed_signature' }
  const list: Candidate[] = []
  for (const input of inputs.filter(isCandidate)) {
    const signature = signatures.get(input.label)
    if (signature === undefined || signature.length === 0) return { code: 'malformed_signature' }
    list.push({ input, signature })
  }
  if (list.length === 0) return { code: 'bad_keyid' }
  return list.length > limits.candidates ? { code: 'too_many_signatures' } : { list, fields }
}

function readParts(message: VerifyRequestMessage, fields: Fields, policy: SigningPolicyRules): RequestParts | Failure {
  const authority = servedAuthority(fields, policy.authorities)
  return authority === undefined ? { code: 'authority_not_allowed' } : splitRequest(message, fields, authority)
}

/** Keys first, for all candidates; a contract is asked only when no key has answered. */
async function decide(
  candidates: readonly Candidate[],
  parts: RequestParts,
  body: Uint8Array,
  options: VerifyRequestOptions,
): Promise<VerifyRequestResult> {
  let failure: VerifyRequestCode | undefined
  const unproven: Checked[] = []
  const bodyFault = once(() => checkDigest(parts, body))
  for (const candidate of candidates) {
    const checked = checkCandidate(candidate, parts, bodyFault, options)
    if ('code' in checked) failure ??= checked.code
    else if (checked.byKey) return consumeNonce(checked, options)
    else unproven.push(checked)
  }
  for (const checked of unproven) {
    const answer = await askContract(checked, options)
    if (answer === undefined) return refusal('identity_check_unavailable')
    if (answer) return consumeNonce(checked, options)
    failure ??= 'bad_signature'
  }
  return refusal(failure ?? 'bad_signature')
}

type BodyFault = () => VerifyRequestCode | undefined

/** The body is hashed at most once, and only after a candidate has passed the cheaper checks. */
function once(check: BodyFault): BodyFault {
  let known: { readonly fault: VerifyRequestCode | undefined } | undefined
  return () => (known ??= { fault: check() }).fault
}

function checkCandidate(
  candidate: Candidate,
  parts: RequestParts,
  bodyFault: BodyFault,
  options: VerifyRequestOptions,
): Checked | Failure {
  const { input, signature } = candidate
  const claims = checkParams(input, options.policy, options.now)
  if ('code' in claims) return claims
  const uncovered = missingCoverage(input.components, parts)
  if (uncovered !== undefined) return { code: uncovered }
  const base = signatureBase(input, parts)
  if (typeof base !== 'string') return base
  const fault = bodyFault()
  if (fault !== undefined) return { code: fault }
  const digest = hashMessage(base)
  return { claims, digest, signature, byKey: recoverAddress(digest, signature) === claims.address }
}

async function askContract(checked: Checked, options: VerifyRequestOptions): Promise<boolean | undefined> {
  const { chainId, address } = checked.claims
  const call = { chainId, address, hash: bytesToHex(checked.digest), signature: bytesToHex(checked.signature) }
  try {
    return (await options.contracts.isValidSignature(call)) === true
  } catch {
    return undefined
  }
}

/** The key is canonical, so that one nonce has one entry whatever the case of the keyid. */
async function consumeNonce({ claims, byKey }: Checked, options: VerifyRequestOptions): Promise<VerifyRequestResult> {
  const { chainId, address, nonce, created, expires } = claims
  try {
    const key = `${chainId}:${address}:${nonce}`
    const isNew = await options.nonces.consume(key, expires + options.policy.clockSkewSec, created)
    return isNew === true ? { ok: true, chainId, address, byKey } : refusal('replay')
  } catch {
    return refusal('nonce_store_unavailable')
  }
}
