import { writes, type Operation } from './operation.ts'
import type { OAuthScope } from './vocabulary.ts'

/** Scopes that are for the wallet's own key: no delegated token carries them (spec §5, OAuth 7). */
export const nonBearerScopes = [
  'worker:submit',
  'worker:withdraw',
  'reputation:rate',
] as const satisfies readonly OAuthScope[]

/** Parts of the REST surface whose operations take no delegated token, whatever it carries (spec §5, OAuth 7). */
export const bearerClosedDoors = ['escrow', 'account', 'disputes', 'evidence', 'reputation', 'admin', 'h2a'] as const

/**
 * What a delegated token needs to call an operation: a scope; `token`, where any good token will do; `refused`, where
 * none will.
 */
export type BearerNeed = OAuthScope | 'token' | 'refused'

/** Derived from the access and the routes of an operation, so that every operation has an answer. */
export function bearerNeed(definition: Pick<Operation, 'access' | 'rest' | 'resend'>): BearerNeed {
  const { access } = definition
  if (access.by === 'session' || access.by === 'admin' || isBehindClosedDoor(definition)) return 'refused'
  const { scope } = access
  if (scope === null || nonBearerScopes.some((one) => one === scope)) return 'refused'
  // Whoever is let in unsigned gives nothing away by reading; what writes names its scope.
  return scope ?? (writes(definition) ? 'refused' : 'token')
}

/** An operation with a route outside is reached by that one. */
function isBehindClosedDoor({ rest }: Pick<Operation, 'rest'>): boolean {
  return rest.length > 0 && rest.every(({ path }) => bearerClosedDoors.some((door) => door === familyOf(path)))
}

/** The first word below the version: `/api/v1/escrow/{task_id}` is of `escrow`. */
const familyOf = (path: string): string | undefined => path.split('/')[3]
