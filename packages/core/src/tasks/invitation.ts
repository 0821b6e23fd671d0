import { MarketError } from '../errors.ts'
import { spentForToday } from '../messages/message.ts'

/** A publisher asked a worker to look at its open task; nothing is promised by it (decision 0238). */
export type Invitation = {
  readonly id: string
  readonly taskId: string
  readonly executorId: string
  /** Who invites. */
  readonly publisher: string
  readonly at: Date
}

/** How many may be invited: to one task, by one publisher in a day, and how often one worker in a day. */
const invitationLimits = { perTask: 50, byPublisher: 20, ofWorker: 20 } as const

/** How much of that is taken. A day began when its oldest was sent; null where there is none. */
export type Invited = {
  readonly inTask: number
  readonly byPublisher: number
  readonly ofWorker: number
  readonly publisherDayBegan: Date | null
  readonly workerDayBegan: Date | null
}

/** @throws TASK_NOT_OPEN where the task has all its invitations; RATE_LIMITED where a day makes room */
export function requireRoomForInvitation(invited: Invited, taskId: string, now: Date): void {
  const { inTask, byPublisher, ofWorker, publisherDayBegan, workerDayBegan } = invited
  const limits = invitationLimits
  if (inTask >= limits.perTask)
    throw new MarketError(
      'TASK_NOT_OPEN',
      { task_id: taskId, invitations_max: limits.perTask },
      { message: 'As many workers were invited to this task as it takes.' },
    )
  if (byPublisher >= limits.byPublisher) throw spentForToday(limits.byPublisher, publisherDayBegan, now)
  if (ofWorker >= limits.ofWorker) throw spentForToday(limits.ofWorker, workerDayBegan, now)
}
