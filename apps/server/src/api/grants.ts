import { emptyPage, MarketError } from '@ergon/core'
import type { OwnGrants } from '@ergon/oauth'
import { lowerAddress } from '@ergon/protocols'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { presentGrant, presentGrantLog } from './present/grant.ts'
import { sliceFields, sliceOf } from './present/page.ts'

/** What a wallet let tools do, read and taken back by its owner (spec §5, OAuth; decision 0131). */
export function createGrantHandlers({ ownGrants }: Pick<ApiDeps, 'ownGrants'>): HandlersOf<'grants'> {
  const rail = (): OwnGrants => {
    if (ownGrants === null) throw new MarketError('FEATURE_DISABLED')
    return ownGrants
  }
  return {
    'grants.list': async ({ caller }, input) => {
      const { limit, offset } = sliceOf(input)
      if (caller.kind === 'anonymous') return done({ grants: [], ...sliceFields(emptyPage({ offset })) })
      const { rows, total, hasMore } = await rail().list(lowerAddress(caller.wallet), { limit, offset })
      return done({ grants: rows.map(presentGrant), total, count: rows.length, offset, has_more: hasMore })
    },
    'grants.revoke': async ({ caller }, input) => {
      const grant = await rail().revoke(lowerAddress(caller.wallet), input.grant_id)
      if (grant === null) throw new MarketError('GRANT_NOT_FOUND', { grant_id: input.grant_id })
      return done(presentGrant(grant))
    },
    'grants.revokeAll': async ({ caller }) => done({ revoked: await rail().revokeAll(lowerAddress(caller.wallet)) }),
    'grants.log': async ({ caller }, { cursor, ...slice }) => {
      const { limit, offset } = sliceOf(slice)
      const before = cursor === undefined ? null : BigInt(cursor)
      const { rows, next } =
        caller.kind === 'anonymous'
          ? { rows: [], next: null }
          : await rail().log(lowerAddress(caller.wallet), { limit, offset, before })
      return done({
        entries: rows.map(presentGrantLog),
        count: rows.length,
        offset,
        has_more: next !== null,
        next_cursor: next === null ? null : String(next),
      })
    },
  }
}
