import type { InputOf, Operations } from '@ergon/contract'
import type { ApproveInput, RejectInput, WalletCaller } from '@ergon/core'
import { done, type AnswerOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { answerApproval } from './present/payment.ts'
import { presentRejection } from './present/work.ts'

type ApproveFields = Omit<InputOf<Operations['submissions.approve']>, 'submission_id'>

/** Decisions about a submission, whether it is named itself or by its task. */
export type Decide = {
  approve(
    caller: WalletCaller,
    submissionId: string,
    input: ApproveFields,
  ): Promise<AnswerOf<Operations['submissions.approve']>>
  reject(
    caller: WalletCaller,
    submissionId: string,
    input: RejectInput,
  ): Promise<AnswerOf<Operations['submissions.reject']>>
}

export function createDecide({
  market,
  checkApproval,
  withinCap,
  standingRelease,
}: Pick<ApiDeps, 'market' | 'checkApproval' | 'withinCap' | 'standingRelease'>): Decide {
  return {
    async approve(caller, submissionId, input) {
      const asked = approveInput(input)
      const approve = (order: ApproveInput['order']) => market.approve(caller, submissionId, { ...asked, order })
      if (input.approval === undefined) {
        const within = async () => approve(asked.order ?? (await standingRelease(caller, submissionId)))
        return answerApproval(await withinCap(caller, submissionId, within))
      }
      // Nothing moves without an order or both payments: the refusal says which, and the approval is not spent on it.
      if (asked.order === null && (asked.payoutAuth === null || asked.feeAuth === null))
        return answerApproval(await approve(null))
      // The payer's own word for this very release: no limit of a token is asked (spec §5, OAuth 10).
      await checkApproval(caller, submissionId, input.approval)
      return answerApproval(await approve(asked.order))
    },
    async reject(caller, submissionId, input) {
      const { submission, task, dispute } = await market.reject(caller, submissionId, input)
      return done(presentRejection(submission, task, dispute))
    },
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
