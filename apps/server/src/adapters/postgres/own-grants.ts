import type { GrantLogEntry, GrantLogKind, GrantNoteStore, OwnGrant, OwnGrantStore, RevokedFor } from '@ergon/oauth'
import type { Pool } from 'pg'
import { countedAudit } from './oauth-audit.ts'
import { toGrant, type GrantRow } from './oauth-rows.ts'

type OwnGrantRow = GrantRow & {
  readonly client_name: string
  readonly redirect_uri: string
  readonly created_at: Date
  readonly code_expires_at: Date
  readonly code_used_at: Date | null
  readonly used_at: Date
  readonly expires_at: Date
  readonly revoked_at: Date | null
  readonly revoked_for: RevokedFor | null
  readonly taken: number
}

type LogRow = {
  readonly id: bigint
  readonly at: Date
  readonly kind: GrantLogKind
  readonly grant_id: string
  readonly client_name: string
  readonly detail: string | null
  readonly submission_id: string | null
  readonly cents: bigint | null
  readonly times: number
}

const ownColumns = `g.id, g.client_id, g.client_name, g.scopes, g.resource, g.wallet, g.chain_id, g.max_cents,
  g.max_count, g.redirect_uri, g.created_at, g.code_expires_at, g.code_used_at, g.used_at, g.expires_at, g.revoked_at,
  g.revoked_for, coalesce(b.taken, 0) as taken`
const ownGrantsOf = (grants: string): string =>
  `select ${ownColumns} from ${grants} g left join approval_budgets b on b.grant_id = g.id`

/** What the owner of a wallet reads of its grants; each statement names the wallet. */
export function createOwnGrantRows(pool: Pool): OwnGrantStore {
  const ask = async <R extends object>(name: string, text: string, values: readonly unknown[]): Promise<readonly R[]> =>
    (await pool.query<R>({ name, text, values: [...values] })).rows
  return {
    async grantsOf(wallet, limit, offset) {
      // What a page passes over is not joined.
      const page = `select * from oauth_grants where wallet = $1 order by created_at desc, id desc limit $2 offset $3`
      const text = `${ownGrantsOf(`(${page})`)} order by g.created_at desc, g.id desc`
      return (await ask<OwnGrantRow>('own-grants', text, [wallet, limit, offset])).map(toOwnGrant)
    },
    async countGrantsOf(wallet) {
      const text = 'select count(*) from oauth_grants where wallet = $1'
      return Number((await ask<{ count: bigint }>('own-grants-count', text, [wallet]))[0]?.count ?? 0n)
    },
    async grantOf(wallet, grantId) {
      const text = `${ownGrantsOf('oauth_grants')} where g.id = $2 and g.wallet = $1`
      const [row] = await ask<OwnGrantRow>('own-grant', text, [wallet, grantId])
      return row === undefined ? null : toOwnGrant(row)
    },
    async liveGrantsOf(wallet, now, limit) {
      const text = `select id from oauth_grants
        where wallet = $1 and created_at <= $2 and revoked_at is null and expires_at > $2
          and (code_used_at is not null or code_expires_at > $2)
        order by created_at desc limit $3`
      return (await ask<{ id: string }>('own-grants-live', text, [wallet, now, limit])).map(({ id }) => id)
    },
    async logOf(wallet, before, limit, offset) {
      const text = `select id, at, kind, grant_id, client_name, detail, submission_id, cents, times from oauth_audit
        where wallet = $1 and id < coalesce($2::bigint, 9223372036854775807) order by id desc limit $3 offset $4`
      return (await ask<LogRow>('own-grants-log', text, [wallet, before, limit, offset])).map(toLogEntry)
    },
  }
}

/** A row that another transaction holds, a revocation say, is left for the next time. */
const noteUses = `update oauth_grants g set used_at = $2 from (
    select id from oauth_grants where id = any($1) and used_at < $2::timestamptz - interval '30 seconds'
    for update skip locked) due
  where g.id = due.id`

const noteSteps = `with steps as (
    select grant_id, 'stepped_up' as kind, scope as detail, null::uuid as submission_id, null::bigint as cents
    from unnest($1::text[], $2::text[]) as s (grant_id, scope))
  ${countedAudit('steps', '$3')}`

export function createGrantNoteRows(pool: Pool): GrantNoteStore {
  return {
    async noteUses(grantIds, now) {
      await pool.query({ name: 'grants-used', text: noteUses, values: [grantIds, now] })
    },
    async noteSteps(steps, now) {
      const values = [steps.map(({ grantId }) => grantId), steps.map(({ scope }) => scope), now]
      await pool.query({ name: 'grants-stepped-up', text: noteSteps, values })
    },
  }
}

function toOwnGrant(row: OwnGrantRow): OwnGrant {
  return {
    ...toGrant(row),
    clientName: row.client_name,
    redirectUri: row.redirect_uri,
    createdAt: row.created_at,
    codeExpiresAt: row.code_expires_at,
    fetchedAt: row.code_used_at,
    usedAt: row.used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    revokedFor: row.revoked_for,
    approvals: row.taken,
  }
}

function toLogEntry({
  grant_id: grantId,
  client_name: clientName,
  submission_id: submissionId,
  ...row
}: LogRow): GrantLogEntry {
  return { ...row, grantId, clientName, submissionId }
}
