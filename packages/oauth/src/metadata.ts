import { audienceOf, type Places } from './resource.ts'
import type { ScopeRules } from './scope-rules.ts'

type Document = Readonly<Record<string, unknown>>

/** What the authorization server is and can (RFC 8414). */
export function authorizationServerMetadata({ issuer }: Places, rules: ScopeRules): Document {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/oauth/jwks`,
    scopes_supported: bearerScopes(rules),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    ui_locales_supported: ['en', 'es'],
  }
}

/** The tool endpoint as a protected resource (RFC 9728). */
export function toolResourceMetadata(places: Places, rules: ScopeRules): Document {
  return resourceMetadata(audienceOf(places), places, rules)
}

/** The host of the tools as one; its tokens are those of the tool endpoint. */
export function hostResourceMetadata(places: Places, rules: ScopeRules): Document {
  return resourceMetadata(places.toolHost, places, rules)
}

function resourceMetadata(resource: string, { issuer }: Places, rules: ScopeRules): Document {
  return {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: bearerScopes(rules),
  }
}

function bearerScopes({ basic, approve }: ScopeRules): readonly string[] {
  return [...basic, approve]
}
