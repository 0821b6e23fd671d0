import { createBoundedCache } from './surroundings/bounded-cache.ts'
import type { PeopleAccess } from './sessions/people-access.ts'
import type { Config } from './config/config.ts'
import type { ContractWallets, NonceStore } from './dispatch/authenticate.ts'
import type { MayAskContract } from './dispatch/contract-lanes.ts'
import { createOrigins } from './sessions/origins.ts'
import { createSessionCookie } from './sessions/session-cookie.ts'
import { createSessions, type SessionDeps } from './sessions/sessions.ts'
import { keyFor } from './surroundings/key-for.ts'
import { createSignIn } from './sessions/sign-in.ts'

export type PeopleAccessDeps = {
  readonly config: Pick<Config, 'baseUrl' | 'allowedOrigins' | 'sessionHours'>
  readonly secret: string
  readonly sessions: SessionDeps['store']
  readonly nonces: NonceStore
  readonly contracts: ContractWallets
  readonly mayAskContract: MayAskContract
  readonly now: () => Date
}

/** Another process may have ended a session; this one hears of it after so long at the latest. */
const seenMs = 5_000
const maxSeen = 10_000

/** Wires how people come in: each key serves one purpose and all come from the deployment's secret. */
export function createPeopleAccess({
  config,
  secret,
  sessions,
  nonces,
  contracts,
  mayAskContract,
  now,
}: PeopleAccessDeps): PeopleAccess {
  const { baseUrl, allowedOrigins, sessionHours } = config
  return {
    origins: createOrigins(baseUrl, allowedOrigins),
    signIn: createSignIn({ key: keyFor(secret, 'sign-in text'), nonces, contracts, mayAskContract, now }),
    sessions: createSessions({
      key: keyFor(secret, 'session token'),
      baseUrl,
      cookie: createSessionCookie(baseUrl),
      hours: sessionHours,
      store: sessions,
      seen: createBoundedCache(maxSeen, seenMs),
      now,
    }),
  }
}
