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

/** What its owner reads of an attempt that could not be signed. */
const unsigned = 'not sent: the secret of this endpoint cannot be read any more; rotate it'

export function createPostWebhook({ post, signer, vault, now, version }: PostWebhookDeps): PostWebhook {
  return async ({ webhookId, url, eventId, body, sealed, signsEd25519, attempt }) => {
    const at = now()
    const secrets = sealed.flatMap((one) => readable(() => vault.key(one, webhookId)))
    if (secrets.length === 0) return { log: unsent(attempt, at), answer: null, body: '' }
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Ergon-Webhooks/${version}`,
      ...signer.headers({ webhookId, eventId, at, body, secrets, signsEd25519 }),
    }
    return post({ url, headers, body, attempt })
  }
}

/** What was sealed under a secret that this deployment has no more signs nothing, and keeps no newer one from it. */
function readable<T>(open: () => T): readonly T[] {
  try {
    return [open()]
  } catch {
    return []
  }
}

function unsent(attempt: number, at: Date): Posted['log'] {
  const nothing = { status: null, responseHeaders: null, responseBody: null }
  return { attempt, at, durationMs: 0, requestHeaders: {}, ...nothing, error: unsigned }
}
