import { eventApiVersion, webhookCatalogue, webhookLimits, type InputOf, type Operations } from '@ergon/contract'
import { MarketError, type WebhookChange } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { pageRequest, sliceFields, sliceFrom } from './present/page.ts'
import { answerCreated, answerRotated, presentDelivery, presentReplay, presentWebhook } from './present/webhook.ts'

/** Endpoints as their owners manage them; what was sent to them and what came back. */
export function createWebhookHandlers({
  webhooks,
  webhookKey,
}: Pick<ApiDeps, 'webhooks' | 'webhookKey'>): HandlersOf<'webhooks'> {
  const present = (webhook: Parameters<typeof presentWebhook>[0]): ReturnType<typeof presentWebhook> =>
    presentWebhook(webhook, webhookKey(webhook.id))
  const catalogue = webhookCatalogue()
  return {
    'webhooks.create': async ({ caller }, input) => {
      const created = await webhooks.create(caller.wallet, {
        url: input.url,
        events: input.events,
        description: input.description ?? null,
        signsEd25519: input.ed25519 ?? false,
      })
      return answerCreated(created, webhookKey(created.webhook.id))
    },
    'webhooks.list': async ({ caller }, input) => {
      const part = sliceFrom(caller.kind === 'wallet' ? await webhooks.list(caller.wallet) : [], input)
      return done({ webhooks: part.rows.map(present), ...sliceFields(part) })
    },
    'webhooks.catalogue': (_call, input) => {
      const part = sliceFrom(catalogue, input)
      return done({ api_version: eventApiVersion, events: part.rows.map((one) => ({ ...one })), ...sliceFields(part) })
    },
    'webhooks.get': async ({ caller }, input) => done(present(await webhooks.get(caller.wallet, input.webhook_id))),
    'webhooks.update': async ({ caller }, input) =>
      done(present(await webhooks.update(caller.wallet, input.webhook_id, changeOf(input)))),
    'webhooks.remove': async ({ caller }, input) =>
      done({ webhook_id: input.webhook_id, deleted: await webhooks.remove(caller.wallet, input.webhook_id) }),
    'webhooks.rotateSecret': async ({ caller }, { webhook_id: id, overlap_hours: hours }) =>
      answerRotated(id, await webhooks.rotateSecret(caller.wallet, id, hours ?? webhookLimits.overlapHoursDefault)),
    'webhooks.verify': async ({ caller }, input) =>
      done(present(await webhooks.verify(caller.wallet, input.webhook_id))),
    'webhooks.test': async ({ caller }, input) =>
      done({ delivery_id: await webhooks.test(caller.wallet, input.webhook_id) }),
    'webhooks.deliveries': async ({ caller }, input) => {
      const asked = pageRequest(input)
      const page = await webhooks.deliveries(caller.wallet, input.webhook_id, input.status ?? null, asked)
      return done({
        deliveries: page.rows.map(presentDelivery),
        count: page.rows.length,
        offset: asked.offset,
        has_more: page.hasMore,
        next_cursor: page.nextCursor,
      })
    },
    'webhooks.delivery': async ({ caller }, input) =>
      done(presentDelivery(await webhooks.delivery(caller.wallet, input.webhook_id, input.delivery_id))),
    'webhooks.replayDelivery': async ({ caller }, input) =>
      done({ delivery_id: await webhooks.replayDelivery(caller.wallet, input.webhook_id, input.delivery_id) }),
    'webhooks.replay': async ({ caller }, input) => {
      if (input.since === undefined && input.from === undefined)
        throw new MarketError('VALIDATION_FAILED', { field: 'since', constraint: 'since, or from, or both' })
      const replayed = await webhooks.replay(caller.wallet, input.webhook_id, {
        after: input.since ?? null,
        from: moment(input.from),
        to: moment(input.to),
      })
      return done(presentReplay(replayed))
    },
  }
}

/** Only what was sent changes. */
function changeOf({
  url,
  events,
  description,
  ed25519,
  status,
}: InputOf<Operations['webhooks.update']>): WebhookChange {
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(description === undefined ? {} : { description }),
    ...(ed25519 === undefined ? {} : { signsEd25519: ed25519 }),
    ...(status === undefined ? {} : { status }),
  }
}

function moment(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text)
}
