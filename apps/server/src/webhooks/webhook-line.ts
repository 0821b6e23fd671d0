import { randomBytes } from 'node:crypto'
import { MarketError, type WebhookLine } from '@ergon/core'
import { GuardedFault, guardedUrl, type NearAddresses } from '../delivery/guarded-target.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import { makeDelivery } from './deliver.ts'
import type { PostWebhook } from './post-webhook.ts'
import type { SecretVault } from './secret-vault.ts'
import { freshSecret, secretText } from './signing.ts'
import { ownEventBody } from './webhook-body.ts'

export type WebhookLineDeps = {
  readonly post: PostWebhook
  readonly vault: SecretVault
  readonly near: NearAddresses
  readonly now: () => Date
  readonly nextId: () => string
  /** Something was queued. */
  readonly onQueued: () => void
}

const hourMs = 3_600_000

/** Signs, posts, keeps secrets and counts for the flows of webhooks. */
export function createWebhookLine({ post, vault, near, now, nextId, onQueued }: WebhookLineDeps): WebhookLine {
  const limiters = { call: createRateLimiter(30, hourMs), replay: createRateLimiter(10, hourMs) }
  return {
    urlOf: (text) => requireUrl(text, near),
    freshSecret(webhookId) {
      const secret = freshSecret()
      return { sealed: vault.seal(secret, webhookId), text: secretText(secret) }
    },
    secretText: (sealed, webhookId) => secretText(vault.open(sealed, webhookId)),
    freshToken: () => randomBytes(32).toString('base64url'),
    ownBody: ownEventBody,
    replays: () => makeDelivery(nextId, now, 'replay'),
    post,
    spend(what, owner) {
      const at = now().getTime()
      demand(limiters[what].take(owner, at), at)
    },
    onQueued,
  }
}

function requireUrl(text: string, near: NearAddresses): string {
  try {
    return guardedUrl(text, near).href
  } catch (error) {
    if (error instanceof GuardedFault)
      throw new MarketError('WEBHOOK_URL_REFUSED', { reason: error.reason }, { cause: error })
    throw error
  }
}
