import { eventually, expectStatus } from '../http/live-market.ts'
import { sendJson } from '../http/live-people.ts'
import type { Scene } from './scene.ts'
import type { Steps } from './steps.ts'
import { uploaded } from './uploaded.ts'

const reason = 'The tour comes by.'
const listing = {
  title: 'Photographs of gates',
  description: 'One sharp photograph of any gate in town.',
  category: 'simple_action',
  unit_price_usd: 1,
  skills: ['Photography'],
}

/** What the house shows and runs: health, discovery, listings, evidence, events and the admin key. */
export const houseSteps = {
  'service.health': ({ get }) => get('/api/v1/health'),
  'service.healthPayments': ({ get }) => get('/api/v1/health/payments'),
  'service.healthIdentity': ({ get }) => get('/api/v1/health/identity'),
  'service.healthNetworks': ({ get }) => get('/api/v1/health/networks'),
  'service.config': ({ get }) => get('/api/v1/config'),
  'service.agentInfo': ({ get }) => get('/api/v1/agent-info'),
  'service.skills': ({ get }) => get('/api/v1/skills'),
  async 'service.agentCard'({ get }) {
    await get('/.well-known/agent.json')
    await get('/.well-known/agent-card.json')
  },
  'places.find': ({ get }) => get('/api/v1/places?q=Plaza%20Mayor%201&language=es'),
  'auth.nonce': ({ get }) => get('/api/v1/auth/nonce'),
  'auth.signingPolicy': ({ get }) => get('/api/v1/auth/erc8128/info'),
  'auth.info': ({ get }) => get('/api/v1/auth/info'),
  async 'agents.exchangeKey'({ market, journal, agentKey }) {
    journal.note(
      'POST',
      '/api/v1/agent/auth',
      await sendJson(market.url, 'POST', '/api/v1/agent/auth', { api_key: agentKey }, {}),
    )
  },
  'agents.directory': ({ get }) => get('/api/v1/agents/directory?page=1&limit=3'),

  'evidence.presignUpload': (scene) => uploaded(scene),
  async 'evidence.presignDownload'(scene) {
    const { taskId, publicUrl, key } = await uploaded(scene)
    expectStatus(
      await scene.worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence: { photo: publicUrl } }),
      201,
    )
    const link = new URL(
      String(
        expectStatus(await scene.publisher.call('GET', `/api/v1/evidence/presign-download?key=${key}`), 200).body[
          'download_url'
        ],
      ),
    )
    const file = await fetch(scene.market.url + link.pathname + link.search)
    if (!file.ok) throw new Error(`the link to the photo answers ${String(file.status)}`)
  },

  'listings.create': (scene) => posted(scene),
  'listings.browse': ({ get }) => get('/api/v1/services?skills=photography'),
  'listings.mine': ({ worker }) => worker.call('GET', '/api/v1/services/mine'),
  'listings.match': async ({ get, published }) => get(`/api/v1/services/match/for-task/${await published()}`),
  'listings.get': async (scene) => scene.get(`/api/v1/services/${await posted(scene)}`),
  'listings.update': async (scene) =>
    scene.worker.call('PATCH', `/api/v1/services/${await posted(scene)}`, { availability: 'paused' }),
  'listings.order': async (scene) =>
    scene.publisher.call('POST', `/api/v1/services/${await posted(scene)}/order`, { bounty_usd_override: 1 }),

  'events.list': ({ publisher }) => publisher.call('GET', '/api/v1/events?limit=5'),
  async 'events.stream'({ market, journal, published }) {
    const stop = new AbortController()
    const stream = await fetch(`${market.url}/api/v1/events/stream?scope=public`, { signal: stop.signal })
    let text = ''
    const reading = (async () => {
      for await (const bytes of stream.body ?? []) text += new TextDecoder().decode(bytes)
    })().catch(() => undefined)
    const taskId = await published()
    await eventually(
      () => Promise.resolve(text),
      (said) => said.includes(taskId),
    )
    stop.abort()
    await reading
    if (!text.includes(taskId)) throw new Error('the stream does not tell of the task')
    journal.note('GET', '/api/v1/events/stream', { status: stream.status, headers: {}, body: {} })
  },

  'admin.metrics': ({ admin }) => admin('GET', '/api/v1/admin/metrics'),
  'admin.tasks': ({ admin }) => admin('GET', '/api/v1/admin/tasks?status=completed'),
  'admin.forceTask': async ({ admin, accepted }) =>
    admin('PUT', `/api/v1/admin/tasks/${(await accepted()).taskId}`, { status: 'cancelled', reason }),
  'admin.elapse': async ({ admin, accepted }) =>
    admin('POST', `/api/v1/admin/tasks/${(await accepted()).taskId}/elapse`, { hours: 1, reason }),
  'admin.workers': ({ admin }) => admin('GET', '/api/v1/admin/workers?status=active'),
  async 'admin.ban'({ market, admin }) {
    const { wallet } = await market.party(0n)
    for (const banned of [true, false]) await admin('PUT', `/api/v1/admin/workers/${wallet}/ban`, { banned, reason })
  },
  async 'admin.sweepFees'({ admin, completed }) {
    await completed()
    await admin('POST', '/api/v1/admin/fees/sweep', { network: 'localnet', reason })
  },
  'admin.readConfig': ({ admin }) => admin('GET', '/api/v1/admin/config'),
  async 'admin.changeConfig'({ admin }) {
    for (const value of [0.02, null])
      await admin('PUT', '/api/v1/admin/config', { key: 'bounty.min_usd', value, reason })
  },
  'admin.findings': ({ admin }) => admin('GET', '/api/v1/admin/findings?limit=10'),
  'admin.reports': ({ admin }) => admin('GET', '/api/v1/admin/reports'),
  async 'admin.decideReport'({ admin, worker, published }) {
    const told = { target: 'task', target_id: await published(), reason: 'spam' }
    const { id } = expectStatus(await worker.call('POST', '/api/v1/reports', told), 201).body
    for (const action of ['note', 'dismiss'])
      await admin('PUT', `/api/v1/admin/reports/${String(id)}`, { action, reason })
  },
  'admin.audit': ({ admin }) => admin('GET', '/api/v1/admin/audit'),
} satisfies Partial<Steps>

export async function posted({ worker }: Scene): Promise<string> {
  return String(expectStatus(await worker.call('POST', '/api/v1/services', listing), 201).body['id'])
}
