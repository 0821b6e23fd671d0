import type { Market } from '@ergon/core'
import type { Pool } from 'pg'
import { createPushSubscriptions } from './adapters/postgres/index.ts'
import type { BrowserPush } from './api/push.ts'
import { createGuardedClient } from './delivery/guarded-client.ts'
import { GuardedFault, guardedUrl, type NearAddresses } from './delivery/guarded-target.ts'
import { createPost } from './delivery/post.ts'
import { createPushNotices } from './delivery/push-notices.ts'
import { createWalletTeller } from './delivery/wallet-teller.ts'
import { areBrowserKeys, vapidKeyOf } from './delivery/web-push.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import type { EventRelay } from './events/event-relay.ts'
import type { ProcessLog } from '@ergon/process'
import { keyFor } from './surroundings/key-for.ts'

type WebPushDeps = {
  readonly pool: Pool
  readonly market: Market
  readonly relay: EventRelay
  /** The secret scalar of the key by which push services know this deployment. */
  readonly key: Uint8Array
  /** Where this service is reached. */
  readonly subject: string
  readonly near: NearAddresses
  readonly onError: (error: unknown) => void
}
type WebPush = AsyncDisposable &
  BrowserPush & {
    /** Begins posting what is due; answers how much. */
    begin(): Promise<number>
  }

const timeoutMs = 10_000

type Base = {
  readonly config: Pick<Config, 'baseUrl' | 'webhooksAllowLoopback'>
  readonly secrets: Pick<Secrets, 'secret'>
  readonly log: ProcessLog
  readonly parts: AsyncDisposableStack
  readonly pool: Pool
}

/** The key of the deployment to push services comes from its secret, so it is kept as that is. */
export function openWebPush({ config, secrets, log, parts, pool }: Base, market: Market, relay: EventRelay): WebPush {
  return parts.use(
    createWebPush({
      pool,
      market,
      relay,
      key: keyFor(secrets.secret, 'web push'),
      subject: config.baseUrl,
      near: config.webhooksAllowLoopback ? 'loopback' : 'none',
      onError: (error) => {
        log.error({ err: error }, 'a notice could not be posted to a browser')
      },
    }),
  )
}

/** Notices to browsers, wired: their store, the guarded client, and what tells them. */
function createWebPush({ pool, market, relay, key, subject, near, onError }: WebPushDeps): WebPush {
  const parts = new AsyncDisposableStack()
  const subscriptions = createPushSubscriptions(pool)
  const client = parts.use(createGuardedClient({ near }))
  parts.use(createWalletTeller(relay, subscriptions, onError))
  const now = (): Date => new Date()
  const vapid = vapidKeyOf(key)
  const notices = createPushNotices({
    subscriptions,
    market,
    vapid,
    subject,
    post: createPost({ client, timeoutMs, now }),
    random: Math.random,
    now,
    onError,
    // What waits for room is looked for once a second.
    onRoom: () => undefined,
  })
  parts.defer(() => notices.settled())
  return {
    publicKey: vapid.publicKey,
    subscriptions,
    place: () => market.eventHorizon(),
    areKeys: areBrowserKeys,
    faultOf(url) {
      try {
        guardedUrl(url, near)
        return null
      } catch (error) {
        if (error instanceof GuardedFault) return error.reason
        throw error
      }
    },
    begin: () => notices.begin(),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
