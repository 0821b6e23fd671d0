import { done } from '../../dispatch/handlers.ts'
import { presentDispute, presentReturned } from '../present/work.ts'
import { approved, rejected } from './decided.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

export function recoverSubmissions(deps: RecoveryDeps): RecoveriesOf<'submissions'> {
  const { market } = deps
  return {
    'submissions.approve': ({ caller }, input) => approved(deps, caller, input.submission_id, input.rating),
    'submissions.reject': ({ caller }, _input, created) => rejected(deps, caller, created),
    'submissions.requestChanges': async ({ caller }, _input, { decided }) => {
      if (decided === undefined) return null
      const submission = await market.readSubmission(caller, decided)
      return done(presentReturned(submission, await market.readTask(caller, submission.taskId)))
    },
    'submissions.dispute': async ({ caller }, _input, { dispute }) =>
      dispute === undefined ? null : done(presentDispute(await market.readDispute(caller, dispute))),
  }
}
