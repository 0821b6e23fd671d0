import type { WebhookDeliveryKind, WebhookDeliveryStatus, WebhookDisabledReason, WebhookStatus } from '@ergon/contract'
import type { LoggedAttempt, LoggedDelivery, Webhook } from '@ergon/core'

export type WebhookRow = {
  readonly id: string
  readonly owner: string
  readonly url: string
  readonly events: string[]
  readonly description: string | null
  readonly signs_ed25519: boolean
  readonly status: WebhookStatus
  readonly disabled_reason: WebhookDisabledReason | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly verified_at: Date | null
  readonly last_attempt_at: Date | null
  readonly failing_since: Date | null
  readonly failure_count: number
  readonly attempt_count: bigint
  readonly success_count: bigint
}

export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    owner: row.owner,
    url: row.url,
    events: row.events,
    description: row.description,
    signsEd25519: row.signs_ed25519,
    status: row.status,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    verifiedAt: row.verified_at,
    lastAttemptAt: row.last_attempt_at,
    failingSince: row.failing_since,
    failureCount: row.failure_count,
    attemptCount: Number(row.attempt_count),
    successCount: Number(row.success_count),
  }
}

/** Attempts come as JSON, so their moments are text. */
type AttemptJson = {
  readonly attempt: number
  readonly at: string
  readonly duration_ms: number
  readonly request_headers: Record<string, string>
  readonly response_status: number | null
  readonly response_headers: Record<string, string> | null
  readonly response_body: string | null
  readonly error: string | null
}
export type DeliveryRow = {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly event_type: string
  readonly kind: WebhookDeliveryKind
  readonly status: WebhookDeliveryStatus
  readonly created_at: Date
  readonly due_at: Date
  readonly body: string
  readonly tried: AttemptJson[] | null
}

export function toDelivery(row: DeliveryRow): LoggedDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    kind: row.kind,
    status: row.status,
    createdAt: row.created_at,
    dueAt: row.due_at,
    body: row.body,
    attempts: (row.tried ?? []).map((one): LoggedAttempt => ({
      attempt: one.attempt,
      at: new Date(one.at),
      durationMs: one.duration_ms,
      requestHeaders: one.request_headers,
      status: one.response_status,
      responseHeaders: one.response_headers,
      responseBody: one.response_body,
      error: one.error,
    })),
  }
}
