import { hash, randomBytes } from 'node:crypto'
import type pg from 'pg'

export const clientId = 'bench'
const wallet = '0x00000000000000000000000000000000000000b1'
const scopes = ['task:read', 'task:write', 'task:cancel', 'worker:apply', 'agent:publish']

/** So many grants, each with a refresh token that was never used; answers the tokens. */
export async function seedGrants(database: pg.Client, resource: string, count: number): Promise<readonly string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const hashes = tokens.map((token) => hash('sha256', token, 'base64url'))
  await database.query(
    `with grants as (
      insert into oauth_grants (id, client_id, client_name, wallet, chain_id, scopes, resource, redirect_uri, challenge,
        code_hash, code_expires_at, code_used_at, created_at, used_at, expires_at)
      select 'grant ' || h, $2, 'Bench', $3, 31337, $4, $5, 'https://tool.example/cb', 'c', 'code ' || h,
        now(), now(), now(), now(), now() + interval '180 days' from unnest($1::text[]) h
      returning id
    ) insert into oauth_refresh_tokens (hash, grant_id, expires_at)
      select h, 'grant ' || h, now() + interval '30 days' from unnest($1::text[]) h`,
    [hashes, clientId, wallet, scopes, resource],
  )
  return tokens
}

export const refreshForm = (token: string): string =>
  new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token }).toString()
