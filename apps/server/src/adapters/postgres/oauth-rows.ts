import type { CodeGrant, Grant, Outcome, RegisteredClient, SignIn } from '@ergon/oauth'
import { lowerAddress } from '@ergon/protocols'

export type ClientRow = { id: string; name: string; redirect_uris: string[]; created_at: Date }

export type ChoiceRow = {
  wallet: string | null
  chain_id: bigint | null
  max_cents: bigint | null
  max_count: number | null
}

export type SignInRow = ChoiceRow & {
  rid: string
  client_id: string
  client_name: string
  client_host: string | null
  redirect_uri: string
  state: string | null
  scopes: string[]
  resource: string
  challenge: string
  csrf_hash: string
  expires_at: Date
  outcome: 'open' | 'denied' | 'allowed' | 'finished'
  proof: string | null
  granted: string[] | null
}

export type GrantRow = ChoiceRow & { id: string; client_id: string; scopes: string[]; resource: string }

export type CodeRow = GrantRow & {
  redirect_uri: string
  challenge: string
  code_expires_at: Date
  is_used: boolean
  is_revoked: boolean
}

export function toClient({
  id,
  name,
  redirect_uris: redirectUris,
  created_at: createdAt,
}: ClientRow): RegisteredClient {
  return { id, name, redirectUris, createdAt }
}

export function toSignIn(row: SignInRow): SignIn {
  return {
    rid: row.rid,
    clientId: row.client_id,
    clientName: row.client_name,
    clientHost: row.client_host,
    redirectUri: row.redirect_uri,
    state: row.state,
    scopes: row.scopes,
    resource: row.resource,
    challenge: row.challenge,
    csrfHash: row.csrf_hash,
    expiresAt: row.expires_at,
    outcome: toOutcome(row),
  }
}

function toOutcome(row: SignInRow): Outcome {
  if (row.outcome !== 'allowed') return { kind: row.outcome }
  const by = row.proof === 'remembered' ? 'remembered' : 'signature'
  return { kind: 'allowed', by, ...toAccount(row), scopes: row.granted ?? [] }
}

function toAccount({ wallet, chain_id: chainId, max_cents: maxCents, max_count: maxCount }: ChoiceRow) {
  return {
    // Written by this store, which takes addresses alone.
    address: lowerAddress(wallet ?? ''),
    chainId: Number(chainId),
    limits: maxCents === null || maxCount === null ? null : { maxCents, maxCount },
  }
}

export function toGrant(row: GrantRow): Grant {
  return { id: row.id, clientId: row.client_id, scopes: row.scopes, resource: row.resource, ...toAccount(row) }
}

export function toCodeGrant(row: CodeRow): CodeGrant {
  return {
    ...toGrant(row),
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    codeExpiresAt: row.code_expires_at,
    isUsed: row.is_used,
    isRevoked: row.is_revoked,
  }
}
