import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import { eventApiVersion, events } from './events.ts'
import { id, instant, open } from './schema.ts'

/**
 * `unverified`: nothing is sent before the endpoint answered a challenge at its URL. `disabled` is our doing, `paused`
 * its owner's.
 */
export const webhookStatuses = ['unverified', 'active', 'paused', 'disabled'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** Why an endpoint was disabled: it answered 410, or nothing else than failures for five days. */
export const webhookDisabledReasons = ['gone', 'failing'] as const
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number]

export const webhookDeliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number]

/** What a delivery is for: something that happened, the same once more, or a call that its owner asked for. */
export const webhookDeliveryKinds = ['event', 'replay', 'test', 'challenge'] as const
export type WebhookDeliveryKind = (typeof webhookDeliveryKinds)[number]

export const webhookLimits = {
  endpointsMax: 10,
  urlMax: 2_048,
  descriptionMax: 255,
  overlapHoursDefault: 24,
  overlapHoursMax: 168,
  replayMax: 1_000,
  bodyBytes: 20_000,
} as const

/** What an endpoint can ask for, and the one word for all of it. */
export const webhookTopics = ['*', ...Object.keys(events)] as const

/** Sent to one endpoint because of the endpoint itself: they stand in no feed. */
const ownEvents = {
  'webhook.challenge': {
    says: 'Prove that the URL is yours: answer 2xx with the token, as the whole body or as `{"token": …}`.',
    data: open({ webhook_id: id('The endpoint.'), token: Type.String({ description: 'To be sent back.' }) }),
  },
  'webhook.test': {
    says: 'Sent because its owner asked for it.',
    data: open({ webhook_id: id('The endpoint.'), message: Type.String() }),
  },
} as const

export type WebhookOwnEvent = keyof typeof ownEvents

type CatalogueEntry = {
  readonly type: string
  readonly selectable: boolean
  readonly schema: Readonly<Record<string, unknown>>
}

/** Every body a webhook can carry, with the JSON Schema of its envelope (spec §6). */
export function webhookCatalogue(): readonly CatalogueEntry[] {
  return [
    ...Object.entries(events).map(([type, { data }]) => ({ type, selectable: true, schema: envelopeOf(type, data) })),
    ...Object.entries(ownEvents).map(([type, { data, says }]) => ({
      type,
      selectable: false,
      schema: { description: says, ...envelopeOf(type, data) },
    })),
  ]
}

function envelopeOf(type: string, data: TSchema): Readonly<Record<string, unknown>> {
  const schema = open({
    id: id('The event; the same on every channel and in every attempt.'),
    type: Type.Literal(type),
    created_at: instant('When it happened.'),
    data,
    metadata: open({ api_version: Type.Literal(eventApiVersion), idempotency_key: id('The id of the event.') }),
  })
  // Schemas are plain JSON; what typebox hangs on them for itself is not enumerable and stays behind.
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...(JSON.parse(JSON.stringify(schema)) as Readonly<Record<string, unknown>>),
  }
}
