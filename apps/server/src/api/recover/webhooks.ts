import { webhookLimits } from '@ergon/contract'
import { done } from '../../dispatch/handlers.ts'
import { answerCreated, answerRotated, presentReplay } from '../present/webhook.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

/** What was made once is shown again; a secret is opened for it anew, because it is not kept with the key. */
export function recoverWebhooks({ webhooks, webhookKey }: RecoveryDeps): RecoveriesOf<'webhooks'> {
  const queued = async (delivery: string | undefined) =>
    delivery === undefined ? null : done({ delivery_id: delivery })
  return {
    'webhooks.create': async ({ caller }, _input, { webhook: id, secret: secretId }) => {
      if (id === undefined || secretId === undefined) return null
      const shown = await webhooks.reveal(caller.wallet, id, secretId)
      if (shown === null) return null
      const webhook = await webhooks.get(caller.wallet, id)
      return answerCreated({ webhook, secret: shown.secret, secretId }, webhookKey(id))
    },
    'webhooks.rotateSecret': async ({ caller }, input, { secret: secretId }) => {
      const shown = secretId === undefined ? null : await webhooks.reveal(caller.wallet, input.webhook_id, secretId)
      if (secretId === undefined || shown === null) return null
      const overlapMs = (input.overlap_hours ?? webhookLimits.overlapHoursDefault) * 3_600_000
      const oldExpiresAt = new Date(shown.createdAt.getTime() + overlapMs)
      return answerRotated(input.webhook_id, { secret: shown.secret, secretId, oldExpiresAt })
    },
    'webhooks.remove': async (_call, input, { removed }) =>
      removed === undefined ? null : done({ webhook_id: input.webhook_id, deleted: removed === 'true' }),
    'webhooks.test': (_call, _input, { delivery }) => queued(delivery),
    'webhooks.replayDelivery': (_call, _input, { delivery }) => queued(delivery),
    'webhooks.replay': async (_call, _input, { queued: count, place, has_more: hasMore }) =>
      count === undefined || place === undefined
        ? null
        : done(presentReplay({ queued: Number(count), place, hasMore: hasMore === 'true' })),
  }
}
