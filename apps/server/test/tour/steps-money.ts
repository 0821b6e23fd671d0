import pg from 'pg'
import { expectStatus, signEnvelope, type Party } from '../http/live-market.ts'
import { ratingOf } from '../http/rating-of.ts'
import { leaveFeeUnpaid } from '../http/unpaid-fee.ts'
import { jobs, type Scene } from './scene.ts'
import type { Steps } from './steps.ts'

/** Escrow, payments and reputation. */
export const moneySteps = {
  'escrow.health': ({ get }) => get('/api/v1/escrow/health'),
  async 'escrow.refund'({ databaseUrl, publisher, accepted }) {
    const { taskId } = await accepted()
    await overAndStillHeld(databaseUrl, taskId)
    await publisher.call('POST', `/api/v1/escrow/${taskId}/refund`)
  },
  'escrow.reclaim': async ({ publisher, accepted }) =>
    publisher.call('GET', `/api/v1/escrow/task/${(await accepted()).taskId}/reclaim`),
  'escrow.lifecycleChallenge': async ({ publisher, submitted }) =>
    publisher.call('GET', `/api/v1/escrow/task/${(await submitted()).taskId}/lifecycle-challenge`),
  'escrow.config': ({ get }) => get('/api/v1/escrow/config?network=localnet'),

  async 'payments.get'({ get, completed }) {
    const { taskId } = await completed()
    await get(`/api/v1/payments/${taskId}`)
    await get(`/api/v1/tasks/${taskId}/payment`)
  },
  async 'payments.events'({ get, completed }) {
    const { taskId } = await completed()
    await get(`/api/v1/payments/events/${taskId}`)
    await get(`/api/v1/tasks/${taskId}/transactions`)
  },
  'payments.networks': ({ get }) => get('/api/v1/payments/networks'),
  'payments.fees': ({ get }) => get('/api/v1/payments/fees?bounty_usd=1.07'),
  async 'payments.feeChallenge'(scene) {
    const { by, taskId } = await feeOwed(scene)
    await by.call('GET', `/api/v1/tasks/${taskId}/fee/challenge`)
  },
  async 'payments.payFee'(scene) {
    const { by, taskId } = await feeOwed(scene)
    const { body } = expectStatus(await by.call('GET', `/api/v1/tasks/${taskId}/fee/challenge`), 200)
    const fee = body['settlement_auth_fee'] as Parameters<typeof signEnvelope>[1] // the contract's output
    await by.call('POST', `/api/v1/tasks/${taskId}/fee`, { settlement_auth_fee: await signEnvelope(by.signer, fee) })
  },
  'payments.funding': async ({ get, accepted }) => get(`/api/v1/tasks/${(await accepted()).taskId}/funding`),
  'payments.fundingKeys': ({ get }) => get('/api/v1/payments/funding/keys'),
  'payments.balance': ({ get, publisher }) => get(`/api/v1/payments/balance/${publisher.wallet}`),

  'reputation.prepare': async ({ publisher, completed }) => ratingOf(publisher, (await completed()).taskId),
  'reputation.submit': async ({ publisher, completed }) =>
    publisher.call('POST', '/api/v1/reputation/relay/submit', await ratingOf(publisher, (await completed()).taskId)),
  'reputation.register': async ({ market, journal }) =>
    journal.watch(await market.party(0n)).call('POST', '/api/v1/reputation/register', { name: 'Ada' }),
  'reputation.agent': async (scene) => scene.get(`/api/v1/reputation/agents/${await agentIdOf(scene)}`),
  'reputation.identity': ({ get, worker }) =>
    get(`/api/v1/reputation/identity/wallet/${worker.wallet}?network=localnet`),
  async 'reputation.feedback'(scene) {
    const { taskId } = await rated(scene)
    await scene.get(`/api/v1/reputation/feedback/${taskId}`)
  },
  'reputation.networks': ({ get }) => get('/api/v1/reputation/networks'),
  'reputation.rateWorker': (scene) => rated(scene),
  'reputation.rateAgent': async ({ worker, completed }) =>
    worker.call('POST', '/api/v1/reputation/agents/rate', { task_id: (await completed()).taskId, score: 80 }),
  'reputation.leaderboard': ({ get }) => get('/api/v1/reputation/leaderboard?limit=5'),
  'reputation.publisher': ({ get, publisher }) =>
    get(`/api/v1/reputation/publishers/${publisher.wallet.toLowerCase()}`),
  'reputation.platform': ({ get }) => get('/api/v1/reputation/em'),
  'reputation.agentIdentity': async (scene) =>
    scene.get(`/api/v1/reputation/agents/${await agentIdOf(scene)}/identity`),
  'reputation.crossChain': ({ get, worker }) => get(`/api/v1/reputation/wallet/${worker.wallet}/cross-chain`),
} satisfies Partial<Steps>

async function rated({ publisher, completed }: Scene) {
  const job = await completed()
  expectStatus(
    await publisher.call('POST', '/api/v1/reputation/workers/rate', {
      task_id: job.taskId,
      score: 90,
      comment: 'Sharp.',
    }),
    200,
  )
  return job
}

async function agentIdOf({ get, worker }: Scene): Promise<string> {
  return String(expectStatus(await get(`/api/v1/reputation/identity/wallet/${worker.wallet}`), 200).body['agent_id'])
}

/** A publisher of its own, for whoever owes a fee publishes nothing more. */
async function feeOwed({
  market,
  journal,
  worker,
  person,
  databaseUrl,
}: Scene): Promise<{ readonly by: Party; readonly taskId: string }> {
  const by = journal.watch(await market.party(10n))
  const { taskId } = await jobs(by, worker, person).completed()
  await withDatabase(databaseUrl, (client) => leaveFeeUnpaid((text, values) => client.query(text, [...values]), taskId))
  return { by, taskId }
}

/** The state of a task whose refund was refused: what ends a task on its own claims the refund with it. */
async function overAndStillHeld(databaseUrl: string, taskId: string): Promise<void> {
  await withDatabase(databaseUrl, (client) =>
    client.query("update tasks set status = 'expired' where id = $1", [taskId]),
  )
}

async function withDatabase(databaseUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await work(client)
  await client.end()
}
