/**
 * Every reason for which a signed request is refused, with the sentence that goes with it. The sentences
 * are fixed: a refusal tells a caller which rule was broken and never what the server computed.
 */
export const verifyRequestReasons = {
  missing_headers: 'both Signature-Input and Signature are required',
  headers_too_large: 'the signature headers exceed the size limit',
  malformed_signature_input: 'Signature-Input is not a dictionary of lists of components, or repeats a part',
  malformed_signature: 'Signature is not a dictionary of byte sequences that answers Signature-Input',
  too_many_signatures: 'the request carries too many signatures',
  bad_keyid: 'no signature has a keyid of the form erc8128:<chain id>:<address>',
  authority_not_allowed: 'the request must name, in exactly one Host header, an authority this service answers for',
  malformed_request: 'the method is not a token or the target is not a normalised absolute path',
  chain_not_served: 'the chain of the keyid is not served',
  alg_not_allowed: 'alg must be absent or eip191',
  parameter_not_allowed: 'a signature parameter is not part of the policy',
  bad_time: 'created and expires must be integers, with expires after created',
  not_yet_valid: 'the signature is not valid yet',
  expired: 'the signature has expired',
  validity_too_long: 'the time from created to expires exceeds the policy',
  nonce_required: 'a nonce is required',
  bad_nonce: 'the nonce must be a string of 1 to 128 characters',
  component_not_allowed: 'a covered component is unknown, repeated, parameterised or derived otherwise',
  component_absent: 'a covered header is not in the request',
  not_request_bound: '@method, @authority, @path, with a query @query and with a body content-digest must be covered',
  header_not_covered: 'a header that changes the meaning of the request is not covered',
  digest_required: 'a request with a body needs a Content-Digest',
  malformed_digest: 'Content-Digest must be exactly one sha-256 member',
  digest_mismatch: 'Content-Digest is not that of the body',
  content_encoding_not_allowed: 'a signed body must be sent without Content-Encoding',
  bad_signature: 'the signature was not made by the account of the keyid for this request',
  replay: 'the nonce has been used',
  identity_check_unavailable: 'the contract wallet cannot be asked at the moment; send the same request again',
  nonce_store_unavailable:
    'the nonce cannot be recorded at the moment, or was and nobody knows; send the request again with a new one',
} as const

/** A stable name of a refusal. */
export type VerifyRequestCode = keyof typeof verifyRequestReasons

// Object.keys of a constant object answers exactly its declared keys.
/** All refusal codes; the two that end in `_unavailable` are 503, the rest 401. */
export const verifyRequestCodes = Object.keys(verifyRequestReasons) as readonly VerifyRequestCode[]

/** A refusal as a value. */
export type Refusal = {
  readonly ok: false
  readonly status: 401 | 503
  readonly code: VerifyRequestCode
  readonly reason: string
}

/** The refusal of a code. */
export function refusal(code: VerifyRequestCode): Refusal {
  const status = code === 'identity_check_unavailable' || code === 'nonce_store_unavailable' ? 503 : 401
  return { ok: false, status, code, reason: verifyRequestReasons[code] }
}
