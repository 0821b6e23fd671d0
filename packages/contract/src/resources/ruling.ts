import * as Type from 'typebox'
import { hex32, id, instant, nullable, open, optional, signatureText, text, wallet } from '../schema.ts'
import { disputeVerdicts, limits } from '../vocabulary.ts'

/** What an arbiter decides and why (decision 0168). */
export const ruled = {
  verdict: Type.Enum([...disputeVerdicts]),
  split_pct: optional(
    Type.Integer({
      minimum: 1,
      maximum: 99,
      description: "The payer's share in percent; required with split, absent otherwise.",
    }),
  ),
  reason: text('Why.', limits.reasonMin, limits.reasonMax),
  criteria: Type.Array(text('A criterion that the ruling goes by.', 1, limits.reasonMax), {
    minItems: 1,
    maxItems: limits.criteriaMax,
    description: 'What the ruling goes by.',
  }),
}

/** What the signature over it brings along; without them it answers what to sign. */
export const signedOfRuling = {
  deadline: optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Of the challenge.' })),
  nonce: optional(hex32('Of the challenge.')),
  signature: optional(signatureText('Over the ruling, by the arbiter.')),
}

export const ruling = open({
  id: id('The ruling.'),
  dispute_id: id('The dispute.'),
  task_id: id('The task.'),
  arbiter: wallet('Who ruled.'),
  verdict: Type.Enum([...disputeVerdicts]),
  split_pct: nullable(Type.Integer({ description: "The payer's share in percent, of a split." })),
  reason: Type.String(),
  criteria: Type.Array(Type.String(), { description: 'What the ruling goes by.' }),
  status: Type.Enum(['standing', 'appealed', 'executed', 'overtaken'], {
    description:
      'standing: it is carried out when nobody appeals. appealed: the operator decides. overtaken: the dispute ended otherwise.',
  }),
  appeal_until: instant('Until when a party may appeal.'),
  appealed_by: nullable(Type.Enum(['publisher', 'worker'])),
  appeal_reason: nullable(Type.String()),
  nonce: hex32('Of what was signed.'),
  deadline: Type.Integer({ description: 'Of what was signed.' }),
  signature: signatureText('Over the ruling, by the arbiter.'),
  created_at: instant('When it was handed in.'),
})
