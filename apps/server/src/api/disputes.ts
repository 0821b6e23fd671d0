import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { answerResolution, presentDisputeRecord, presentStatement } from './present/dispute.ts'
import { pageFields, pageRequest } from './present/page.ts'

export function createDisputeHandlers({ market }: ApiDeps): HandlersOf<'disputes'> {
  return {
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
    'disputes.resolve': async ({ caller, request }, input) =>
      answerResolution(
        await market.resolveDispute(caller, input.dispute_id, {
          verdict: input.verdict,
          splitPct: input.split_pct ?? null,
          reason: input.reason,
          by: { actor: input.actor ?? 'admin', requestId: request.requestId },
        }),
      ),
  }
}
