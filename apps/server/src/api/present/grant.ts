import type { OAuthScope, Operations, OutputOf } from '@ergon/contract'
import type { GrantLogEntry, OwnGrantView } from '@ergon/oauth'
import { caip10 } from '@ergon/protocols'
import { instant } from './instant.ts'

export function presentGrant(grant: OwnGrantView): OutputOf<Operations['grants.revoke']> {
  const { capLeft, fetchedAt } = grant
  return {
    grant_id: grant.id,
    state: grant.state,
    client_id: grant.clientId,
    client_name: grant.clientName,
    client_host: grant.clientHost,
    redirect_host: grant.redirectHost,
    account: caip10(grant.chainId, grant.address),
    scopes: grant.scopes as OAuthScope[], // our own rules let no other word into a grant
    approvals:
      capLeft === null
        ? null
        : {
            max_usd: dollarsOf(capLeft.maxCents),
            max_count: capLeft.maxCount,
            left: capLeft.left,
            until: capLeft.until === null ? null : instant(capLeft.until),
          },
    created_at: instant(grant.createdAt),
    last_used_at: fetchedAt === null ? null : instant(grant.usedAt),
    expires_at: instant(grant.expiresAt),
    revoked_at: grant.revokedAt === null ? null : instant(grant.revokedAt),
    revoked_for: grant.revokedFor,
  }
}

export function presentGrantLog(entry: GrantLogEntry): OutputOf<Operations['grants.log']>['entries'][number] {
  return {
    at: instant(entry.at),
    kind: entry.kind,
    grant_id: entry.grantId,
    client_name: entry.clientName,
    detail: entry.detail,
    submission_id: entry.submissionId,
    amount_usd: entry.cents === null ? null : dollarsOf(entry.cents),
    times: entry.times,
  }
}

/** An edge of the wire, where an amount becomes a number: exact, for cents are at most seven digits here. */
const dollarsOf = (cents: bigint): number => Number(cents) / 100
