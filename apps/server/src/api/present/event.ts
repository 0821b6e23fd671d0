import { eventApiVersion } from '@ergon/contract'
import type { RecordedEvent } from '@ergon/core'

export type EventEnvelope = {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
  readonly metadata: { readonly api_version: string; readonly idempotency_key: string }
}

/** The envelope of spec §6, the same on every channel. */
export function presentEvent(event: RecordedEvent): EventEnvelope {
  return {
    id: event.id,
    type: event.type,
    created_at: event.at.toISOString(),
    data: event.data,
    metadata: { api_version: eventApiVersion, idempotency_key: event.id },
  }
}
