import { addressKey } from '@ergon/protocols'
import { filterData, type SavedFilter, type SavedSearch } from '@ergon/core'
import type { InputOf, Operations } from '@ergon/contract'
import { done, type Call, type HandlersOf } from '../dispatch/handlers.ts'
import { createCrowdLimiter } from '../dispatch/crowd-limiter.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import { readBox } from './box.ts'
import type { ApiDeps } from './deps.ts'
import { instant } from './present/instant.ts'
import { sliceFields, sliceFrom } from './present/page.ts'

const hourMs = 3_600_000
/** A person changes a search now and then; wallets are made for nothing, and each of their searches is looked for. */
const savesPerHour = { ofWallet: 30, ofAddress: 60, inAll: 3_000 } as const

/** Filters that a wallet is told of (decision 0251). */
export function createSearchHandlers({
  market,
  live,
  isProven,
  now,
}: Pick<ApiDeps, 'market' | 'live' | 'isProven' | 'now'>): HandlersOf<'searches'> {
  // None where requests without a signature have no limit.
  const isLimited = (): boolean => live.config()['rates.anonymous_per_minute'] > 0
  const ofWallet = createRateLimiter(savesPerHour.ofWallet, hourMs)
  const crowd = createCrowdLimiter(savesPerHour, { windowMs: hourMs, isLimited })
  return {
    'searches.list': async ({ caller }, input) => {
      const part = sliceFrom(await market.searches(caller), input)
      return done({ searches: part.rows.map(present), ...sliceFields(part) })
    },
    'searches.save': async (call, input) => {
      const { caller, request } = call
      const at = now().getTime()
      demand(ofWallet.take(caller.wallet, at), at)
      const take = (await isProven(caller.wallet)) ? crowd.takeProven : crowd.take
      demand(take(addressKey(request.ip), at), at)
      const saved = { name: input.name.trim(), filter: filterOf(call, input) }
      return done(present(await market.saveSearch(caller, input.slot, saved)))
    },
    'searches.remove': async ({ caller }, { slot }) => done({ slot, deleted: await market.removeSearch(caller, slot) }),
  }
}

type Saved = InputOf<Operations['searches.save']>

const filterOf = ({ exact }: Pick<Call, 'exact'>, input: Saved): SavedFilter => ({
  words: input.q ?? null,
  category: input.category ?? null,
  network: input.network ?? null,
  target: input.target_executor_type ?? null,
  minBountyUsd: exact('min_bounty') ?? null,
  maxBountyUsd: exact('max_bounty') ?? null,
  box: input.box === undefined ? null : readBox(input.box),
  allParties: input.all_parties === true,
})

function present({ slot, name, filter, savedAt, endsAt, toldAt }: SavedSearch) {
  return {
    slot,
    name,
    filter: filterData(filter),
    saved_at: instant(savedAt),
    ends_at: instant(endsAt),
    told_at: toldAt === null ? null : instant(toldAt),
  }
}
