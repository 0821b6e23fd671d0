import { MarketError, rulingTimes } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { answerResolution, presentDisputeRecord, presentStatement } from './present/dispute.ts'
import { pageFields, pageRequest } from './present/page.ts'
import { presentRuling } from './present/ruling.ts'
import { presentTypedData } from './present/typed-data.ts'

export function createDisputeHandlers({ market }: ApiDeps): HandlersOf<'disputes'> {
  return {
    'disputes.list': async ({ caller }, input) => {
      const found = await market.disputes(
        caller,
        { status: input.status ?? null, taskId: input.task_id ?? null, isArbiter: input.role === 'arbiter' },
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
    'disputes.arbiters': async () =>
      done({ arbiters: [...(await market.arbiters())], appeal_hours: rulingTimes.appealHours }),
    'disputes.rulingChallenge': async ({ caller }, input) => {
      const challenge = await market.rulingChallenge(caller, input.dispute_id, {
        verdict: input.verdict,
        splitPct: input.split_pct ?? null,
        reason: input.reason,
        criteria: input.criteria,
      })
      return done({
        dispute_id: challenge.disputeId,
        typed_data: presentTypedData(challenge.typedData),
        nonce: challenge.nonce,
        deadline: challenge.deadline.getTime() / 1_000,
      })
    },
    'disputes.rule': async ({ caller }, { dispute_id, deadline, nonce, signature, ...input }) => {
      const { verdict, split_pct: splitPct = null, reason, criteria } = input
      const said = { verdict, splitPct, reason, criteria }
      if (deadline === undefined || nonce === undefined || signature === undefined) {
        // What no signature would help against is said first.
        await market.rulingChallenge(caller, dispute_id, said)
        throw new MarketError('RULING_SIGNATURE_REQUIRED', { dispute_id })
      }
      const signed = { deadline: new Date(deadline * 1_000), nonce: nonce.toLowerCase(), signature }
      return done(presentRuling(await market.rule(caller, dispute_id, { ...said, ...signed })))
    },
    'disputes.ruling': async ({ caller }, input) =>
      done(presentRuling(await market.readRuling(caller, input.dispute_id))),
    'disputes.appeal': async ({ caller }, input) =>
      done(presentRuling(await market.appeal(caller, input.dispute_id, input.reason))),
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
