import { endOf, movedDeadline } from '../policy/policy.ts'
import type { Place } from './close-dispute.ts'

/** Work was handed in: its review begins, with its three timers, and the deadline waits for its end. */
export async function beginReview(place: Place): Promise<void> {
  const { tx, task, now } = place
  if (task.policy === null) return
  const { reviewHours } = task.policy
  const until = endOf(now, reviewHours, await expiryOf(place))
  await tx.changeTask(task.id, { reviewUntil: until }, now)
  const lasts = until.getTime() - now.getTime()
  await tx.putTimer(task.id, 'review_half', new Date(now.getTime() + lasts * 0.5))
  await tx.putTimer(task.id, 'review_late', new Date(now.getTime() + lasts * 0.9))
  await tx.putTimer(task.id, 'review_end', until)
  await moveDeadline(place, reviewHours, 'submitted')
}

/** A worker was assigned: where the policy says so, the worker has to begin in time. */
export async function beginStart(place: Place): Promise<void> {
  const { tx, task, now } = place
  // Policies of before start-by times say nothing of them.
  const hours = task.policy?.startHours ?? null
  if (hours === null) return
  const startBy = endOf(now, hours, await expiryOf(place))
  await tx.changeTask(task.id, { startBy }, now)
  await tx.putTimer(task.id, 'start_by', startBy)
}

/** Changes were asked for: the worker has as long as a review takes. */
export async function beginRevision(place: Place): Promise<void> {
  if (place.task.policy !== null) await moveDeadline(place, place.task.policy.reviewHours, 'revision')
}

/** A dispute opened: it can be decided for as long as the policy says. */
export async function beginDispute(place: Place): Promise<void> {
  if (place.task.policy !== null) await moveDeadline(place, place.task.policy.disputeHours, 'disputed')
}

/** Something was decided that takes so many hours still, whether or not the task has a policy. */
export function holdDeadline(place: Place, hours: number): Promise<void> {
  return moveDeadline(place, hours, 'ruled')
}

type Reason = 'submitted' | 'revision' | 'disputed' | 'ruled'

async function moveDeadline(place: Place, hours: number, reason: Reason): Promise<void> {
  const { deps, tx, task, now } = place
  const deadline = movedDeadline(task.deadline, now, hours, await expiryOf(place))
  if (deadline === null) return
  await tx.changeTask(task.id, { deadline }, now)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'task.deadline_moved',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, deadline: deadline.toISOString(), was: task.deadline.toISOString(), reason },
  })
}

/** The end of the authorization, unix seconds; null where nothing is held. */
async function expiryOf({ tx, task }: Place): Promise<number | null> {
  if (task.escrowStatus === 'none') return null
  return (await tx.escrowPayment(task.id))?.authorizationExpiry ?? null
}
