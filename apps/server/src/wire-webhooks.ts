import { webhookLimits } from '@ergon/contract'
import { createWebhooks, type Webhooks } from '@ergon/core'
import type { Pool } from 'pg'
import { createGuardedClient } from './delivery/guarded-client.ts'
import type { NearAddresses } from './delivery/guarded-target.ts'
import { createDeliveryQueue, createWebhookStore, outsideKeyedCalls } from './adapters/postgres/index.ts'
import { keyFor } from './surroundings/key-for.ts'
import { createIds } from './surroundings/ids.ts'
import { createPost } from './delivery/post.ts'
import { createWebhookDelivery, type WebhookDelivery } from './webhooks/deliver.ts'
import { createPostWebhook } from './webhooks/post-webhook.ts'
import { createSecretVault } from './webhooks/secret-vault.ts'
import { createWebhookSigner } from './webhooks/signing.ts'
import { createWebhookLine } from './webhooks/webhook-line.ts'

export type WebhookWiring = {
  readonly pool: Pool
  readonly secret: string
  readonly near: NearAddresses
  /** Every address of a name; that of the system when left out. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  readonly version: string
  readonly now: () => Date
  /** An event of our own was committed. */
  readonly onCommitted: () => void
  readonly onError: (error: unknown) => void
}

/** The loops that do the work; they may be told that there is some. */
export type WebhookLoops = { wakeFanOut(): void; wakeDeliveries(): void }

export type WiredWebhooks = AsyncDisposable & {
  readonly webhooks: Webhooks
  readonly delivery: WebhookDelivery
  publicKey(webhookId: string): string
  workedBy(loops: WebhookLoops): void
  /** The stream has news. */
  somethingHappened(): void
}

/** Standard Webhooks asks for 15 to 30 seconds. */
const timeoutMs = 15_000

/** Puts the parts of webhooks together; each key serves one purpose and all come from the deployment's secret. */
export function wireWebhooks({
  pool,
  secret,
  near,
  resolve,
  version,
  now,
  onCommitted,
  onError,
}: WebhookWiring): WiredWebhooks {
  let loops: WebhookLoops | undefined
  // What a call sets off does not write under the key of that call.
  const onDue = (): void => {
    outsideKeyedCalls(() => {
      loops?.wakeDeliveries()
    })
  }
  const [store, queue] = [createWebhookStore(pool), createDeliveryQueue(pool, onCommitted)]
  const client = createGuardedClient({ near, ...(resolve === undefined ? {} : { resolve }) })
  const vault = createSecretVault(keyFor(secret, 'webhook secrets'))
  const signer = createWebhookSigner(keyFor(secret, 'webhook signatures'))
  const post = createPostWebhook({ post: createPost({ client, timeoutMs, now }), signer, vault, now, version })
  const ids = createIds(now)
  const nextId = (): string => ids.next()
  const delivery = createWebhookDelivery({
    queue,
    post,
    now,
    nextId,
    random: () => Math.random(),
    onError,
    onRoom: onDue,
  })
  return {
    webhooks: createWebhooks({
      store,
      line: createWebhookLine({ post, vault, near, now, nextId, onQueued: onDue }),
      clock: { now },
      ids,
      limits: { endpoints: webhookLimits.endpointsMax, replay: webhookLimits.replayMax },
    }),
    delivery,
    publicKey: (webhookId) => signer.publicKey(webhookId),
    workedBy(given) {
      loops = given
    },
    somethingHappened() {
      loops?.wakeFanOut()
    },
    async [Symbol.asyncDispose]() {
      await delivery[Symbol.asyncDispose]()
      client[Symbol.dispose]()
    },
  }
}
