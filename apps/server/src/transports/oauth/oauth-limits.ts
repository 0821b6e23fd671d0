import { demand } from '../../dispatch/limits.ts'
import { createCrowdLimiter, type CrowdLimiter } from '../../dispatch/crowd-limiter.ts'
import { createRateLimiter } from '../../dispatch/rate-limit.ts'

/** Requests a minute, of an address and of all: hosts in a cloud share few addresses, so tokens have the most room. */
const budgets = {
  register: { ofAddress: 20, inAll: 300 },
  authorize: { ofAddress: 60, inAll: 1_200 },
  consent: { ofAddress: 120, inAll: 3_000 },
  delivery: { ofAddress: 60, inAll: 1_200 },
  token: { ofAddress: 600, inAll: 12_000 },
} as const
export type OAuthBudget = keyof typeof budgets

export type OAuthLimits = {
  /** Counts one request; the seconds to wait when there is no room for it, else 0. */
  take(budget: OAuthBudget, address: string, now: number): number
  /** A token was given to who asks from there: for a day newcomers are not in the way of such an address. */
  noteProven(address: string, now: number): void
  /** Counts one question to an external signer, which may ring at the owner of a wallet. @throws RATE_LIMITED */
  demandLinked(address: string, wallet: string, now: number): void
}

const dayMs = 86_400_000

/** Questions to an external signer in ten minutes, of an address and about a wallet: a person asks by hand. */
const askedOf = 20
const tenMinutesMs = 600_000

/** Counters of this process; none where requests without a signature have no limit. */
export function createOAuthLimits(isLimited: () => boolean): OAuthLimits {
  const all = Object.fromEntries(
    Object.entries(budgets).map(([name, limits]): [string, CrowdLimiter] => [
      name,
      createCrowdLimiter(limits, { windowMs: 60_000, isLimited }),
    ]),
  ) as Readonly<Record<OAuthBudget, CrowdLimiter>> // the names of the table above
  /** A mark lasts for a day: who has one has no more to take. */
  const proven = createRateLimiter(1, dayMs)
  // Anybody may type any wallet, so its owner is asked few times, whoever asks.
  const linkedOf = {
    address: createRateLimiter(askedOf, tenMinutesMs),
    wallet: createRateLimiter(askedOf, tenMinutesMs),
  }
  return {
    demandLinked(address, wallet, now) {
      demand(linkedOf.address.take(address, now), now)
      demand(linkedOf.wallet.take(wallet, now), now)
    },
    take(budget, address, now) {
      const isProven = proven.peek(address, now).remaining === 0
      const verdict = isProven ? all[budget].takeProven(address, now) : all[budget].take(address, now)
      return verdict.allowed ? 0 : Math.max(1, Math.ceil((verdict.resetAt - now) / 1_000))
    },
    noteProven(address, now) {
      proven.take(address, now)
    },
  }
}
