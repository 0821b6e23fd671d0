import type { OperationName } from '@ergon/contract'
import { leaveFeeUnpaid } from '../http/unpaid-fee.ts'
import { appliedJob, approval, publisher, submittedJob, worker, type Stage } from './stage.ts'
import { accepted, settled, type Scene } from './keyed-scenes.ts'

/** Operations that move money: what was begun the reconciler may finish or give back. */
export const payingScenes: readonly (readonly [OperationName, (stage: Stage) => Promise<Scene>])[] = [
  [
    'tasks.assign',
    async (stage) => {
      const job = await appliedJob(stage)
      return {
        call: {
          name: 'tasks.assign',
          caller: publisher,
          input: { task_id: job.taskId, executor_id: job.executorId, payment_auth: job.paymentAuth },
        },
        effects: settled(stage, job.taskId, 'lock'),
      }
    },
  ],
  [
    'submissions.approve',
    async (stage) => {
      const job = await submittedJob(stage)
      const { order } = await approval(stage, job.submissionId)
      return {
        call: {
          name: 'submissions.approve',
          caller: publisher,
          input: { submission_id: job.submissionId, lifecycle_order: order },
        },
        effects: settled(stage, job.taskId, 'release'),
      }
    },
  ],
  [
    'tasks.cancel',
    async (stage) => {
      const { taskId } = await accepted(stage)
      return {
        call: { name: 'tasks.cancel', caller: publisher, input: { task_id: taskId } },
        effects: settled(stage, taskId, 'refund'),
      }
    },
  ],
  [
    'payments.payFee',
    async (stage) => {
      const { taskId, submissionId } = await submittedJob(stage)
      await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
      await leaveFeeUnpaid((text, values) => stage.pool.query(text, [...values]), taskId)
      const { auth } = await stage.market.feeChallenge(publisher, taskId)
      return {
        call: {
          name: 'payments.payFee',
          caller: publisher,
          input: { task_id: taskId, settlement_auth_fee: JSON.stringify(auth?.envelope) },
        },
        effects: settled(stage, taskId, 'fee'),
      }
    },
  ],
  [
    'tasks.withdraw',
    async (stage) => {
      const { taskId } = await accepted(stage)
      return {
        call: { name: 'tasks.withdraw', caller: worker, input: { task_id: taskId } },
        effects: settled(stage, taskId, 'stepdown'),
      }
    },
  ],
]
