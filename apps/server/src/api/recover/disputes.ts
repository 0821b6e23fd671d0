import { done } from '../../dispatch/handlers.ts'
import { answerResolution, presentStatement } from '../present/dispute.ts'
import { presentRuling } from '../present/ruling.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

export function recoverDisputes({ market }: RecoveryDeps): RecoveriesOf<'disputes'> {
  return {
    'disputes.addEvidence': async ({ caller }, input, { statement }) => {
      if (statement === undefined) return null
      const { statements } = await market.readDispute(caller, input.dispute_id)
      const found = statements.find((one) => one.id === statement)
      return found === undefined ? null : done(presentStatement(found))
    },
    'disputes.rule': async ({ caller }, input, { ruling }) => {
      if (ruling === undefined) return null
      return done(presentRuling(await market.readRuling(caller, input.dispute_id)))
    },
    'disputes.appeal': async ({ caller }, input) => {
      const ruling = await market.readRuling(caller, input.dispute_id)
      return ruling.appealReason === input.reason ? done(presentRuling(ruling)) : null
    },
    'disputes.resolve': async (_call, input) => {
      const dispute = await market.readDispute({ kind: 'admin' }, input.dispute_id) // nobody else may resolve
      const { status: state } = dispute
      return state === 'resolving' || state === 'resolved' ? answerResolution({ state, dispute }) : null
    },
  }
}
