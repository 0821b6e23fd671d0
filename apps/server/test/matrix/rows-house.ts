import { expectStatus } from '../http/live-market.ts'
import { uploaded } from '../tour/uploaded.ts'
import type { Verdicts } from './roles.ts'
import type { Rows } from './rows.ts'
import type { World } from './world.ts'

const everybody = { stranger: 'ok' } as const satisfies Verdicts
const offer = {
  title: 'Photographs of gates',
  description: 'One sharp photograph of any gate in town.',
  category: 'simple_action',
  unit_price_usd: 1,
}
const reason = 'The matrix asks.'

export const listing = async ({ worker }: World): Promise<Record<string, unknown>> => {
  const mine = expectStatus(await worker.call('GET', '/api/v1/services/mine'), 200).body['listings'] as readonly {
    readonly id: string
  }[] // the contract's output
  return {
    listing_id:
      mine[0]?.id ?? String(expectStatus(await worker.call('POST', '/api/v1/services', offer), 201).body['id']),
  }
}

/** Evidence, listings, events, and what the house says about itself. */
export const houseRows = {
  'service.health': everybody,
  'service.healthPayments': everybody,
  'service.healthIdentity': everybody,
  'service.healthNetworks': everybody,
  'service.config': everybody,
  'service.agentInfo': everybody,
  'service.skills': everybody,
  'service.agentCard': everybody,
  'places.find': { ...everybody, fields: () => ({ q: 'Plaza Mayor 1' }) },

  'evidence.presignUpload': {
    stranger: 'FORBIDDEN',
    worker: 'ok',
    on: 'accepted',
    fields: (_world, { task_id }) => ({ task_id }),
  },
  'evidence.presignDownload': {
    stranger: 'FORBIDDEN',
    worker: 'ok',
    publisher: 'ok',
    async fields({ scene, worker }) {
      const { taskId, publicUrl, key } = await uploaded(scene)
      expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence: { photo: publicUrl } }), 201)
      return { key }
    },
  },

  'listings.create': { ...everybody, fields: () => offer },
  'listings.browse': everybody,
  'listings.mine': { ...everybody, anonymous: 'empty' },
  'listings.match': { ...everybody, on: 'open' },
  'listings.get': { ...everybody, fields: listing },
  'listings.update': {
    stranger: 'FORBIDDEN',
    worker: 'ok',
    fields: async (world) => ({ ...(await listing(world)), skills: ['gates'] }),
  },
  'listings.order': { ...everybody, worker: 'OWN_LISTING', fields: listing },
  'operations.get': { ...everybody, fields: () => ({ key: 'a-key-of-nobody' }) },

  'events.list': { ...everybody, anonymous: 'empty' },
  'events.stream': everybody,

  'admin.metrics': everybody,
  'admin.tasks': everybody,
  'admin.forceTask': { ...everybody, on: 'accepted', fields: () => ({ status: 'cancelled', reason }) },
  'admin.elapse': { ...everybody, on: 'accepted', fields: () => ({ hours: 1, reason }) },
  'admin.workers': everybody,
  'admin.ban': { ...everybody, fields: () => ({ executor_id: `0x${'9'.repeat(40)}`, banned: true, reason }) },
  'admin.sweepFees': { ...everybody, fields: () => ({ reason }) },
  'admin.readConfig': everybody,
  'admin.changeConfig': { ...everybody, fields: () => ({ key: 'bounty.min_usd', value: null, reason }) },
  'admin.findings': everybody,
  'admin.reports': everybody,
  'admin.decideReport': {
    ...everybody,
    on: 'open',
    fields: async (world, { task_id = '' }) => ({
      report_id: await reported(world, task_id),
      action: 'note',
      reason,
    }),
  },
  'admin.audit': everybody,
} satisfies Partial<Rows>

async function reported({ parties }: World, taskId: string): Promise<string> {
  const told = { target: 'task', target_id: taskId, reason: 'spam' }
  return String(expectStatus(await parties.stranger.call('POST', '/api/v1/reports', told), 201).body['id'])
}
