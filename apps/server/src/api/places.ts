import { addressKey } from '@ergon/protocols'
import { MarketError } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import type { ApiDeps } from './deps.ts'

type Question = { readonly text: string; readonly language: 'en' | 'es' }
type Place = { readonly name: string; readonly lat: number; readonly lng: number }

/** The service that knows addresses, and how often it is asked. */
export type Places = {
  readonly geocoder: {
    readonly attribution: string
    known(question: Question): readonly Place[] | undefined
    find(question: Question): Promise<readonly Place[]>
  }
  readonly perMinute: number
}

const minuteMs = 60_000
/** Whoever types an address asks some five times for it. */
const askedPerMinute = { ofWallet: 30, ofAddress: 30 } as const
const shortest = 3

/** Addresses, asked of a geocoder for whoever calls (decision 0253). */
export function createPlaceHandlers({
  places,
  live,
  now,
}: Pick<ApiDeps, 'places' | 'live' | 'now'>): HandlersOf<'places'> {
  // None where requests without a signature have no limit.
  const ofCallers = (): number => (live.config()['rates.anonymous_per_minute'] > 0 ? askedPerMinute.ofAddress : 0)
  const [ofWallet, ofAddress, inAll] = [
    createRateLimiter(askedPerMinute.ofWallet, minuteMs),
    createRateLimiter(ofCallers, minuteMs),
    // Of the geocoder, whoever asks here.
    createRateLimiter(places?.perMinute ?? 0, minuteMs),
  ]
  return {
    'places.find': async ({ caller, request }, { q, language = 'en' }) => {
      if (places === null) throw new MarketError('FEATURE_DISABLED')
      const { geocoder } = places
      const question = { text: textOf(q), language }
      const known = geocoder.known(question)
      if (known !== undefined) return done({ places: [...known], attribution: geocoder.attribution })
      const at = now().getTime()
      demand(ofAddress.take(addressKey(request.ip), at), at)
      if (caller.kind === 'wallet') demand(ofWallet.take(caller.wallet, at), at)
      demand(inAll.take('all', at), at)
      return done({ places: [...(await geocoder.find(question))], attribution: geocoder.attribution })
    },
  }
}

/** @throws VALIDATION_FAILED for one that asks nothing */
function textOf(typed: string): string {
  const text = typed
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed()
  if (text.length >= shortest) return text
  throw new MarketError('VALIDATION_FAILED', {
    field: 'q',
    constraint: `at least ${String(shortest)} signs`,
    received: typed,
  })
}
