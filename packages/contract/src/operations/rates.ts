import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { ratingScore } from '../resources/work.ts'
import { closed, hex32, id, nullable, open, optional, text, txHash, wallet } from '../schema.ts'
import { limits } from '../vocabulary.ts'

const fields = {
  score: ratingScore,
  task_id: id('The task, exactly 36 characters.'),
  comment: optional(text('Comment, published in the feedback document.', 0, limits.commentMax)),
  proof_tx: optional(hex32('The payment of the task; must be the one that paid for it.')),
}
const given = open({
  success: Type.Boolean({ description: 'True when the rating is on chain; false with 202, while it is on its way.' }),
  transaction_hash: txHash('The rating; null while it is on its way.'),
  feedback_index: nullable(Type.Integer({ description: 'Its index among the ratings of that author for that agent.' })),
  network: Type.String(),
  authored_by: nullable(
    wallet("Author on chain: the facilitator's wallet. A rating the rater itself authors goes through relay/prepare."),
  ),
})
const access = { by: 'wallet', scope: null, unsigned: 401, session: true } as const
const errors = [
  'TASK_NOT_FOUND',
  'FORBIDDEN',
  'TASK_NOT_RATEABLE',
  'ALREADY_RATED',
  'INVALID_REPUTATION_NETWORK',
  'IDENTITY_NOT_FOUND',
  'RATING_REFUSED',
  'WORKER_NOT_FOUND',
] as const

/** Ratings that the service relays under the facilitator's wallet (spec §4 reputation). */
export const rates = {
  worker: operation({
    section: 'reputation',
    summary: "The publisher rates the worker of a completed task; the author on chain is the facilitator's wallet.",
    access,
    input: closed({ ...fields, worker_address: optional(wallet('Must be the worker of the task.')) }),
    output: given,
    success: 200,
    inFlight: true,
    errors,
    rest: [{ method: 'POST', path: '/api/v1/reputation/workers/rate' }],
  }),
  agent: operation({
    section: 'reputation',
    summary: "The worker rates the publisher of a completed task; the author on chain is the facilitator's wallet.",
    access,
    input: closed({
      ...fields,
      agent_id: optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Must be the publisher of the task; omit it where the publisher is a person.',
        }),
      ),
    }),
    output: given,
    success: 200,
    inFlight: true,
    errors,
    rest: [{ method: 'POST', path: '/api/v1/reputation/agents/rate' }],
  }),
}
