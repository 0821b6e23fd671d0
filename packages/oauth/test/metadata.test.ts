import { expect, test } from 'vitest'
import { authorizationServerMetadata, hostResourceMetadata, toolResourceMetadata } from '../src/metadata.ts'
import { issuer, rules } from './bench.ts'

const places = { issuer, toolHost: 'https://mcp.market.example' }
const scopes = ['task:read', 'task:write', 'task:cancel', 'worker:apply', 'agent:publish', 'agent:approve']

test('the authorization server is described as RFC 8414 has it', () => {
  expect(authorizationServerMetadata(places, rules)).toEqual({
    issuer: 'https://market.example',
    authorization_endpoint: 'https://market.example/oauth/authorize',
    token_endpoint: 'https://market.example/oauth/token',
    registration_endpoint: 'https://market.example/oauth/register',
    revocation_endpoint: 'https://market.example/oauth/revoke',
    jwks_uri: 'https://market.example/oauth/jwks',
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    ui_locales_supported: ['en', 'es'],
  })
})

test('the tools, and their host as one, are described as RFC 9728 has it', () => {
  const common = {
    authorization_servers: ['https://market.example'],
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
  }
  expect(toolResourceMetadata(places, rules)).toEqual({ resource: 'https://mcp.market.example/mcp', ...common })
  expect(hostResourceMetadata(places, rules)).toEqual({ resource: 'https://mcp.market.example', ...common })
})
