import {
  approveChallenge,
  approveFields,
  assign,
  aTask,
  expectStatus,
  paymentAuth,
  type Applied,
} from '../http/live-market.ts'
import { leaveFeeUnpaid } from '../http/unpaid-fee.ts'
import { jobs } from '../tour/scene.ts'
import type { Reply } from '../dispatch/send.ts'
import type { Bench } from './bench.ts'
import type { Producers } from './producers.ts'

type Envelope = Readonly<Record<string, unknown>> & {
  readonly paymentRequirements: object
  readonly payload: Readonly<Record<string, unknown>> & { readonly paymentInfo: Readonly<Record<string, unknown>> }
}

const other = `0x${'5'.repeat(40)}`
const failed = { success: false, errorCode: 'ContractCall', errorReason: 'the call reverted', final: true }

/** What the payer signed, and what the chain and the facilitator make of it. */
export const moneyProducers = {
  INVALID_PAYMENT_AUTH: async ({ publisher, applied }) => assign(publisher, await applied(), '{}'),
  NETWORK_MISMATCH: (bench) =>
    assignedWith(bench, (envelope) => ({
      ...envelope,
      paymentRequirements: { ...envelope.paymentRequirements, network: 'eip155:8453' },
    })),
  OPERATOR_MISMATCH: (bench) => assignedWith(bench, withInfo({ operator: other })),
  FORBIDDEN_RECEIVER: (bench) => assignedWith(bench, withInfo({ receiver: other })),
  AMOUNT_MISMATCH: (bench) => assignedWith(bench, withInfo({ maxAmount: '1' })),
  INVALID_SIGNATURE: (bench) =>
    assignedWith(bench, (envelope) => ({
      ...envelope,
      payload: { ...envelope.payload, signature: `0x${'1'.repeat(130)}` },
    })),
  async PAYMENT_AUTH_USED({ publisher, applied }) {
    const [job, other] = [await applied(), await applied()]
    return assign(publisher, job, await paymentAuth(publisher, other))
  },
  async escrow_signature_required({ publisher, applied }) {
    const { taskId, executorId } = await applied()
    return publisher.call('POST', `/api/v1/tasks/${taskId}/assign`, { executor_id: executorId })
  },
  async INSUFFICIENT_FUNDS({ market, worker }) {
    const poor = await market.party(0n)
    const taskId = String(
      expectStatus(
        await poor.call('POST', '/api/v1/tasks', {
          title: 'Photograph the gate',
          instructions: 'Stand in front of the gate and write what you see.',
          category: 'simple_action',
          bounty_usd: 1,
          evidence_required: ['text_response'],
        }),
        201,
      ).body['id'],
    )
    const job = {
      taskId,
      executorId: String(
        expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201).body['executor_id'],
      ),
    }
    return assign(poor, job, await paymentAuth(poor, job))
  },
  async FEE_UNPAID(bench) {
    const by = await bench.market.party(10n)
    const { taskId } = await jobs(by, bench.worker, bench.person).completed()
    await leaveFeeUnpaid(bench.sql, taskId)
    return by.call('POST', '/api/v1/tasks', aTask())
  },
  FEE_NOT_OWED: async ({ publisher, completed }) =>
    publisher.call('GET', `/api/v1/tasks/${(await completed()).taskId}/fee/challenge`),
  LOCK_REVERTED: (bench) =>
    bench.facilitator.answering('/settle', 400, failed, () => assignedWith(bench, (envelope) => envelope)),
  async NETWORK_NO_ESCROW(bench) {
    return bench.facilitator.answering(
      '/settle',
      400,
      { success: false, errorCode: 'UnsupportedNetwork', errorReason: 'no escrow here', final: true },
      () => assignedWith(bench, (envelope) => envelope),
    )
  },

  ESCROW_NOT_RELEASABLE: async ({ publisher, completed }) =>
    publisher.call('GET', `/api/v1/escrow/task/${(await completed()).taskId}/lifecycle-challenge`),
  ESCROW_NOT_REFUNDABLE: async ({ publisher, accepted }) =>
    publisher.call('POST', `/api/v1/escrow/${(await accepted()).taskId}/refund`),
  LIFECYCLE_ORDER_REQUIRED: async (bench) => approvedAfter(bench, () => Promise.resolve(), {}),
  LIFECYCLE_ORDER_INVALID: (bench) =>
    approvedAfter(
      bench,
      () => Promise.resolve(),
      (fields) => ({
        ...fields,
        lifecycle_order: { ...(fields['lifecycle_order'] as object), signature: `0x${'1'.repeat(130)}` },
      }),
    ), // what approveFields made
  async APPROVAL_INVALID({ publisher, submitted }) {
    const { submissionId } = await submitted()
    const {
      release_approval: { typed_data },
    } = await approveChallenge(publisher, submissionId)
    const approval = {
      deadline: Number(typed_data.message['deadline']),
      nonce: typed_data.message['nonce'],
      signature: `0x${'1'.repeat(130)}`,
    }
    return publisher.call(
      'POST',
      `/api/v1/submissions/${submissionId}/approve`,
      await approveFields(publisher, submissionId),
      { 'x-svc-approval': JSON.stringify(approval) },
    )
  },
  AUTHORIZATION_EXPIRED: (bench) =>
    approvedAfter(bench, ({ taskId }) =>
      bench.sql("update escrows set payment = jsonb_set(payment, '{authorizationExpiry}', '1000') where task_id = $1", [
        taskId,
      ]),
    ),
  ESCROW_STATE_MISSING: (bench) =>
    approvedAfter(bench, ({ taskId }) => bench.sql('delete from escrows where task_id = $1', [taskId])),
  WORKER_WALLET_MISSING: (bench) => withWorkerWallet(bench, ''),
  WORKER_WALLET_INVALID: (bench) => withWorkerWallet(bench, 'no wallet'),
  async PAYOUT_NON_POSITIVE({ worker, submitted, sql, admin }) {
    const { taskId, submissionId } = await submitted()
    const dispute = expectStatus(
      await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, {
        reason: 'no_response',
        description: 'Nobody looks at it.',
      }),
      201,
    )
    await sql('update escrows set payment = jsonb_set(payment, \'{maxAmount}\', \'{"$n":"0"}\') where task_id = $1', [
      taskId,
    ])
    return admin('POST', `/api/v1/disputes/${String(dispute.body['id'])}/resolve`, {
      verdict: 'split',
      split_pct: 99,
      reason: 'Nearly nothing is there.',
    })
  },
  async SETTLEMENT_FAILED({ facilitator, publisher, submitted }) {
    const { submissionId } = await submitted()
    const fields = await approveFields(publisher, submissionId)
    return facilitator.answering('/settle', 400, failed, () =>
      publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields),
    )
  },
  async REFUND_FAILED({ facilitator, publisher, accepted }) {
    const { taskId } = await accepted()
    return facilitator.answering('/settle', 400, failed, () => publisher.call('DELETE', `/api/v1/tasks/${taskId}`))
  },
  // The state of a task that is paid without escrow, in mode fase1.
  PAYMENT_AUTH_MISSING: (bench) =>
    approvedAfter(
      bench,
      ({ taskId }) => bench.sql("update tasks set escrow_status = 'none' where id = $1", [taskId]),
      {},
    ),
} satisfies Partial<Producers>

const withInfo =
  (change: Readonly<Record<string, unknown>>) =>
  (envelope: Envelope): unknown => ({
    ...envelope,
    payload: { ...envelope.payload, paymentInfo: { ...envelope.payload.paymentInfo, ...change } },
  })

async function assignedWith({ publisher, applied }: Bench, change: (envelope: Envelope) => unknown): Promise<Reply> {
  const job: Applied = await applied()
  // The envelope as the challenge made it.
  return assign(publisher, job, JSON.stringify(change(JSON.parse(await paymentAuth(publisher, job)) as Envelope)))
}

async function approvedAfter(
  { publisher, submitted }: Bench,
  prepare: (job: { readonly taskId: string }) => Promise<unknown>,
  body?: object | ((fields: Record<string, unknown>) => unknown),
): Promise<Reply> {
  const job = await submitted()
  const fields = await approveFields(publisher, job.submissionId)
  await prepare(job)
  return publisher.call(
    'POST',
    `/api/v1/submissions/${job.submissionId}/approve`,
    typeof body === 'function' ? body(fields) : (body ?? fields),
  )
}

async function withWorkerWallet(bench: Bench, wallet: string): Promise<Reply> {
  const before = bench.worker.wallet.toLowerCase()
  try {
    return await approvedAfter(bench, () =>
      bench.sql('update workers set wallet = $2 where wallet = $1', [before, wallet]),
    )
  } finally {
    await bench.sql('update workers set wallet = $1 where wallet = $2', [before, wallet])
  }
}
