import { createGuardedClient } from '../adapters/http/guarded-client.ts'
import { keyFor } from '../sessions/people-access.ts'
import { createIds } from '../surroundings/ids.ts'
import { createWebhooks, type Webhooks } from './create-webhooks.ts'
import { createWebhookDelivery, type WebhookDelivery } from './deliver.ts'
import { createPostWebhook } from './post-webhook.ts'
import { createSecretVault } from './secret-vault.ts'
import { createWebhookSigner } from './signing.ts'
import type { DeliveryQueue, WebhookStore } from './webhook-store.ts'

export type WebhookWiring = {
  readonly store: WebhookStore
  readonly queue: DeliveryQueue
  readonly secret: string
  readonly allowLoopback: boolean
  /** Every address of a name; that of the system when left out. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  readonly version: string
  readonly now: () => Date
  /** Something may be due. */
  readonly onDue: () => void
  readonly onError: (error: unknown) => void
}

/** Puts the parts of webhooks together; each key serves one purpose and all come from the deployment's secret. */
export function wireWebhooks({ store, queue, secret, allowLoopback, resolve, version, now, onDue, onError }: WebhookWiring): AsyncDisposable & { readonly webhooks: Webhooks; readonly delivery: WebhookDelivery; publicKey(webhookId: string): string } {
  const client = createGuardedClient({ allowLoopback, ...(resolve === undefined ? {} : { resolve }) })
  const vault = createSecretVault(keyFor(secret, 'webhook secrets'))
  const signer = createWebhookSigner(keyFor(secret, 'webhook signatures'))
  const post = createPostWebhook({ client, signer, vault, now, version })
  const ids = createIds(now)
  const nextId = (): string => ids.next()
  const delivery = createWebhookDelivery({ queue, post, now, nextId, random: () => Math.random(), onError, onRoom: onDue })
  return {
    webhooks: createWebhooks({ store, post, vault, allowLoopback, now, nextId, onQueued: onDue }),
    delivery,
    publicKey: (webhookId) => signer.publicKey(webhookId),
    async [Symbol.asyncDispose]() {
      await delivery[Symbol.asyncDispose]()
      client[Symbol.dispose]()
    },
  }
}
