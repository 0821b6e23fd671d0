import type { InputOf, Operations } from '@ergon/contract'
import type { ApproveInput, ReleaseChallenge, RejectInput, WalletCaller } from '@ergon/core'
import { done, inFlight, type AnswerOf, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { usd } from './present/money.ts'
import { presentApproval } from './present/payment.ts'
import { presentTypedData } from './present/typed-data.ts'
import { presentDispute, presentSubmission } from './present/work.ts'

type DecisionOperations =
  | 'tasks.approve'
  | 'tasks.reject'
  | 'submissions.get'
  | 'submissions.approveChallenge'
  | 'submissions.approve'
  | 'submissions.reject'
  | 'submissions.requestChanges'
type ApproveFields = Omit<InputOf<Operations['submissions.approve']>, 'submission_id'>

export function createDecisionHandlers(deps: ApiDeps): HandlersOf<DecisionOperations> {
  const { market } = deps

  const approve = async (
    caller: WalletCaller,
    submissionId: string,
    input: ApproveFields,
  ): Promise<AnswerOf<Operations['submissions.approve']>> => {
    if (input.approval !== undefined) await deps.checkApproval(caller, submissionId, input.approval)
    const outcome = await market.approve(caller, submissionId, approveInput(input))
    return outcome.state === 'approving' ? inFlight(presentApproval(outcome)) : done(presentApproval(outcome))
  }
  const reject = async (
    caller: WalletCaller,
    submissionId: string,
    input: RejectInput,
  ): Promise<AnswerOf<Operations['submissions.reject']>> => {
    const { submission, task, dispute } = await market.reject(caller, submissionId, input)
    return done({
      submission_id: submission.id,
      task_id: task.id,
      status: 'rejected' as const,
      task_status: task.status,
      dispute: presentDispute(dispute),
    })
  }

  return {
    'tasks.approve': async ({ caller }, { task_id, ...fields }) =>
      approve(caller, await market.currentSubmission(task_id), fields),
    'tasks.reject': async ({ caller }, input) =>
      reject(caller, await market.currentSubmission(input.task_id), {
        reason: input.reason,
        criteria: input.criteria ?? [],
      }),
    'submissions.get': async ({ caller }, input) =>
      done(presentSubmission(await market.readSubmission(caller, input.submission_id))),
    'submissions.approveChallenge': async ({ caller }, input) => {
      const challenge = await market.approveChallenge(caller, input.submission_id)
      const direct = (auth: typeof challenge.payoutAuth) =>
        auth === null ? null : { typed_data: presentTypedData(auth.typedData), envelope: { ...auth.envelope } }
      return done({
        submission_id: challenge.submissionId,
        task_id: challenge.taskId,
        payment_mode: challenge.mode,
        gross_amount_usdc: usd(challenge.gross),
        worker_net_usdc: usd(challenge.payout),
        platform_fee_usdc: usd(challenge.fee),
        release_approval: { typed_data: presentTypedData(challenge.releaseApproval) },
        lifecycle_order: challenge.release === null ? null : presentRelease(challenge.release),
        settlement_auth_worker: direct(challenge.payoutAuth),
        settlement_auth_fee: direct(challenge.feeAuth),
        expires_at: challenge.expiresAt.toISOString(),
      })
    },
    'submissions.approve': ({ caller }, { submission_id, ...fields }) => approve(caller, submission_id, fields),
    'submissions.reject': ({ caller }, input) =>
      reject(caller, input.submission_id, { reason: input.reason, criteria: input.criteria ?? [] }),
    'submissions.requestChanges': async ({ caller }, input) => {
      const { submission, task } = await market.requestChanges(caller, input.submission_id, input.reason)
      return done({
        submission_id: submission.id,
        task_id: task.id,
        status: 'rejected' as const,
        task_status: task.status,
      })
    },
  }
}

/** The release order to sign, as both challenges hand it out. */
export function presentRelease(release: ReleaseChallenge) {
  return {
    typed_data: presentTypedData(release.typedData),
    order: { action: 'release' as const, deadline: release.deadline, nonce: release.nonce },
  }
}

function approveInput(input: ApproveFields): ApproveInput {
  const order = input.lifecycle_order
  return {
    rating: input.rating ?? null,
    feedback: input.feedback ?? null,
    order:
      order === undefined
        ? null
        : {
            signer: order.signer.toLowerCase(),
            deadline: order.deadline,
            nonce: order.nonce.toLowerCase(),
            signature: order.signature,
          },
    payoutAuth: input.settlement_auth_worker ?? null,
    feeAuth: input.settlement_auth_fee ?? null,
  }
}
