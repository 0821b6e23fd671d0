import type { InputOf, Operations, OutputOf } from '@ergon/contract'
import { nextAction, type PolicyInput, type PolicyView, type TaskPolicy, type SeenTask } from '@ergon/core'
import { instant } from './instant.ts'

type WirePolicy = NonNullable<OutputOf<Operations['tasks.policy']>['policy']>

export function presentPolicy(policy: TaskPolicy): WirePolicy {
  return {
    review_hours: policy.reviewHours,
    dispute_hours: policy.disputeHours,
    on_silence: policy.onSilence,
    revisions_max: policy.revisionsMost,
    applications_max: policy.applicationsMost,
    // Policies that were stored before start-by times say nothing of them.
    start_hours: policy.startHours ?? null,
    arbiter: policy.arbiter ?? null,
    criteria_required: policy.criteriaRequired ?? false,
  }
}

export function presentPolicyView({
  taskId,
  policy,
  fixed,
  boundUntil,
}: PolicyView): OutputOf<Operations['tasks.policy']> {
  return {
    task_id: taskId,
    policy: policy === null ? null : presentPolicy(policy),
    fixed,
    money_bound_until: boundUntil === null ? null : instant(boundUntil),
  }
}

export function presentNextAction(task: SeenTask): OutputOf<Operations['tasks.update']>['next_action'] {
  const next = nextAction(task)
  return next === null ? null : { ...next, by: next.by === null ? null : instant(next.by) }
}

/** Only what was sent; the rest has its default. */
export function policyInput({
  review_hours,
  dispute_hours,
  on_silence,
  revisions_max,
  applications_max,
  start_hours,
  arbiter,
  criteria_required,
}: Omit<InputOf<Operations['tasks.setPolicy']>, 'task_id'>): PolicyInput {
  return {
    ...(review_hours === undefined ? {} : { reviewHours: review_hours }),
    ...(dispute_hours === undefined ? {} : { disputeHours: dispute_hours }),
    ...(on_silence === undefined ? {} : { onSilence: on_silence }),
    ...(revisions_max === undefined ? {} : { revisionsMost: revisions_max }),
    ...(start_hours === undefined ? {} : { startHours: start_hours }),
    ...(applications_max === undefined ? {} : { applicationsMost: applications_max }),
    ...(arbiter === undefined ? {} : { arbiter: arbiter.toLowerCase() }),
    ...(criteria_required === undefined ? {} : { criteriaRequired: criteria_required }),
  }
}
