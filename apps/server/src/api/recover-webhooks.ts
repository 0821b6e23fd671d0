import { webhookLimits } from '@ergon/contract'
import { done } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { instant } from './present/instant.ts'
import { presentWebhook } from './present/webhook.ts'
import type { Recoveries } from './recover.ts'

type Recovered =
  | 'webhooks.create'
  | 'webhooks.rotateSecret'
  | 'webhooks.remove'
  | 'webhooks.test'
  | 'webhooks.replayDelivery'
  | 'webhooks.replay'

/** What was made once is shown again; a secret is opened for it anew, because it is not kept with the key. */
export function recoverWebhooks({
  webhooks,
  webhookKey,
}: Pick<ApiDeps, 'webhooks' | 'webhookKey'>): Pick<Recoveries, Recovered> {
  const queued = (delivery: string | undefined) =>
    Promise.resolve(delivery === undefined ? null : done({ delivery_id: delivery }))
  return {
    'webhooks.create': async ({ caller }, _input, { webhook: id, secret }) => {
      if (id === undefined || secret === undefined) return null
      const shown = await webhooks.reveal(caller.wallet, id, secret)
      if (shown === null) return null
      return {
        body: { ...presentWebhook(await webhooks.get(caller.wallet, id), webhookKey(id)), secret: shown.secret },
        remade: { webhook: id, secret },
      }
    },
    'webhooks.rotateSecret': async ({ caller }, input, { secret }) => {
      const shown = secret === undefined ? null : await webhooks.reveal(caller.wallet, input.webhook_id, secret)
      if (secret === undefined || shown === null) return null
      const overlapMs = (input.overlap_hours ?? webhookLimits.overlapHoursDefault) * 3_600_000
      return {
        body: {
          webhook_id: input.webhook_id,
          secret: shown.secret,
          old_secret_expires_at: instant(new Date(shown.createdAt.getTime() + overlapMs)),
        },
        remade: { secret },
      }
    },
    'webhooks.remove': (_call, input, { removed }) =>
      Promise.resolve(
        removed === undefined ? null : done({ webhook_id: input.webhook_id, deleted: removed === 'true' }),
      ),
    'webhooks.test': (_call, _input, { delivery }) => queued(delivery),
    'webhooks.replayDelivery': (_call, _input, { delivery }) => queued(delivery),
    'webhooks.replay': (_call, _input, { queued: count, place, has_more: hasMore }) =>
      Promise.resolve(
        count === undefined || place === undefined
          ? null
          : done({ queued: Number(count), has_more: hasMore === 'true', next_cursor: place }),
      ),
  }
}
