export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'access_denied'
  | 'temporarily_unavailable'

/**
 * What a client did wrong, in a code of RFC 6749, 7591 or 8707 and a sentence for whoever develops it. The sentence
 * is plain ASCII without quotation marks (RFC 6749 §5.2), and repeats nothing that was sent.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, description: string, cause?: unknown) {
    super(description, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
