import { evidenceKindOf } from '@ergon/contract/facts'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { createDecide } from './decide.ts'
import type { ApiDeps } from './deps.ts'
import { usd } from './present/money.ts'
import { pageFields, pageRequest, sliceFields, sliceFrom } from './present/page.ts'
import { presentRelease } from './present/payment.ts'
import { presentAsked, presentSplit, presentTypedData } from './present/typed-data.ts'
import { presentDispute, presentReturned, presentSubmission } from './present/work.ts'

type Some = Partial<HandlersOf<'submissions'>>

export function createSubmissionHandlers(deps: ApiDeps): HandlersOf<'submissions'> {
  return { ...createReads(deps), ...createDecisions(deps) }
}

const createReads = ({ market }: ApiDeps) =>
  ({
    'submissions.list': async ({ caller }, input) => {
      const page = await market.listSubmissions(
        caller,
        { status: input.status ?? null, taskId: input.task_id ?? null },
        pageRequest(input),
      )
      return done({ submissions: page.rows.map(presentSubmission), ...pageFields(page) })
    },
    'submissions.get': async ({ caller }, input) =>
      done(presentSubmission(await market.readSubmission(caller, input.submission_id))),
    'submissions.evidence': async ({ caller }, input) => {
      const submission = await market.readSubmission(caller, input.submission_id)
      const { evidence_accessed_at, task_id, taken_down } = presentSubmission(submission)
      const entries = Object.entries(submission.evidence).map(([type, value]) => {
        const url = fileLink(type, value)
        return { type, kind: url === null ? ('value' as const) : ('file' as const), url, value }
      })
      const part = sliceFrom(entries, input)
      return done({
        submission_id: submission.id,
        task_id,
        evidence: [...part.rows],
        ...sliceFields(part),
        taken_down,
        evidence_accessed_at,
      })
    },
  }) satisfies Some

const createDecisions = (deps: ApiDeps) => {
  const { market } = deps
  const decide = createDecide(deps)
  return {
    'submissions.approveChallenge': async ({ caller }, input) => {
      const challenge = await market.approveChallenge(caller, input.submission_id, input.payer ?? null)
      const direct = (auth: typeof challenge.payoutAuth) => (auth === null ? null : presentAsked(auth))
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
        settlement_transaction: challenge.transaction === null ? null : presentSplit(challenge.transaction),
        expires_at: challenge.expiresAt.toISOString(),
      })
    },
    'submissions.approve': ({ caller }, { submission_id, ...fields }) => decide.approve(caller, submission_id, fields),
    'submissions.reject': ({ caller }, input) =>
      decide.reject(caller, input.submission_id, { reason: input.reason, criteria: input.criteria ?? [] }),
    'submissions.requestChanges': async ({ caller }, input) => {
      const { submission, task } = await market.requestChanges(caller, input.submission_id, input.reason)
      return done(presentReturned(submission, task))
    },
    'submissions.dispute': async ({ caller }, input) =>
      done(
        presentDispute(
          await market.openDispute(caller, input.submission_id, {
            reason: input.reason,
            description: input.description,
          }),
        ),
      ),
  } satisfies Some
}

/** A stored file comes back as a link; every other value is what was typed. */
function fileLink(type: string, value: unknown): string | null {
  return evidenceKindOf(type)?.kind === 'file' && typeof value === 'string' ? value : null
}
