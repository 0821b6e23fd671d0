import { done, inFlight, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { presentDisputeRecord, presentStatement } from './present/dispute.ts'
import { pageFields, pageRequest } from './present/page.ts'
import { presentDispute } from './present/work.ts'

type DisputeOperations =
  | 'submissions.dispute'
  | 'disputes.list'
  | 'disputes.get'
  | 'disputes.addEvidence'
  | 'disputes.resolve'
  | 'tasks.withdraw'

export function createDisputeHandlers({ market }: ApiDeps): HandlersOf<DisputeOperations> {
  return {
    'submissions.dispute': async ({ caller }, input) =>
      done(
        presentDispute(
          await market.openDispute(caller, input.submission_id, {
            reason: input.reason,
            description: input.description,
          }),
        ),
      ),
    'disputes.list': async ({ caller }, input) => {
      const found = await market.disputes(
        caller,
        { status: input.status ?? null, taskId: input.task_id ?? null },
        pageRequest(input),
      )
      return done({ disputes: found.rows.map(presentDisputeRecord), ...pageFields(found) })
    },
    'disputes.get': async ({ caller }, input) => {
      const dispute = await market.readDispute(caller, input.dispute_id)
      return done({ ...presentDisputeRecord(dispute), evidence: dispute.statements.map(presentStatement) })
    },
    'disputes.addEvidence': async ({ caller }, input) =>
      done(
        presentStatement(
          await market.addStatement(caller, input.dispute_id, { statement: input.statement, links: input.links ?? [] }),
        ),
      ),
    'disputes.resolve': async ({ caller, request }, input) => {
      const { state, dispute } = await market.resolveDispute(caller, input.dispute_id, {
        verdict: input.verdict,
        splitPct: input.split_pct ?? null,
        reason: input.reason,
        by: { actor: input.actor ?? 'admin', requestId: request.requestId },
      })
      return state === 'resolving' ? inFlight(presentDisputeRecord(dispute)) : done(presentDisputeRecord(dispute))
    },
    'tasks.withdraw': async ({ caller }, input) => {
      const { state, taskId, status, refundTx } = await market.withdraw(caller, input.task_id, input.reason ?? null)
      const body = { task_id: taskId, status, state, refund_tx: refundTx }
      return state === 'withdrawing' ? inFlight(body) : done(body)
    },
  }
}
