import type { Call } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'

/** Whether whoever opened a stream may be told more of it; asked before everything that it is told. */
export type Stays = () => Promise<boolean>

export type StaysDeps = Pick<ApiDeps, 'now'> & {
  readonly live: Pick<ApiDeps['live'], 'isBanned'>
  readonly people: { readonly sessions: Pick<ApiDeps['people']['sessions'], 'read'> }
}

/** As often as a silent stream gives a sign of life. */
const sessionMs = 15_000

/**
 * A ban ends what was open before it (decision 0057), and so does the end of the session that opened it (decision
 * 0048). Sessions that nobody can look up just now end nothing.
 */
export function staysOf(deps: StaysDeps, { caller, request }: Pick<Call, 'caller' | 'request'>): Stays {
  if (caller.kind !== 'wallet') return () => Promise.resolve(true)
  const { wallet, via } = caller
  const isLetIn = (): boolean => !deps.live.isBanned(wallet)
  if (via !== 'session') return () => Promise.resolve(isLetIn())
  let askedAt = deps.now().getTime()
  return async () => {
    const at = deps.now().getTime()
    if (!isLetIn() || at - askedAt < sessionMs) return isLetIn()
    askedAt = at
    return deps.people.sessions.read(request).then(
      (session) => session !== null,
      () => true,
    )
  }
}
