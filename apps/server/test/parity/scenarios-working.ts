import { approveFields, expectStatus, paymentAuth } from '../http/live-market.ts'
import type { Scenario } from './scenario.ts'

const evidence = { text_response: 'It is open.' }
const why = { reason: 'The gate is not on it.' }
const someId = '01890000-0000-7000-8000-000000000000'
const inItsState = { A2A: 'a Task in state auth-required' } as const

/** Doing work, and paying for it. */
export const workingScenarios: readonly Scenario[] = [
  {
    name: 'An agent registers',
    operation: 'workers.register',
    expected: 'ok',
    act: async ({ worker }) => ({ as: worker, input: { executor_type: 'agent', name: 'R 1' } }),
  },
  {
    name: 'A worker applies',
    operation: 'tasks.apply',
    expected: 'ok',
    act: async ({ worker, published }) => ({
      as: worker,
      input: { task_id: await published(), message: 'I am near.' },
    }),
  },
  {
    name: 'A worker applies twice',
    operation: 'tasks.apply',
    expected: 'already_applied',
    act: async ({ worker, applied }) => ({
      as: worker,
      input: { task_id: (await applied()).taskId, message: 'I am near.' },
    }),
  },
  {
    name: 'A publisher applies to its own task',
    operation: 'tasks.apply',
    expected: 'SELF_PAYMENT_BLOCKED',
    act: async ({ publisher, published }) => ({ as: publisher, input: { task_id: await published() } }),
  },
  {
    name: 'A banned wallet applies',
    operation: 'tasks.apply',
    expected: 'WALLET_BLOCKED',
    act: async ({ banned, published }) => ({ as: banned, input: { task_id: await published() } }),
  },
  {
    name: 'The publisher reads who applied',
    operation: 'tasks.applications',
    expected: 'ok',
    act: async ({ publisher, applied }) => ({ as: publisher, input: { task_id: (await applied()).taskId } }),
  },
  {
    name: 'A stranger reads who applied',
    operation: 'tasks.applications',
    expected: 'FORBIDDEN',
    act: async ({ stranger, applied }) => ({ as: stranger, input: { task_id: (await applied()).taskId } }),
  },
  {
    name: 'A stranger assigns',
    operation: 'tasks.assign',
    expected: 'FORBIDDEN',
    async act({ stranger, applied }) {
      const { taskId, executorId } = await applied()
      return { as: stranger, input: { task_id: taskId, executor_id: executorId } }
    },
  },
  {
    name: 'The publisher assigns without signing the lock',
    operation: 'tasks.assign',
    expected: 'escrow_signature_required',
    otherwise: inItsState,
    async act({ publisher, applied }) {
      const { taskId, executorId } = await applied()
      return { as: publisher, input: { task_id: taskId, executor_id: executorId } }
    },
  },
  {
    name: 'The publisher assigns',
    operation: 'tasks.assign',
    expected: 'ok',
    async act({ publisher, applied }) {
      const job = await applied()
      return {
        as: publisher,
        input: { task_id: job.taskId, executor_id: job.executorId, payment_auth: await paymentAuth(publisher, job) },
      }
    },
  },
  {
    name: 'The publisher assigns with the signature for another amount',
    operation: 'tasks.assign',
    expected: 'AMOUNT_MISMATCH',
    async act({ publisher, applied }) {
      const [job, other] = [await applied(), await applied({ bounty_usd: 2 })]
      return {
        as: publisher,
        input: { task_id: job.taskId, executor_id: job.executorId, payment_auth: await paymentAuth(publisher, other) },
      }
    },
  },
  {
    name: 'A worker submits',
    operation: 'tasks.submit',
    expected: 'ok',
    act: async ({ worker, accepted }) => ({ as: worker, input: { task_id: (await accepted()).taskId, evidence } }),
  },
  {
    name: 'A worker submits without evidence',
    operation: 'tasks.submit',
    expected: 'VALIDATION_FAILED',
    act: async ({ worker, accepted }) => ({ as: worker, input: { task_id: (await accepted()).taskId, evidence: {} } }),
  },
  {
    name: 'A worker submits another kind of evidence',
    operation: 'tasks.submit',
    expected: 'EVIDENCE_MISSING',
    act: async ({ worker, accepted }) => ({
      as: worker,
      input: { task_id: (await accepted()).taskId, evidence: { gps: { lat: 1, lng: 2 } } },
    }),
  },
  {
    name: 'A stranger submits',
    operation: 'tasks.submit',
    expected: 'FORBIDDEN',
    act: async ({ stranger, accepted }) => ({ as: stranger, input: { task_id: (await accepted()).taskId, evidence } }),
  },
  {
    name: 'The publisher reads what was submitted',
    operation: 'tasks.submissions',
    expected: 'ok',
    act: async ({ publisher, submitted }) => ({ as: publisher, input: { task_id: (await submitted()).taskId } }),
  },
  {
    name: 'A stranger reads what was submitted',
    operation: 'tasks.submissions',
    expected: 'FORBIDDEN',
    act: async ({ stranger, submitted }) => ({ as: stranger, input: { task_id: (await submitted()).taskId } }),
  },
  {
    name: 'The publisher approves without signing',
    operation: 'submissions.approve',
    expected: 'LIFECYCLE_ORDER_REQUIRED',
    act: async ({ publisher, submitted }) => ({
      as: publisher,
      input: { submission_id: (await submitted()).submissionId },
    }),
  },
  {
    name: 'The publisher approves with the order of another submission',
    operation: 'submissions.approve',
    expected: 'LIFECYCLE_ORDER_INVALID',
    async act({ publisher, submitted }) {
      const [job, other] = [await submitted(), await submitted()]
      return {
        as: publisher,
        input: { submission_id: job.submissionId, ...(await approveFields(publisher, other.submissionId)) },
      }
    },
  },
  {
    name: 'A stranger approves',
    operation: 'submissions.approve',
    expected: 'FORBIDDEN',
    async act({ publisher, stranger, submitted }) {
      const { submissionId } = await submitted()
      return { as: stranger, input: { submission_id: submissionId, ...(await approveFields(publisher, submissionId)) } }
    },
  },
  {
    name: 'The publisher approves and the worker is paid',
    operation: 'submissions.approve',
    expected: 'ok',
    async act({ publisher, submitted }) {
      const { submissionId } = await submitted()
      return {
        as: publisher,
        input: { submission_id: submissionId, ...(await approveFields(publisher, submissionId)) },
      }
    },
  },
  {
    name: 'A submission nobody made is approved',
    operation: 'submissions.approve',
    expected: 'SUBMISSION_NOT_FOUND',
    act: async ({ publisher }) => ({ as: publisher, input: { submission_id: someId } }),
  },
  {
    name: 'A submission is read',
    operation: 'submissions.get',
    expected: 'ok',
    act: async ({ publisher, submitted }) => ({
      as: publisher,
      input: { submission_id: (await submitted()).submissionId },
    }),
  },
  {
    name: 'A submission is rejected and a dispute opens',
    operation: 'submissions.reject',
    expected: 'ok',
    act: async ({ publisher, submitted }) => ({
      as: publisher,
      input: { submission_id: (await submitted()).submissionId, ...why },
    }),
  },
  {
    name: 'A submission is rejected without a reason',
    operation: 'submissions.reject',
    expected: 'VALIDATION_FAILED',
    act: async ({ publisher, submitted }) => ({
      as: publisher,
      input: { submission_id: (await submitted()).submissionId },
    }),
  },
  {
    name: 'Changes are asked for',
    operation: 'submissions.requestChanges',
    expected: 'ok',
    act: async ({ publisher, submitted }) => ({
      as: publisher,
      input: { submission_id: (await submitted()).submissionId, ...why },
    }),
  },
  {
    name: 'A stranger opens a dispute',
    operation: 'submissions.dispute',
    expected: 'FORBIDDEN',
    act: async ({ stranger, submitted }) => ({
      as: stranger,
      input: {
        submission_id: (await submitted()).submissionId,
        reason: 'no_response',
        description: 'Nobody looks at it.',
      },
    }),
  },
  {
    name: 'A worker steps down',
    operation: 'tasks.withdraw',
    expected: 'ok',
    act: async ({ worker, accepted }) => ({
      as: worker,
      input: { task_id: (await accepted()).taskId, reason: 'I am ill.' },
    }),
  },
  {
    name: 'A stranger steps down',
    operation: 'tasks.withdraw',
    expected: 'FORBIDDEN',
    act: async ({ stranger, accepted }) => ({ as: stranger, input: { task_id: (await accepted()).taskId } }),
  },
  {
    name: 'A service nobody offers is ordered',
    operation: 'listings.order',
    expected: 'LISTING_NOT_FOUND',
    act: async ({ publisher }) => ({ as: publisher, input: { listing_id: someId } }),
  },
  {
    name: 'The publisher rates twice',
    operation: 'reputation.rateWorker',
    expected: 'ALREADY_RATED',
    gaps: ['A2A'],
    async act({ publisher, completed }) {
      const { taskId } = await completed()
      expectStatus(await publisher.call('POST', '/api/v1/reputation/workers/rate', { task_id: taskId, score: 90 }), 200)
      return { as: publisher, input: { task_id: taskId, score: 90 } }
    },
  },
  {
    name: 'A rating is prepared before the work is paid',
    operation: 'reputation.prepare',
    expected: 'TASK_NOT_RATEABLE',
    gaps: ['tools'],
    act: async ({ publisher, accepted }) => ({
      as: publisher,
      input: { task_id: (await accepted()).taskId, direction: 'publisher_rates_executor', score: 90 },
    }),
  },
  {
    name: 'What a task has paid is read',
    operation: 'payments.get',
    expected: 'ok',
    act: async ({ publisher, accepted }) => ({ as: publisher, input: { task_id: (await accepted()).taskId } }),
  },
  {
    name: 'A worker asks for a link to upload to',
    operation: 'evidence.presignUpload',
    expected: 'ok',
    act: async ({ worker, accepted }) => ({
      as: worker,
      input: {
        task_id: (await accepted()).taskId,
        evidence_type: 'photo',
        filename: 'gate.jpg',
        content_type: 'image/jpeg',
      },
    }),
  },
  {
    name: 'A stranger asks for a link to upload to',
    operation: 'evidence.presignUpload',
    expected: 'FORBIDDEN',
    act: async ({ stranger, accepted }) => ({
      as: stranger,
      input: {
        task_id: (await accepted()).taskId,
        evidence_type: 'photo',
        filename: 'gate.jpg',
        content_type: 'image/jpeg',
      },
    }),
  },
  {
    name: 'The fees are read',
    operation: 'payments.fees',
    expected: 'ok',
    gaps: ['A2A'],
    act: async ({ stranger }) => ({ as: stranger, input: {} }),
  },
]
