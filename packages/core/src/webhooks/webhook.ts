import type { WebhookDisabledReason, WebhookStatus } from '@ergon/contract'
import { MarketError } from '../errors.ts'

/** An endpoint that the feed of a wallet is posted to. */
export type Webhook = {
  readonly id: string
  readonly owner: string
  readonly url: string
  /** Types it asked for, or `*`. */
  readonly events: readonly string[]
  readonly description: string | null
  /** Whether its requests carry a signature by its Ed25519 key beside those by its secrets. */
  readonly signsEd25519: boolean
  readonly status: WebhookStatus
  readonly disabledReason: WebhookDisabledReason | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly verifiedAt: Date | null
  readonly lastAttemptAt: Date | null
  readonly failingSince: Date | null
  readonly failureCount: number
  readonly attemptCount: number
  readonly successCount: number
}

export type WebhookChange = {
  readonly url?: string
  readonly events?: readonly string[]
  readonly description?: string | null
  readonly signsEd25519?: boolean
  readonly status?: 'active' | 'paused'
}

/** What its owner asks for. */
export type NewWebhook = Pick<Webhook, 'url' | 'events' | 'description' | 'signsEd25519'>

/** An endpoint that has proved nothing yet. */
export function newWebhook(
  { id, owner, at }: { readonly id: string; readonly owner: string; readonly at: Date },
  { url, events, description, signsEd25519 }: NewWebhook,
): Webhook {
  return {
    ...{ id, owner, url, events, description, signsEd25519 },
    status: 'unverified',
    createdAt: at,
    updatedAt: at,
    verifiedAt: null,
    lastAttemptAt: null,
    attemptCount: 0,
    successCount: 0,
    ...healthy,
  }
}

/** What its owner may change of it, and what follows. @throws WEBHOOK_NOT_VERIFIED */
export function changeWebhook(before: Webhook, change: WebhookChange, at: Date): Webhook {
  const { status, ...fields } = change
  const after: Webhook = { ...before, ...fields, updatedAt: at }
  // What was proved of one URL says nothing of another.
  const placed: Webhook =
    after.url === before.url ? after : { ...after, status: 'unverified', verifiedAt: null, ...healthy }
  if (status === undefined) return placed
  if (placed.verifiedAt === null) throw new MarketError('WEBHOOK_NOT_VERIFIED')
  return status === 'paused' ? { ...placed, status } : { ...placed, status, ...healthy }
}

/** The challenge was answered at the URL it has. */
export function verifyWebhook(before: Webhook, at: Date): Webhook {
  return {
    ...before,
    status: before.status === 'paused' ? 'paused' : 'active',
    verifiedAt: at,
    updatedAt: at,
    ...healthy,
  }
}

/** @throws WEBHOOK_NOT_VERIFIED: nothing but a challenge goes to an address that did not ask for it. */
export function requireVerified(webhook: Webhook): Webhook {
  if (webhook.verifiedAt === null) throw new MarketError('WEBHOOK_NOT_VERIFIED')
  return webhook
}

const healthy = { disabledReason: null, failingSince: null, failureCount: 0 } as const
