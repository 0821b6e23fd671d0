import { eventApiVersion, webhookLimits, type WebhookOwnEvent } from '@ergon/contract'
import { cutText } from '@ergon/core'

type Happened = {
  readonly id: string
  readonly type: string
  readonly at: Date
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * The envelope of spec §6 as the bytes that every attempt sends. Long text is cut, the longest first, until the body is
 * below the 20 kB that Standard Webhooks allows; the stream has the whole of it.
 */
export function webhookBody({ id, type, at, data }: Happened): string {
  let fitting = data
  for (;;) {
    const body = JSON.stringify({
      id,
      type,
      created_at: at.toISOString(),
      data: fitting,
      metadata: { api_version: eventApiVersion, idempotency_key: id },
    })
    if (Buffer.byteLength(body) < webhookLimits.bodyBytes) return body
    const [longest] = Object.entries(fitting)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .sort((a, b) => b[1].length - a[1].length)
    if (longest === undefined || longest[1].length < 3) return body
    fitting = { ...fitting, [longest[0]]: `${cutText(longest[1], longest[1].length >> 1)}…` }
  }
}

/** What is sent because of the endpoint itself. */
export function ownEventBody(
  type: WebhookOwnEvent,
  id: string,
  at: Date,
  data: Readonly<Record<string, unknown>>,
): string {
  return webhookBody({ id, type, at, data })
}
