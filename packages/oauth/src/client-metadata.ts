import { OAuthError } from './oauth-error.ts'
import { redirectFault } from './redirects.ts'

const most = { nameChars: 120, redirects: 20 }
/** Control characters, line breaks of every kind, and what turns the direction of a line round. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u

export type ClientMetadata = { readonly name: string; readonly redirectUris: readonly string[] }

/**
 * Reads the fields of a client that count here (RFC 7591 §2). Others are left aside, whatever they ask: clients are
 * public, grants and response types are those of the authorization-server metadata.
 * @throws OAuthError invalid_client_metadata, invalid_redirect_uri
 */
export function readClientMetadata(fields: Readonly<Record<string, unknown>>): ClientMetadata {
  return { name: readName(fields['client_name']), redirectUris: readRedirects(fields['redirect_uris']) }
}

function readName(given: unknown): string {
  if (typeof given !== 'string' || given.trim() === '')
    throw new OAuthError('invalid_client_metadata', 'client_name must be a text')
  if (given.length > most.nameChars)
    throw new OAuthError('invalid_client_metadata', `client_name is longer than ${String(most.nameChars)} characters`)
  if (unseen.test(given))
    throw new OAuthError('invalid_client_metadata', 'client_name holds a line break or another unseen character')
  return given.trim()
}

function readRedirects(given: unknown): readonly string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > most.redirects)
    throw new OAuthError('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${String(most.redirects)} URLs`)
  for (const one of given as readonly unknown[]) {
    if (typeof one !== 'string') throw new OAuthError('invalid_redirect_uri', 'a redirect URI must be a text')
    const fault = redirectFault(one)
    if (fault !== undefined) throw new OAuthError('invalid_redirect_uri', `a redirect URI ${fault}`)
  }
  return given as readonly string[] // each was looked at above
}
