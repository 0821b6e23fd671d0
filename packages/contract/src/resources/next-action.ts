import * as Type from 'typebox'
import { instant, nullable, open } from '../schema.ts'

const whos = ['publisher', 'workers', 'worker', 'operator', 'arbiter', 'service'] as const
const acts = [
  'apply',
  'assign',
  'begin',
  'hand_in',
  'tick',
  'decide',
  'rule',
  'settle',
  'answer_offer',
  'carry_out',
  'pay',
] as const
const otherwises = [
  'expire',
  'hand_on',
  'dispute',
  'release_or_dispute',
  'release_or_expire',
  'dispute_or_expire',
] as const

export type NextWho = (typeof whos)[number]
export type NextAct = (typeof acts)[number]
export type NextOtherwise = (typeof otherwises)[number]

/** Whose turn it is (decision 0159). */
export const nextAction = open(
  {
    who: Type.Enum([...whos], {
      description:
        'Who acts next; workers: whoever wants the task; arbiter: one may decide a dispute, beside the ' +
        'operator; operator: the operator alone.',
    }),
    what: Type.Enum([...acts], {
      description:
        'What is to be done; tick: a session is paid by the tick, and nothing is handed in; settle: money is on its ' +
        'way; carry_out: a ruling, once nobody can appeal.',
    }),
    by: nullable(instant('By when; null where nobody waits for a time.')),
    otherwise: nullable(
      Type.Enum([...otherwises], {
        description: 'What happens else; of two, which one depends on the required checks and on what was signed.',
      }),
    ),
  },
  'Whose turn it is, by when, and what happens otherwise; null when nothing happens any more.',
)
