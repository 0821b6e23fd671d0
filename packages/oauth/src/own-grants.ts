import type { Address } from '@ergon/protocols'
import { tokenSec } from './access-token.ts'
import { namesDocument } from './client-documents.ts'
import type { ApprovalLimits, Clock, GrantLogEntry, OAuthStore, OwnGrant, OwnGrantStore } from './ports.ts'
import { redirectHost } from './redirects.ts'

/**
 * `live`: its tokens are good. `waiting`: allowed, and its code can still be redeemed; `unused`: it never was.
 * `expired` and `revoked` are over.
 */
export type GrantState = 'live' | 'waiting' | 'unused' | 'expired' | 'revoked'

export type OwnGrantView = OwnGrant & {
  readonly state: GrantState
  /** Host of the client's document; null for a registered client, whose name nobody vouches for. */
  readonly clientHost: string | null
  readonly redirectHost: string
  /** What it may still release: `left` approvals until then; null where it approves nothing. */
  readonly capLeft: (ApprovalLimits & { readonly left: number; readonly until: Date | null }) | null
}

export type OwnGrants = {
  list(
    wallet: Address,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly OwnGrantView[]; readonly total: number; readonly hasMore: boolean }>
  /** The grant as it is now; null where the wallet has none of that name. What is over is left as it is. */
  revoke(wallet: Address, grantId: string): Promise<OwnGrantView | null>
  /** Ends what was given until now; answers how many that were. */
  revokeAll(wallet: Address): Promise<number>
  /** Newest first; `next` is where the following page begins. */
  log(
    wallet: Address,
    page: { readonly limit: number; readonly offset: number; readonly before: bigint | null },
  ): Promise<{ readonly rows: readonly GrantLogEntry[]; readonly next: bigint | null }>
}

export type OwnGrantsDeps = { readonly store: OwnGrantStore & Pick<OAuthStore, 'revoke'>; readonly now: Clock }

/** So many are looked up at a time when all are taken back. */
const batch = 100

/** What the owner of a wallet sees of tools and takes back (spec §5, OAuth 6 and 9). */
export function createOwnGrants({ store, now }: OwnGrantsDeps): OwnGrants {
  return {
    async list(wallet, { limit, offset }) {
      const [rows, total] = await Promise.all([store.grantsOf(wallet, limit + 1, offset), store.countGrantsOf(wallet)])
      const at = now()
      return { rows: rows.slice(0, limit).map((one) => viewOf(one, at)), total, hasMore: rows.length > limit }
    },
    async revoke(wallet, grantId) {
      const found = await store.grantOf(wallet, grantId)
      if (found === null) return null
      const at = now()
      if (!isOver(stateOf(found, at))) await store.revoke(grantId, 'revoked_by_owner', at)
      const after = (await store.grantOf(wallet, grantId)) ?? found
      return viewOf(after, at)
    },
    async revokeAll(wallet) {
      // Whoever consents meanwhile is not waited for, so this comes to an end.
      const at = now()
      let ended = 0
      for (;;) {
        const ids = await store.liveGrantsOf(wallet, at, batch)
        for (const id of ids) await store.revoke(id, 'revoked_by_owner', at)
        ended += ids.length
        if (ids.length < batch) return ended
      }
    },
    async log(wallet, { limit, offset, before }) {
      const rows = await store.logOf(wallet, before, limit + 1, before === null ? offset : 0)
      const shown = rows.slice(0, limit)
      return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
    },
  }
}

/** What a grant is at that moment; taken back comes before everything else. */
export function stateOf(grant: OwnGrant, at: Date): GrantState {
  if (grant.revokedAt !== null) return 'revoked'
  if (grant.expiresAt <= at) return 'expired'
  if (grant.fetchedAt !== null) return 'live'
  return grant.codeExpiresAt > at ? 'waiting' : 'unused'
}

const isOver = (state: GrantState): boolean => state === 'revoked' || state === 'expired' || state === 'unused'

function viewOf(grant: OwnGrant, at: Date): OwnGrantView {
  const state = stateOf(grant, at)
  return {
    ...grant,
    state,
    clientHost: namesDocument(grant.clientId) ? new URL(grant.clientId).host : null,
    redirectHost: redirectHost(grant.redirectUri),
    capLeft: grant.limits === null ? null : { ...grant.limits, ...capLeft(grant, grant.limits, state, at) },
  }
}

/** One token approves, for 15 minutes from when it was fetched: no refresh renews that (spec §5, OAuth 9). */
function capLeft(
  { fetchedAt, approvals }: OwnGrant,
  { maxCount }: ApprovalLimits,
  state: GrantState,
  at: Date,
): { readonly left: number; readonly until: Date | null } {
  const until = fetchedAt === null ? null : new Date(fetchedAt.getTime() + tokenSec.approving * 1_000)
  const isPast = isOver(state) || (until !== null && until <= at)
  return { left: isPast ? 0 : Math.max(0, maxCount - approvals), until }
}
