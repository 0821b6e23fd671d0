import type { Principal } from './authenticate.ts'
import type { CheckDeps } from './checks/check.ts'
import { headerOf } from './plan.ts'
import { isRead, type RawRequest } from './request.ts'

type People = Pick<CheckDeps, 'people' | 'accounts'>

/**
 * Whose page asks. A browser sends the cookie with a link that a foreign page follows too, and some reads leave a mark:
 * such a request carries no session, as if the cookie had never been sent (decision 0090).
 */
export async function personBehind(deps: People, request: RawRequest): Promise<Principal | null> {
  if (isLedByForeignPage(deps, request)) return null
  const person = await deps.people.read(request)
  if (person === null) return null
  await deps.accounts.check(person)
  return { wallet: person.wallet, proof: person.proof, via: 'session', consumeNonce: () => Promise.resolve() }
}

/** Every browser says where a request began; programs, and addresses that were typed, say nothing or `none`. */
function isLedByForeignPage({ people }: People, request: RawRequest): boolean {
  const site = headerOf(request, 'sec-fetch-site')
  if (!isRead(request) || site === undefined || site === 'same-origin' || site === 'none') return false
  return !people.allows(headerOf(request, 'origin'))
}
