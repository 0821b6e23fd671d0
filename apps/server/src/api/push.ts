import { addressKey } from '@ergon/protocols'
import { MarketError, type PushSubscription, type PushSubscriptions } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { createCrowdLimiter } from '../dispatch/crowd-limiter.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import type { ApiDeps } from './deps.ts'
import { sliceFields, sliceFrom } from './present/page.ts'

/** How browsers come to show notices. */
export type BrowserPush = {
  readonly publicKey: string
  readonly subscriptions: Pick<PushSubscriptions, 'put' | 'list' | 'remove'>
  /** Where the stream of events ends now: a new browser is told of nothing older. */
  place(): Promise<string>
  /** Whether a message can be sealed for these. */
  areKeys(keys: { readonly p256dh: string; readonly auth: string }): boolean
  /** Why an address is refused before anything is asked of it; null when it is not. */
  faultOf(url: string): string | null
}

const hourMs = 3_600_000
const mostPerWallet = 10
/** A browser subscribes once, and again when its person chooses otherwise; wallets are made for nothing. */
const subscribesPerHour = { ofWallet: 60, ofAddress: 120, inAll: 6_000 } as const

/** Browsers that show a person's notices (decision 0234). */
export function createPushHandlers({
  browserPush,
  isProven,
  now,
}: Pick<ApiDeps, 'browserPush' | 'isProven' | 'now'>): HandlersOf<'push'> {
  const { subscriptions } = browserPush
  const ofWallet = createRateLimiter(subscribesPerHour.ofWallet, hourMs)
  const crowd = createCrowdLimiter(subscribesPerHour, { windowMs: hourMs })
  return {
    'push.list': async ({ caller }, input) => {
      const part = sliceFrom(caller.kind === 'wallet' ? await subscriptions.list(caller.wallet) : [], input)
      return done({
        public_key: browserPush.publicKey,
        subscriptions: part.rows.map(present),
        ...sliceFields(part),
      })
    },
    'push.subscribe': async ({ caller, request }, { endpoint, p256dh, auth, kinds, language = 'en' }) => {
      const at = now().getTime()
      demand(ofWallet.take(caller.wallet, at), at)
      const take = (await isProven(caller.wallet)) ? crowd.takeProven : crowd.take
      demand(take(addressKey(request.ip), at), at)
      const reason = browserPush.faultOf(endpoint)
      if (reason !== null) throw new MarketError('WEBHOOK_URL_REFUSED', { reason })
      if (!browserPush.areKeys({ p256dh, auth }))
        throw new MarketError('VALIDATION_FAILED', { field: 'p256dh', constraint: 'a point of P-256 and 16 bytes' })
      const made = { wallet: caller.wallet, endpoint, p256dh, auth, kinds, language }
      return done(present(await subscriptions.put(made, await browserPush.place(), mostPerWallet)))
    },
    'push.remove': async ({ caller }, { subscription_id: id }) =>
      done({ subscription_id: id, deleted: await subscriptions.remove(caller.wallet, id) }),
  }
}

function present({ id, endpoint, kinds, language, createdAt }: PushSubscription) {
  return {
    subscription_id: id,
    service: new URL(endpoint).host,
    kinds: [...kinds],
    language,
    created_at: createdAt.toISOString(),
  }
}
