import type { WebhookMessage } from '@ergon/core'
import type { Post, Posted } from '../delivery/post.ts'
import type { SecretVault } from './secret-vault.ts'
import type { WebhookSigner } from './signing.ts'

export type PostWebhookDeps = {
  readonly post: Post
  readonly signer: WebhookSigner
  readonly vault: SecretVault
  readonly now: () => Date
  readonly version: string
}

/** Posts signed bytes to an endpoint, as `Post` does. */
export type PostWebhook = (message: WebhookMessage) => Promise<Posted>

export function createPostWebhook({ post, signer, vault, now, version }: PostWebhookDeps): PostWebhook {
  return ({ webhookId, url, eventId, body, sealed, signsEd25519, attempt }) => {
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Ergon-Webhooks/${version}`,
      ...signer.headers({
        webhookId,
        eventId,
        at: now(),
        body,
        secrets: sealed.map((one) => vault.key(one, webhookId)),
        signsEd25519,
      }),
    }
    return post({ url, headers, body, attempt })
  }
}
