import { randomUUID } from 'node:crypto'
import { expectStatus } from '../http/live-market.ts'
import type { Verdicts } from './roles.ts'
import type { Rows } from './rows.ts'
import { nothing } from '../errors/producers-requests.ts'
import { mailFields } from '../mail/mail-server.ts'
import { browser } from '../push/browser.ts'
import type { World } from './world.ts'

const everybody = { stranger: 'ok' } as const satisfies Verdicts
/** Whose it is not does not learn that it is there. */
const owner = { stranger: 'WEBHOOK_NOT_FOUND', publisher: 'ok' } as const satisfies Verdicts
const unproved = { stranger: 'WEBHOOK_NOT_FOUND', publisher: 'WEBHOOK_NOT_VERIFIED' } as const satisfies Verdicts
const input = { url: 'http://127.0.0.1:9/', events: ['*'] }

/** An endpoint of the publisher where nobody listens. */
const endpoint = async ({ publisher }: World): Promise<Record<string, unknown>> => {
  const mine = expectStatus(await publisher.call('GET', '/api/v1/webhooks'), 200).body['webhooks'] as readonly {
    readonly webhook_id: string
  }[] // the contract's output
  return {
    webhook_id:
      mine[0]?.webhook_id ??
      String(expectStatus(await publisher.call('POST', '/api/v1/webhooks', input), 201).body['webhook_id']),
  }
}

/** Endpoints of wallets: each sees its own alone. */
export const hookRows = {
  'webhooks.create': { ...everybody, fields: () => input },
  'webhooks.list': everybody,
  'webhooks.catalogue': everybody,
  'webhooks.get': { ...owner, fields: endpoint },
  'webhooks.update': {
    ...owner,
    fields: async (world) => ({ ...(await endpoint(world)), description: 'Seen by the matrix.' }),
  },
  'webhooks.remove': { ...everybody, fields: endpoint },
  'webhooks.rotateSecret': { ...owner, fields: endpoint },
  'webhooks.verify': { ...owner, publisher: 'WEBHOOK_CHALLENGE_FAILED', fields: endpoint },
  'webhooks.test': { ...unproved, fields: endpoint },
  'webhooks.deliveries': { ...owner, fields: endpoint },
  'webhooks.delivery': {
    stranger: 'WEBHOOK_NOT_FOUND',
    publisher: 'DELIVERY_NOT_FOUND',
    fields: async (world) => ({ ...(await endpoint(world)), delivery_id: nothing }),
  },
  'webhooks.replayDelivery': {
    ...unproved,
    fields: async (world) => ({ ...(await endpoint(world)), delivery_id: nothing }),
  },
  'webhooks.replay': {
    ...unproved,
    fields: async (world) => ({ ...(await endpoint(world)), from: '2026-01-01T00:00:00Z' }),
  },
  'push.list': everybody,
  'push.subscribe': { ...everybody, fields: () => browser('matrix') },
  'push.remove': { ...everybody, fields: () => ({ subscription_id: nothing }) },
  'searches.list': everybody,
  'searches.save': { ...everybody, fields: () => ({ slot: 1, name: 'Seen by the matrix' }) },
  'searches.remove': { ...everybody, fields: () => ({ slot: 2 }) },
  'mail.read': everybody,
  'mail.subscribe': { ...everybody, fields: () => mailFields(`matrix-${randomUUID()}`) },
  'mail.remove': everybody,
} satisfies Partial<Rows>
