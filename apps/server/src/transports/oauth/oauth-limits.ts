import { demand } from '../../dispatch/limits.ts'
import { createRateLimiter, type RateLimiter } from '../../dispatch/rate-limit.ts'

type Budget = { readonly ofAddress: RateLimiter; readonly inAll: RateLimiter }

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
  /** Counts one question to an external signer, which may ring at the owner of a wallet. @throws RATE_LIMITED */
  demandLinked(address: string, wallet: string, now: number): void
}

/** Questions to an external signer in ten minutes, of an address and about a wallet: a person asks by hand. */
const askedOf = 20
const tenMinutesMs = 600_000

/** Counters of this process; none where requests without a signature have no limit. */
export function createOAuthLimits(isLimited: () => boolean): OAuthLimits {
  const limited = (most: number): RateLimiter => createRateLimiter(() => (isLimited() ? most : 0), 60_000)
  const all = Object.fromEntries(
    Object.entries(budgets).map(([name, { ofAddress, inAll }]): [string, Budget] => [
      name,
      { ofAddress: limited(ofAddress), inAll: limited(inAll) },
    ]),
  ) as Readonly<Record<OAuthBudget, Budget>> // the names of the table above
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
      const own = all[budget].ofAddress.take(address, now)
      const verdict = own.allowed ? all[budget].inAll.take('all', now) : own
      return verdict.allowed ? 0 : Math.max(1, Math.ceil((verdict.resetAt - now) / 1_000))
    },
  }
}
