import type { PastRows } from '@ergon/process'
import { audit, audited } from './oauth-audit.ts'

const grantColumns = 'g.id, g.client_id, g.scopes, g.resource, g.wallet, g.chain_id, g.max_cents, g.max_count'
/** A token lives an hour, so a grant needs some twenty-four renewals in a day; what renews in a loop is stopped. */
const renewalsADay = 300
const isSpent = (at: string): string =>
  `(select count(*) >= ${String(renewalsADay)} from oauth_refresh_tokens o
      where o.grant_id = r.grant_id and o.used_at > ${at}::timestamptz - interval '1 day')`
const isLive = 'g.revoked_at is null and g.expires_at >'

/**
 * The statements of delegated access. Each that consumes is one conditional update: of many at once, one finds the row
 * as it was, and the others wait for it and find it used.
 */
export const oauthStatements = {
  putClient: `insert into oauth_clients (id, name, redirect_uris, created_at, used_at) values ($1, $2, $3, $4, $4)`,
  findClient: 'select id, name, redirect_uris, created_at from oauth_clients where id = $1',
  noteClient: `update oauth_clients set used_at = $2
    where id = $1 and (used_at < $2::timestamptz - interval '1 day' or used_at = created_at)`,
  putSignIn: `insert into oauth_sign_ins (rid, client_id, client_name, client_host, redirect_uri, state, scopes,
      resource, challenge, csrf_hash, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
  findSignIn: 'select * from oauth_sign_ins where rid = $1 and expires_at > $2',
  decide: `update oauth_sign_ins set outcome = $3, proof = $4, wallet = $5, chain_id = $6, granted = $7, max_cents = $8,
      max_count = $9
    where rid = $1 and expires_at > $2 and outcome = 'open'`,
  finishDenied: `update oauth_sign_ins set outcome = 'finished'
    where rid = $1 and expires_at > $2 and outcome = 'denied'`,
  finishAllowed: `with done as (
      update oauth_sign_ins set outcome = 'finished' where rid = $1 and expires_at > $2 and outcome = 'allowed'
      returning proof
    ), made as (
      insert into oauth_grants (id, client_id, client_name, wallet, chain_id, scopes, max_cents, max_count, resource,
        redirect_uri, challenge, code_hash, code_expires_at, created_at, used_at, expires_at)
      select $3, $4, $5, $6, $7, $8::text[], $9, $10, $11, $12, $13, $14, $15, $2, $2, $16 from done
      returning *
    )
    ${audit('made', '$2', "'consented'", "array_to_string(scopes, ' ') || ' by ' || (select proof from done)")}`,
  findCode: `select ${grantColumns}, g.redirect_uri, g.challenge, g.code_expires_at,
      g.code_used_at is not null as is_used, g.revoked_at is not null as is_revoked
    from oauth_grants g where g.code_hash = $1`,
  redeem: `with used as (
      update oauth_grants g set code_used_at = $2, used_at = $2
      where g.code_hash = $1 and g.code_used_at is null and g.code_expires_at > $2 and ${isLive} $2
      returning g.*
    ), kept as (
      insert into oauth_refresh_tokens (hash, grant_id, expires_at)
      select $3, id, $4 from used where $3::text is not null
    )
    ${audit('used', '$2', "'token_issued'", 'null')}`,
  rotate: `with used as (
      update oauth_refresh_tokens r set used_at = $3 from oauth_grants g
      where r.hash = $1 and r.used_at is null and r.expires_at > $3 and g.id = r.grant_id and g.client_id = $2
        and ${isLive} $3 and not ${isSpent('$3')}
      returning ${grantColumns}, g.client_name
    ), kept as (
      insert into oauth_refresh_tokens (hash, grant_id, expires_at) select $4, id, $5 from used
    ), noted as (
      update oauth_grants g set used_at = $3 from used where g.id = used.id
    ), told as (${audited('used', '$3', "'token_renewed'")})
    select * from used`,
  findRefresh: `select r.grant_id, g.client_id, g.scopes, r.used_at is not null as is_used,
      r.used_at is null and r.expires_at > $2 and ${isLive} $2 and ${isSpent('$2')} as is_spent
    from oauth_refresh_tokens r join oauth_grants g on g.id = r.grant_id where r.hash = $1`,
  revoke: `with ended as (
      update oauth_grants set revoked_at = $3, revoked_for = $2 where id = $1 and revoked_at is null returning *
    ), taken_back as (
      update standing_warrants set taken_back_due = now() where grant_id = $1 and taken_back_due is null
    )
    ${audit('ended', '$3', "'revoked'", '$2')}`,
  isLive: `select 1 from oauth_grants g where g.id = $1 and ${isLive} $2`,
  epochs: `select epoch, signs_from, shown_until from oauth_signing_epochs
    where shown_until is null or shown_until > $1 order by epoch limit 16`,
  newEpoch: `with next as (
      insert into oauth_signing_epochs (epoch, signs_from) select max(epoch) + 1, $1 from oauth_signing_epochs
      returning epoch
    )
    update oauth_signing_epochs e set shown_until = $2 from next where e.epoch < next.epoch and e.shown_until is null
    returning next.epoch`,
} as const

/** What is over, by a moment. Tokens first: a grant that is deleted would take all of its own along in one step. */
export const oauthPast: readonly PastRows[] = [
  { table: 'oauth_sign_ins', where: 'expires_at < $2', order: 'expires_at' },
  { table: 'oauth_refresh_tokens', where: 'expires_at < $2', order: 'expires_at' },
  {
    table: 'oauth_grants',
    where: `expires_at < $2::timestamptz - interval '30 days'
      and not exists (select from oauth_refresh_tokens r where r.grant_id = oauth_grants.id)`,
    order: 'expires_at',
  },
  {
    table: 'oauth_grants',
    where: "code_used_at is null and code_expires_at < $2::timestamptz - interval '1 day'",
    order: 'code_expires_at',
  },
  {
    table: 'oauth_clients',
    where: "used_at = created_at and created_at < $2::timestamptz - interval '1 day'",
    order: 'created_at',
  },
  { table: 'oauth_clients', where: "used_at < $2::timestamptz - interval '180 days'", order: 'used_at' },
  { table: 'oauth_audit', where: "at < $2::timestamptz - interval '400 days'", order: 'at' },
  { table: 'oauth_signing_epochs', where: 'shown_until < $2', order: 'shown_until' },
]
