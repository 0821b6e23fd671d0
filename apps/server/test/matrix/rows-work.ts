import { nothing } from '../errors/producers-requests.ts'
import type { Rows } from './rows.ts'
import { anAskedQuestion, approveFields, aTask, expectStatus, inDays, paymentAuth } from '../http/live-market.ts'
import { acceptFields, anOpenOffer, offerFields, ruled, unsignedRuling } from '../http/live-offers.ts'
import type { Verdicts } from './roles.ts'
import type { Thing, World } from './world.ts'

const everybody = { stranger: 'ok' } as const satisfies Verdicts
const publisher = { stranger: 'FORBIDDEN', publisher: 'ok' } as const satisfies Verdicts
const worker = { stranger: 'FORBIDDEN', worker: 'ok' } as const satisfies Verdicts
const bothSides = { stranger: 'FORBIDDEN', worker: 'ok', publisher: 'ok' } as const satisfies Verdicts

const job = ({ task_id = '', executor_id = '' }: Thing) => ({ taskId: task_id, executorId: executor_id })
const why = { reason: 'The gate is not on it.' }
const signedApproval = async (
  { publisher: by }: World,
  { submission_id = '' }: Thing,
): Promise<Record<string, unknown>> => approveFields(by, submission_id)

const anOffer = async ({ worker: by }: World, { task_id = '' }: Thing): Promise<{ readonly offer_id: string }> => ({
  offer_id: await anOpenOffer(by, task_id),
})

/** Tasks, submissions, disputes and the money behind them. */
export const workRows = {
  'tasks.list': everybody,
  'tasks.available': everybody,
  'tasks.publish': { ...everybody, fields: () => aTask() },
  'tasks.get': { ...everybody, on: 'submitted' },
  'tasks.update': { ...publisher, on: 'open', fields: () => ({ title: 'Photograph the other gate' }) },
  'tasks.cancel': { ...publisher, on: 'accepted' },
  'tasks.apply': {
    stranger: 'ok',
    publisher: 'SELF_PAYMENT_BLOCKED',
    on: 'open',
    fields: () => ({ message: 'I am near.' }),
  },
  'tasks.applications': { ...publisher, on: 'applied' },
  'tasks.assignChallenge': { ...publisher, on: 'applied' },
  'tasks.assign': {
    ...publisher,
    on: 'applied',
    fields: async (world, thing, role) =>
      role === 'publisher' ? { payment_auth: await paymentAuth(world.publisher, job(thing)) } : {},
  },
  'tasks.begin': { ...worker, on: 'accepted' },
  'tasks.application': {
    ...worker,
    publisher: 'WORKER_NOT_APPLIED',
    stranger: 'WORKER_NOT_APPLIED',
    applicant: 'ok',
    on: 'accepted',
  },
  'tasks.submit': { ...worker, on: 'accepted', fields: () => ({ evidence: { text_response: 'It is open.' } }) },
  'tasks.submissions': { ...bothSides, on: 'submitted' },
  'tasks.escrow': { ...everybody, on: 'accepted' },
  'tasks.approve': { ...publisher, on: 'submitted', fields: signedApproval },
  'tasks.reject': { ...publisher, on: 'submitted', fields: () => why },
  'tasks.withdraw': { ...worker, applicant: 'ok', on: 'accepted' },
  'tasks.setLocation': { ...publisher, on: 'open', fields: () => ({ lat: 1, lng: 2 }) },
  'tasks.location': { ...everybody, on: 'accepted' },
  'tasks.removeLocation': { ...publisher, on: 'open' },
  'tasks.setPolicy': { ...publisher, on: 'open', fields: () => ({ review_hours: 48 }) },
  'tasks.policy': { ...everybody, on: 'accepted' },
  'tasks.invite': { ...publisher, on: 'open', fields: ({ worker: by }) => ({ worker: by.wallet }) },
  'portfolio.read': { ...bothSides, on: 'completed' },
  'portfolio.ask': { ...worker, on: 'completed', fields: () => ({ pictures: [] }) },
  'portfolio.answer': {
    ...publisher,
    on: 'completed',
    fields: async ({ worker: by }, { task_id = '' }) => {
      expectStatus(await by.call('PUT', `/api/v1/tasks/${task_id}/portfolio`, { pictures: [] }), 200)
      return { allow: true }
    },
  },
  'portfolio.takeBack': { ...bothSides, on: 'completed' },
  'tasks.extend': { ...publisher, on: 'open', fields: () => ({ deadline: inDays(3) }) },
  'tasks.deadline': { ...everybody, on: 'accepted' },

  // The admin key opens what is in dispute.
  'submissions.get': { ...bothSides, on: 'disputed' },
  'submissions.approveChallenge': { ...publisher, on: 'submitted' },
  'submissions.approve': { ...publisher, on: 'submitted', fields: signedApproval },
  'submissions.reject': { ...publisher, on: 'submitted', fields: () => why },
  'submissions.requestChanges': { ...publisher, on: 'submitted', fields: () => why },
  'submissions.dispute': {
    ...bothSides,
    on: 'submitted',
    fields: () => ({ reason: 'no_response', description: 'Nobody looks at it.' }),
  },
  'submissions.list': { ...everybody, anonymous: 'empty' },
  'submissions.evidence': { ...bothSides, on: 'disputed' },

  'disputes.list': everybody,
  'disputes.get': { ...bothSides, on: 'disputed' },
  'disputes.addEvidence': { ...bothSides, on: 'disputed', fields: () => ({ statement: 'It is at the left.' }) },
  'disputes.arbiters': everybody,
  'disputes.rulingChallenge': {
    stranger: 'ARBITER_UNKNOWN',
    publisher: 'FORBIDDEN',
    worker: 'FORBIDDEN',
    on: 'disputed',
    fields: () => ({ verdict: 'release', reason: 'It is all there.', criteria: 'The gate is on it.' }),
  },
  'disputes.rule': {
    stranger: 'ARBITER_UNKNOWN',
    publisher: 'FORBIDDEN',
    worker: 'FORBIDDEN',
    on: 'disputed',
    fields: () => unsignedRuling,
  },
  'disputes.ruling': {
    ...bothSides,
    on: 'disputed',
    fields: async ({ scene }, { dispute_id = '' }) => {
      await ruled(scene, dispute_id)
      return {}
    },
  },
  'disputes.appeal': {
    ...bothSides,
    on: 'disputed',
    fields: async ({ scene }, { dispute_id = '' }, role) => {
      if (role !== 'stranger') await ruled(scene, dispute_id)
      return { reason: 'It is all there.' }
    },
  },
  // The admin key opens what is in dispute.
  'messages.list': { ...bothSides, on: 'disputed' },
  'messages.send': { ...bothSides, on: 'accepted', fields: () => ({ text: 'The gate is locked.' }) },
  'questions.list': { ...everybody, on: 'open' },
  'questions.ask': { stranger: 'ok', publisher: 'FORBIDDEN', on: 'open', fields: () => ({ text: 'Which gate?' }) },
  'questions.answer': {
    ...publisher,
    on: 'open',
    fields: async ({ worker: by }, { task_id = '' }, role) => ({
      question_id: nothing,
      ...(role.startsWith('publisher') ? await anAskedQuestion(by, task_id) : {}),
      text: 'Both.',
    }),
  },
  'offers.list': { ...bothSides, on: 'submitted' },
  'offers.challenge': { ...bothSides, on: 'submitted', fields: () => ({ worker_amount_usd: 0.5 }) },
  'offers.propose': {
    ...bothSides,
    on: 'submitted',
    fields: async ({ publisher: by, worker: other }, { task_id = '' }, role) =>
      offerFields(role === 'worker' ? other : by, task_id),
  },
  'offers.acceptChallenge': { ...publisher, worker: 'FORBIDDEN', on: 'submitted', fields: anOffer },
  'offers.accept': {
    ...publisher,
    worker: 'FORBIDDEN',
    on: 'submitted',
    fields: async (world, thing) => {
      const { offer_id } = await anOffer(world, thing)
      return { offer_id, ...(await acceptFields(world.publisher, offer_id)) }
    },
  },
  'offers.close': { ...bothSides, on: 'submitted', fields: anOffer },
  'disputes.resolve': {
    ...everybody,
    on: 'disputed',
    fields: () => ({ verdict: 'split', split_pct: 40, reason: 'Half of it is there.' }),
  },

  'escrow.health': everybody,
  'escrow.refund': { ...publisher, on: 'still held' },
  'escrow.reclaim': { ...publisher, on: 'accepted' },
  'escrow.lifecycleChallenge': { ...bothSides, on: 'submitted' },
  'escrow.config': everybody,
  'payments.get': { ...everybody, on: 'completed' },
  'payments.events': { ...everybody, on: 'completed' },
  'payments.networks': everybody,
  'payments.fees': everybody,
  'payments.feeChallenge': { stranger: 'FORBIDDEN', publisher: 'FEE_NOT_OWED', on: 'completed' },
  'payments.payFee': {
    stranger: 'FORBIDDEN',
    publisher: 'FEE_NOT_OWED',
    on: 'completed',
    fields: () => ({ settlement_auth_fee: '{}' }),
  },
  'payments.funding': { ...everybody, on: 'accepted' },
  'payments.fundingKeys': everybody,
  'payments.balance': { ...everybody, fields: ({ publisher: { wallet } }) => ({ wallet }) },
} satisfies Partial<Rows>
