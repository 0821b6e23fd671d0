import type { Market } from '@ergon/core'
import type { Pool } from 'pg'
import { createGuardedClient } from './delivery/guarded-client.ts'
import { GuardedFault, guardedUrl, type NearAddresses } from './delivery/guarded-target.ts'
import { createPushConfigs } from './adapters/postgres/index.ts'
import { createSealedText } from './adapters/sealed-text.ts'
import { createPushNews } from './api/a2a/push-news.ts'
import type { PushDeps } from './api/a2a/push.ts'
import type { EventRelay } from './events/event-relay.ts'
import { createPost } from './delivery/post.ts'
import { createPushTasks } from './delivery/push-tasks.ts'
import { createPushTeller } from './delivery/push-teller.ts'

export type PushPartDeps = {
  readonly pool: Pool
  readonly market: Market
  readonly relay: EventRelay
  readonly key: Uint8Array
  readonly near: NearAddresses
  readonly onError: (error: unknown) => void
  /** A post failed unforeseen. */
  readonly onFault: (error: unknown) => void
}
export type Push = AsyncDisposable &
  Pick<PushDeps, 'configs' | 'faultOf'> & {
    /** Begins posting what is due; answers how much. */
    begin(): Promise<number>
    workedBy(loops: { wakePush(): void }): void
  }

const timeoutMs = 10_000

/** Push notifications to agents, wired: their store, the guarded client, and what tells them. */
export function createPush({ pool, market, relay, key, near, onError, onFault }: PushPartDeps): Push {
  const parts = new AsyncDisposableStack()
  const configs = createPushConfigs(pool, createSealedText(key))
  const client = parts.use(createGuardedClient({ near }))
  parts.use(createPushTeller(relay, configs, onError))
  const news = createPushNews(market)
  const now = (): Date => new Date()
  const post = createPost({ client, timeoutMs, now })
  let loops: { wakePush(): void } | undefined
  const tasks = createPushTasks({
    configs,
    news,
    post,
    random: Math.random,
    now,
    onError: onFault,
    onRoom: () => {
      loops?.wakePush()
    },
  })
  parts.defer(() => tasks.settled())
  return {
    configs,
    faultOf(url) {
      try {
        guardedUrl(url, near)
        return null
      } catch (error) {
        if (error instanceof GuardedFault) return error.message
        throw error
      }
    },
    begin: () => tasks.begin(),
    workedBy(given) {
      loops = given
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
