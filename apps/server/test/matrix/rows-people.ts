import { aPicture } from '../http/a-picture.ts'
import { cashOutFields } from '../http/cash-out-fields.ts'
import { approveFields, aTask, expectStatus, paymentAuth } from '../http/live-market.ts'
import { signInText } from '../http/live-people.ts'
import { ratingOf } from '../http/rating-of.ts'
import type { Verdicts } from './roles.ts'
import type { Rows } from './rows.ts'
import { listing } from './rows-house.ts'
import { canaries } from './canaries.ts'
import type { Thing, World } from './world.ts'

const everybody = { stranger: 'ok' } as const satisfies Verdicts
const publisher = { stranger: 'FORBIDDEN', publisher: 'ok' } as const satisfies Verdicts
const worker = { stranger: 'FORBIDDEN', worker: 'ok' } as const satisfies Verdicts
/** The worker of the world, whatever thing is asked about. */
const theWorker = async ({ worker: { wallet }, scene }: World): Promise<{ readonly executor_id: string }> => {
  const { workers } = expectStatus(await scene.admin('GET', `/api/v1/admin/workers?search=${wallet}`), 200).body as {
    readonly workers: readonly { readonly worker: { readonly id: string } | null }[]
  } // the contract's output
  return { executor_id: workers[0]?.worker?.id ?? '' }
}
const rated = ({ task_id }: Thing): Record<string, unknown> => ({ task_id, score: 90, comment: 'Sharp.' })
const nobody = { wallet: `0x${'9'.repeat(40)}` }

/** Workers, reputation, sessions, the rail of people and accounts. */
export const peopleRows = {
  'workers.register': { ...everybody, fields: () => ({ name: 'Ada' }) },
  'workers.get': { ...everybody, fields: theWorker },
  'workers.list': everybody,
  'workers.update': {
    ...worker,
    fields: async (world) => ({ ...(await theWorker(world)), bio: 'I photograph gates.' }),
  },
  'workers.setPicture': {
    ...worker,
    fields: async (world) => ({ ...(await theWorker(world)), picture: aPicture }),
  },
  'workers.removePicture': { ...worker, fields: theWorker },
  'workers.tasks': { ...everybody, fields: theWorker },
  'portfolio.list': { ...everybody, fields: theWorker },
  'workers.earnings': { ...worker, fields: theWorker },
  'workers.reputation': { ...everybody, fields: theWorker },

  'reputation.prepare': {
    ...publisher,
    on: 'completed',
    fields: (_world, { task_id }) => ({ task_id, direction: 'publisher_rates_executor', score: 90 }),
  },
  'reputation.submit': {
    ...publisher,
    on: 'completed',
    fields: ({ publisher: by }, { task_id = '' }) => ratingOf(by, task_id),
  },
  'reputation.register': everybody,
  'reputation.agent': { ...everybody, fields: () => ({ agent_id: 0 }) },
  'reputation.identity': { ...everybody, fields: ({ publisher: { wallet } }) => ({ wallet }) },
  'reputation.feedback': {
    ...everybody,
    async fields({ publisher: by, make }) {
      const thing = await make('completed')
      expectStatus(await by.call('POST', '/api/v1/reputation/workers/rate', rated(thing)), 200)
      return { task_id: thing['task_id'] }
    },
  },
  'reputation.networks': everybody,
  'reputation.rateWorker': { ...publisher, on: 'completed', fields: (_world, thing) => rated(thing) },
  'reputation.rateAgent': { ...worker, on: 'completed', fields: (_world, thing) => rated(thing) },
  'reputation.leaderboard': everybody,
  'reputation.publisher': {
    ...everybody,
    fields: ({ publisher: { wallet } }) => ({ publisher_key: wallet.toLowerCase() }),
  },
  'reputation.platform': everybody,
  'reputation.agentIdentity': { ...everybody, fields: () => ({ agent_id: 0 }) },
  'reputation.crossChain': { ...everybody, fields: ({ worker: { wallet } }) => ({ wallet }) },
  'agents.directory': everybody,

  'auth.nonce': everybody,
  'auth.signingPolicy': everybody,
  'auth.info': everybody,
  'auth.sessionChallenge': { ...everybody, fields: ({ parties }) => ({ wallet: parties.stranger.wallet }) },
  'auth.openSession': {
    ...everybody,
    async fields({ scene: { market }, parties: { stranger } }) {
      const message = String((await signInText(market.url, stranger.wallet)).body['message'])
      return { message, signature: await stranger.signer.signMessage(message) }
    },
  },
  'auth.readSession': everybody,
  'auth.closeSession': { ...everybody, fresh: true },
  'agents.exchangeKey': { ...everybody, fields: ({ scene }) => ({ api_key: scene.agentKey }) },

  'h2a.publish': { ...everybody, fields: () => aTask() },
  'h2a.order': { ...everybody, worker: 'OWN_LISTING', fields: listing },
  'h2a.list': everybody,
  'h2a.get': { ...everybody, on: "a person's applied" },
  'h2a.submissions': { ...publisher, on: "a person's submitted" },
  'h2a.applications': { ...publisher, on: "a person's applied" },
  'h2a.assignChallenge': { ...publisher, on: "a person's applied" },
  'h2a.lifecycleChallenge': { ...publisher, on: "a person's submitted" },
  'h2a.approveChallenge': { ...publisher, on: "a person's submitted" },
  'h2a.assign': {
    ...publisher,
    on: "a person's applied",
    fields: async (world, { task_id = '', executor_id = '' }, role) =>
      role === 'publisherSession'
        ? { payment_auth: await paymentAuth(world.publisher, { taskId: task_id, executorId: executor_id }) }
        : {},
  },
  'h2a.approve': {
    ...publisher,
    on: "a person's submitted",
    fields: async ({ publisher: by }, { submission_id = '' }) => ({
      verdict: 'accepted',
      ...(await approveFields(by, submission_id)),
    }),
  },
  'h2a.cancel': { ...publisher, on: "a person's accepted" },
  'h2a.paymentConfig': everybody,

  'account.export': everybody,
  'account.remove': { ...everybody, fresh: true },
  'account.payboxLink': everybody,
  'account.unlinkPaybox': everybody,
  'account.bindSolanaPayout': {
    stranger: 'PAYOUT_PROOF_INVALID',
    worker: 'ok',
    fields: ({ bindPayout, worker: by }) => bindPayout(by),
  },
  'cashOuts.send': {
    stranger: 'INSUFFICIENT_FUNDS',
    fields: ({ worker: by }) => cashOutFields(by, { to: nobody.wallet, usd: 9_000 }),
  },
  'cashOuts.list': everybody,
  'cashOuts.get': { stranger: 'NOT_FOUND', fields: () => ({ nonce: `0x${'9'.repeat(64)}` }) },
  'reports.create': {
    ...everybody,
    on: 'open',
    fields: (_world, { task_id = '' }, role) => ({
      target: 'task',
      target_id: task_id,
      reason: 'unsafe',
      ...(role === 'worker' ? { note: canaries.reportNote.text } : {}),
    }),
  },
  'reports.list': everybody,
  'users.block': { ...everybody, fields: () => nobody },
  'users.unblock': { ...everybody, fields: () => nobody },
  'users.blocked': everybody,
} satisfies Partial<Rows>
