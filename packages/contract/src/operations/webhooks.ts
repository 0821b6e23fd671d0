import * as Type from 'typebox'
import { changeOfOwn, listOfOwn, operation, readOfOwn } from '../operation.ts'
import { webhook, webhookDelivery } from '../resources/webhook.ts'
import {
  closed,
  id,
  instant,
  nullable,
  open,
  optional,
  paging,
  shortSlice,
  shownRows,
  sliced,
  text,
} from '../schema.ts'
import { webhookLimits as limits, webhookTopics } from '../webhooks.ts'

const section = 'webhooks'
const webhook_id = id('The endpoint.')
const secret = Type.String({
  description: 'Key of the `v1` signatures, as whsec_ and base64 of 32 bytes. Shown this once.',
})
const fields = {
  url: text('https on port 443 or 8443, without credentials or fragment, at a public address.', 8, limits.urlMax),
  events: Type.Array(Type.Enum([...webhookTopics]), {
    minItems: 1,
    maxItems: webhookTopics.length,
    uniqueItems: true,
    description: 'Types to get; `*` is all of them.',
  }),
  description: Type.String({ maxLength: limits.descriptionMax, description: 'For its owner.' }),
  ed25519: Type.Boolean({
    description:
      'Whether requests also carry a `v1a` signature, which `public_key` verifies; the `v1` ones are always there. False when it was never said.',
  }),
}
const queued = { delivery_id: id('The delivery that was queued.') }

export const webhooks = {
  'webhooks.create': operation({
    section,
    summary:
      "Have the wallet's feed posted to a URL, signed by Standard Webhooks. It begins when the URL has answered a challenge; a wallet has at most 10.",
    access: changeOfOwn,
    input: closed({
      url: fields.url,
      events: fields.events,
      description: optional(fields.description),
      ed25519: optional(fields.ed25519),
    }),
    output: Type.Intersect([webhook, open({ secret })]),
    success: 201,
    resend: 'recovered',
    errors: ['WEBHOOK_URL_REFUSED', 'WEBHOOK_CAP_REACHED'],
    rest: [
      { method: 'POST', path: '/api/v1/webhooks' },
      { method: 'POST', path: '/api/v1/webhooks/' },
    ],
  }),
  'webhooks.list': operation({
    section,
    summary: "The wallet's endpoints, newest first.",
    access: listOfOwn,
    input: closed({ ...shortSlice }),
    output: open({ webhooks: Type.Array(webhook), ...sliced }),
    success: 200,
    errors: [],
    rest: [
      { method: 'GET', path: '/api/v1/webhooks' },
      { method: 'GET', path: '/api/v1/webhooks/' },
    ],
  }),
  'webhooks.catalogue': operation({
    section,
    summary: 'Every type a webhook can carry, with the JSON Schema of its body.',
    access: { by: 'anyone' },
    input: closed({ ...shortSlice }),
    output: open({
      ...sliced,
      api_version: Type.String(),
      events: Type.Array(
        open({
          type: Type.String(),
          selectable: Type.Boolean({ description: 'False: sent because of the endpoint itself, never asked for.' }),
          schema: Type.Record(Type.String(), Type.Unknown()),
        }),
      ),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/webhooks/events' }],
  }),
  'webhooks.get': operation({
    section,
    summary: 'One endpoint.',
    access: readOfOwn,
    input: closed({ webhook_id }),
    output: webhook,
    success: 200,
    errors: ['WEBHOOK_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/webhooks/{webhook_id}' }],
  }),
  'webhooks.update': operation({
    section,
    summary:
      'Change what was sent and leave the rest. Another URL has to be verified anew; `active` also ends a disabling.',
    access: changeOfOwn,
    input: closed({
      webhook_id,
      url: optional(fields.url),
      events: optional(fields.events),
      description: optional(nullable(fields.description)),
      ed25519: optional(fields.ed25519),
      status: optional(Type.Enum(['active', 'paused'])),
    }),
    output: webhook,
    success: 200,
    resend: 'again',
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_URL_REFUSED', 'WEBHOOK_NOT_VERIFIED'],
    rest: [{ method: 'PUT', path: '/api/v1/webhooks/{webhook_id}' }],
  }),
  'webhooks.remove': operation({
    section,
    summary: 'Delete an endpoint and its deliveries; if it is gone already, that is no error.',
    access: changeOfOwn,
    input: closed({ webhook_id }),
    output: open({ webhook_id, deleted: Type.Boolean({ description: 'False: there was none.' }) }),
    success: 200,
    resend: 'recovered',
    errors: [],
    rest: [{ method: 'DELETE', path: '/api/v1/webhooks/{webhook_id}' }],
  }),
  'webhooks.rotateSecret': operation({
    section,
    summary: 'Make a new secret. Until the overlap is over requests carry a signature by each.',
    access: changeOfOwn,
    input: closed({
      webhook_id,
      overlap_hours: optional(
        Type.Integer({
          minimum: 0,
          maximum: limits.overlapHoursMax,
          default: limits.overlapHoursDefault,
          description: 'How long the old secret still signs; 0 ends it at once.',
        }),
      ),
    }),
    output: open({ webhook_id, secret, old_secret_expires_at: instant('When the old secret signs no more.') }),
    success: 200,
    resend: 'recovered',
    sameWordsAnew: true,
    errors: ['WEBHOOK_NOT_FOUND'],
    rest: [{ method: 'POST', path: '/api/v1/webhooks/{webhook_id}/rotate-secret' }],
  }),
  'webhooks.verify': operation({
    section,
    summary: 'Post a challenge to the URL now. An answer of 2xx that gives the token back makes the endpoint active.',
    access: changeOfOwn,
    input: closed({ webhook_id }),
    output: webhook,
    success: 200,
    resend: 'again',
    sameWordsAnew: true,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_CHALLENGE_FAILED'],
    rest: [{ method: 'POST', path: '/api/v1/webhooks/{webhook_id}/verify' }],
  }),
  'webhooks.test': operation({
    section,
    summary: 'Queue a `webhook.test` event; it is tried once.',
    access: changeOfOwn,
    input: closed({ webhook_id }),
    output: open(queued),
    success: 200,
    resend: 'recovered',
    sameWordsAnew: true,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_NOT_VERIFIED'],
    rest: [{ method: 'POST', path: '/api/v1/webhooks/{webhook_id}/test' }],
  }),
  'webhooks.deliveries': operation({
    section,
    summary: 'What was sent and what came back, newest first; kept for 30 days.',
    access: readOfOwn,
    input: closed({
      webhook_id,
      ...paging,
      status: optional(Type.Enum(['pending', 'delivered', 'failed'])),
    }),
    output: open({
      deliveries: Type.Array(webhookDelivery),
      ...shownRows,
      next_cursor: nullable(Type.String()),
    }),
    success: 200,
    errors: ['WEBHOOK_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/webhooks/{webhook_id}/deliveries' }],
  }),
  'webhooks.delivery': operation({
    section,
    summary: 'One delivery: what was sent and what came back.',
    access: readOfOwn,
    input: closed({ webhook_id, delivery_id: id('The delivery.') }),
    output: webhookDelivery,
    success: 200,
    errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}' }],
  }),
  'webhooks.replayDelivery': operation({
    section,
    summary: 'Send one delivery again, with the same id and the same bytes.',
    access: changeOfOwn,
    input: closed({ webhook_id, delivery_id: id('The delivery.') }),
    output: open(queued),
    success: 200,
    resend: 'recovered',
    sameWordsAnew: true,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_NOT_VERIFIED', 'DELIVERY_NOT_FOUND'],
    rest: [{ method: 'POST', path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay' }],
  }),
  'webhooks.replay': operation({
    section,
    summary:
      'Send what happened since a cursor, or between two moments, again: at most 1,000 events a call, of the types the endpoint asks for.',
    access: changeOfOwn,
    input: closed({
      webhook_id,
      since: optional(text('A cursor of GET /api/v1/events, or the `next_cursor` of this call.', 1, 60)),
      from: optional(instant('Not before this moment.')),
      to: optional(instant('Before this moment.')),
    }),
    output: open({
      queued: Type.Integer(),
      has_more: Type.Boolean(),
      next_cursor: Type.String({ description: 'Where to go on.' }),
    }),
    success: 200,
    resend: 'recovered',
    sameWordsAnew: true,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_NOT_VERIFIED'],
    rest: [{ method: 'POST', path: '/api/v1/webhooks/{webhook_id}/replay' }],
  }),
}
