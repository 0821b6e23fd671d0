import type { Operations, OutputOf } from '@ergon/contract'
import type { LoggedDelivery, Replayed, Webhook } from '@ergon/core'
import type { AnswerOf } from '../../dispatch/handlers.ts'
import { instant } from './instant.ts'

export function presentWebhook(webhook: Webhook, publicKey: string): OutputOf<Operations['webhooks.get']> {
  return {
    webhook_id: webhook.id,
    owner_id: webhook.owner,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    ed25519: webhook.signsEd25519,
    public_key: publicKey,
    created_at: instant(webhook.createdAt),
    updated_at: instant(webhook.updatedAt),
    verified_at: whenOrNull(webhook.verifiedAt),
    last_triggered_at: whenOrNull(webhook.lastAttemptAt),
    failing_since: whenOrNull(webhook.failingSince),
    failure_count: webhook.failureCount,
    total_deliveries: webhook.attemptCount,
    successful_deliveries: webhook.successCount,
  }
}

export function presentDelivery(delivery: LoggedDelivery): OutputOf<Operations['webhooks.delivery']> {
  return {
    delivery_id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    kind: delivery.kind,
    status: delivery.status,
    created_at: instant(delivery.createdAt),
    next_attempt_at: delivery.status === 'pending' ? instant(delivery.dueAt) : null,
    request_body: delivery.body,
    attempts: delivery.attempts.map((one) => ({
      attempt: one.attempt,
      at: instant(one.at),
      duration_ms: one.durationMs,
      request_headers: { ...one.requestHeaders },
      response_status: one.status,
      response_headers: one.responseHeaders === null ? null : { ...one.responseHeaders },
      response_body: one.responseBody,
      error: one.error,
    })),
  }
}

function whenOrNull(at: Date | null): string | null {
  return at === null ? null : instant(at)
}

/** Its secret is shown, and not kept with the key of the call. */
export function answerCreated(
  { webhook, secret, secretId }: { readonly webhook: Webhook; readonly secret: string; readonly secretId: string },
  publicKey: string,
): AnswerOf<Operations['webhooks.create']> {
  return { body: { ...presentWebhook(webhook, publicKey), secret }, remade: { webhook: webhook.id, secret: secretId } }
}

export function answerRotated(
  webhookId: string,
  {
    secret,
    secretId,
    oldExpiresAt,
  }: { readonly secret: string; readonly secretId: string; readonly oldExpiresAt: Date },
): AnswerOf<Operations['webhooks.rotateSecret']> {
  return {
    body: { webhook_id: webhookId, secret, old_secret_expires_at: instant(oldExpiresAt) },
    remade: { secret: secretId },
  }
}

export function presentReplay({ queued, place, hasMore }: Replayed): OutputOf<Operations['webhooks.replay']> {
  return { queued, has_more: hasMore, next_cursor: place }
}
