import type { Operations } from '@ergon/contract'
import type { Market, WalletCaller } from '@ergon/core'
import { done, type AnswerOf } from '../dispatch/handlers.ts'
import { presentStatement } from './present/dispute.ts'
import { presentListing, presentOrder } from './present/listing.ts'
import { presentDispute } from './present/work.ts'
import type { Created, Recoveries } from './recover.ts'

type Recovered =
  | 'listings.create'
  | 'listings.order'
  | 'tasks.apply'
  | 'tasks.submit'
  | 'submissions.dispute'
  | 'disputes.addEvidence'
  | 'tasks.reject'
  | 'submissions.reject'
  | 'submissions.requestChanges'

/** What was created once is shown again, and not created a second time. */
export function recoverCreated(market: Market): Pick<Recoveries, Recovered> {
  const rejected = async (
    caller: WalletCaller,
    { decided, dispute }: Created,
  ): Promise<AnswerOf<Operations['submissions.reject']> | null> => {
    if (decided === undefined || dispute === undefined) return null
    const record = await market.readDispute(caller, dispute)
    const task = await market.readTask(caller, record.taskId)
    return done({
      submission_id: decided,
      task_id: record.taskId,
      status: 'rejected' as const,
      task_status: task.status,
      dispute: presentDispute(record),
    })
  }
  return {
    'listings.create': async (_call, _input, { listing }) =>
      listing === undefined ? null : done(presentListing(await market.readListing(listing))),
    'listings.order': async ({ caller }, input, { task }) =>
      task === undefined
        ? null
        : done(presentOrder(await market.readTask(caller, task), await market.readListing(input.listing_id))),
    'tasks.apply': (_call, input, { application, executor }) =>
      Promise.resolve(
        application === undefined || executor === undefined
          ? null
          : done({
              application_id: application,
              task_id: input.task_id,
              executor_id: executor,
              status: 'pending' as const,
            }),
      ),
    'tasks.submit': async ({ caller }, input, { submission }) => {
      if (submission === undefined) return null
      const { id, submittedAt } = await market.readSubmission(caller, submission)
      const task = await market.readTask(caller, input.task_id)
      return done({
        submission_id: id,
        task_id: task.id,
        status: 'pending_review' as const,
        task_status: task.status,
        submitted_at: submittedAt.toISOString(),
      })
    },
    'submissions.dispute': async ({ caller }, _input, { dispute }) =>
      dispute === undefined ? null : done(presentDispute(await market.readDispute(caller, dispute))),
    'disputes.addEvidence': async ({ caller }, input, { statement }) => {
      if (statement === undefined) return null
      const { statements } = await market.readDispute(caller, input.dispute_id)
      const found = statements.find((one) => one.id === statement)
      return found === undefined ? null : done(presentStatement(found))
    },
    'tasks.reject': ({ caller }, _input, created) => rejected(caller, created),
    'submissions.reject': ({ caller }, _input, created) => rejected(caller, created),
    'submissions.requestChanges': async ({ caller }, _input, { decided }) => {
      if (decided === undefined) return null
      const submission = await market.readSubmission(caller, decided)
      const task = await market.readTask(caller, submission.taskId)
      return done({
        submission_id: submission.id,
        task_id: task.id,
        status: 'rejected' as const,
        task_status: task.status,
      })
    },
  }
}
