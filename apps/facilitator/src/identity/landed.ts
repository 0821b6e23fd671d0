import type { Terms } from '../chain/draft.ts'
import { Refusal, Unavailable } from '../errors.ts'
import { hashNames } from '../settle/await-outcome.ts'
import type { Outcome } from '../store/intents.ts'

/** The outcome, unless the chain or the node refused. A key that is bound to a failure stays so for good. */
export function landed(outcome: Outcome, { idempotencyKey }: Pick<Terms, 'idempotencyKey'>): Outcome {
  if (outcome.failure === undefined) return outcome
  const final = idempotencyKey !== undefined
  const { code, reason } = outcome.failure
  if (outcome.blockNumber === 0)
    throw new Unavailable('rpc_unavailable', reason, { details: { broadcast: false, final } })
  throw new Refusal(code, `Contract call failed: ${reason}`, {
    status: 409,
    details: { ...hashNames(outcome.transaction), final },
  })
}
