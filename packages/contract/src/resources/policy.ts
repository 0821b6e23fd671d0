import * as Type from 'typebox'
import { policyLimits as limits } from '../facts/policy-limits.ts'
import { id, instant, nullable, open, optional, wallet } from '../schema.ts'

/** What silence does once the review time is over (decision 0157). */
export const silenceOutcomes = ['release', 'dispute'] as const

const onSilence = (options: object = {}) =>
  Type.Enum([...silenceOutcomes], {
    description:
      'What happens when nobody decides in the review time. release: the worker is paid where the required checks ' +
      'passed, else a dispute opens. dispute: a dispute opens. Never a refund.',
    ...options,
  })
const whole = (minimum: number, maximum: number, description: string, options: object = {}) =>
  Type.Integer({ minimum, maximum, description, ...options })

/** What a publisher asks for; what is left out has its default. */
export const policyFields = {
  review_hours: optional(
    whole(limits.reviewHoursMin, limits.reviewHoursMax, 'Hours to look at what was handed in.', {
      default: limits.reviewHoursDefault,
    }),
  ),
  dispute_hours: optional(
    whole(limits.disputeHoursMin, limits.disputeHoursMax, 'Hours in which a dispute can be decided.', {
      default: limits.disputeHoursDefault,
    }),
  ),
  on_silence: optional(onSilence({ default: 'release' })),
  revisions_max: optional(
    whole(0, limits.revisionsMax, 'How often changes may be asked for.', { default: limits.revisionsDefault }),
  ),
  start_hours: optional(
    whole(
      1,
      limits.startHoursMax,
      'Hours in which the assigned worker has to begin, else the task goes to the next who waits; left out: any time.',
    ),
  ),
  applications_max: optional(
    whole(1, limits.applicationsMax, 'How many may wait to be chosen at once; left out: any number.'),
  ),
  arbiter: optional(wallet('The only one who may rule on a dispute, of GET /api/v1/arbiters; left out: any of them.')),
  criteria_required: optional(
    Type.Boolean({ description: 'Whether a rejection has to cite a criterion.', default: false }),
  ),
}

/** The policy of a task, as workers read it before they apply. */
export const policy = open(
  {
    review_hours: Type.Integer(),
    dispute_hours: Type.Integer(),
    on_silence: onSilence(),
    revisions_max: Type.Integer(),
    applications_max: nullable(Type.Integer()),
    start_hours: nullable(Type.Integer()),
    arbiter: nullable(wallet('The only one who may rule on a dispute; null: any arbiter, or the operator.')),
    criteria_required: Type.Boolean(),
  },
  'What can be relied on, fixed by the first application; null: the task expires at its deadline, whatever was handed in.',
)

export const policyAnswer = open({
  task_id: id('The task.'),
  policy: nullable(policy),
  fixed: Type.Boolean({ description: 'Whether it can be changed no more.' }),
  money_bound_until: nullable(
    instant('Until when an authorization is asked to last, by the deadline as it is now; null without a policy.'),
  ),
})
