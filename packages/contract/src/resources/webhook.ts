import * as Type from 'typebox'
import { id, instant, nullable, open, wallet } from '../schema.ts'
import { webhookDeliveryKinds, webhookDeliveryStatuses, webhookDisabledReasons, webhookStatuses } from '../webhooks.ts'

/** An endpoint as its owner sees it; its secret is shown when it is made and never again. */
export const webhook = open({
  webhook_id: id('The endpoint.'),
  owner_id: wallet('Whose feed it gets.'),
  url: Type.String(),
  events: Type.Array(Type.String(), { description: 'Types it gets; `*` is all of them.' }),
  description: nullable(Type.String()),
  status: Type.Enum([...webhookStatuses]),
  disabled_reason: nullable(Type.Enum([...webhookDisabledReasons])),
  ed25519: Type.Boolean({ description: 'Whether requests also carry a `v1a` signature.' }),
  public_key: Type.String({ description: 'Ed25519 key of the `v1a` signatures, as whpk_ and base64.' }),
  created_at: instant('When it was made.'),
  updated_at: instant('When its owner last changed it.'),
  verified_at: nullable(instant('When its URL answered the challenge.')),
  last_triggered_at: nullable(instant('The latest attempt.')),
  failing_since: nullable(instant('The first of the failures that no success interrupted.')),
  failure_count: Type.Integer({ description: 'Attempts that failed since the last success.' }),
  total_deliveries: Type.Integer({ description: 'Attempts made.' }),
  successful_deliveries: Type.Integer(),
})

const headers = Type.Record(Type.String(), Type.String())

export const webhookAttempt = open({
  attempt: Type.Integer({ description: 'From 1.' }),
  at: instant('When it was begun; the webhook-timestamp of the request.'),
  duration_ms: Type.Integer(),
  request_headers: headers,
  response_status: nullable(Type.Integer({ description: 'Null when no answer came.' })),
  response_headers: nullable(headers),
  response_body: nullable(Type.String({ description: 'Its first 4 kB.' })),
  error: nullable(Type.String({ description: 'Why no answer counted.' })),
})

export const webhookDelivery = open({
  delivery_id: id('The delivery.'),
  webhook_id: id('The endpoint.'),
  event_id: id('The webhook-id of its requests.'),
  event_type: Type.String(),
  kind: Type.Enum([...webhookDeliveryKinds]),
  status: Type.Enum([...webhookDeliveryStatuses]),
  created_at: instant('When it was queued.'),
  next_attempt_at: nullable(instant('Null when there is no further one.')),
  request_body: Type.String({ description: 'The bytes that every attempt sends.' }),
  attempts: Type.Array(webhookAttempt),
})
