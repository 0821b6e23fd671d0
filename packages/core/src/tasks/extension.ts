import { extendableStatuses, extensionLimits as limits } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'
import { heldHours, hourMs } from '../policy/policy.ts'
import { isEscrowMoving } from '../policy/next-action.ts'
import type { Task } from './task.ts'

/** A deadline that its publisher put off (decision 0237). */
export type Extension = {
  readonly id: string
  readonly taskId: string
  readonly was: Date
  readonly deadline: Date
  readonly at: Date
}

export type Extendable = Pick<Task, 'id' | 'status' | 'escrowStatus' | 'deadline' | 'policy'>

/** What bounds a task now: how often it was extended, and by when the money that is locked has to be settled. */
export type ExtensionBounds = {
  /** Oldest first. */
  readonly extensions: readonly Extension[]
  /** Unix seconds; null where nothing is locked. */
  readonly authorizationExpiry: number | null
}

/** The latest deadline that can be asked for; null where it can be extended no more. */
export function latestDeadline(task: Extendable, bounds: ExtensionBounds, now: Date): Date | null {
  if (!isExtendable(task) || task.deadline <= now || bounds.extensions.length >= limits.perTask) return null
  const latest = Math.min(latestByTotal(task, bounds), latestByMoney(task, bounds))
  return latest > task.deadline.getTime() ? new Date(latest) : null
}

/**
 * @throws TASK_NOT_EDITABLE where the work is handed in, money moves, or it was extended as often as it may be;
 * DEADLINE_PASSED; VALIDATION_FAILED with the bound for a deadline that is earlier, or later than the bounds let
 */
export function requireExtension(task: Extendable, to: Date, bounds: ExtensionBounds, now: Date): void {
  requireState(task, bounds, now)
  const byTotal = latestByTotal(task, bounds)
  const byMoney = latestByMoney(task, bounds)
  const received = to.toISOString()
  const refused = (constraint: string, details: Readonly<Record<string, string | number>> = {}): MarketError =>
    new MarketError('VALIDATION_FAILED', { field: 'deadline', constraint, received, ...details })
  if (to <= task.deadline) throw refused(`later than ${task.deadline.toISOString()}, the deadline as it is`)
  if (to.getTime() > byTotal)
    throw refused(
      `at most ${new Date(byTotal).toISOString()}: extensions of a task are ${String(limits.hoursInAll)} h together`,
      { latest: new Date(byTotal).toISOString() },
    )
  if (to.getTime() > byMoney) {
    const { authorizationExpiry } = bounds
    const ends = new Date(Number(authorizationExpiry) * 1_000).toISOString()
    const hours = heldHours(task)
    throw refused(
      `at most ${new Date(byMoney).toISOString()}: the bounty is locked until ${ends}, and what may follow the ` +
        `deadline takes ${String(hours)} h`,
      { latest: new Date(byMoney).toISOString(), authorization_expires_at: ends, hours_after_deadline: hours },
    )
  }
}

function requireState(task: Extendable, { extensions }: ExtensionBounds, now: Date): void {
  const { id, status, escrowStatus, deadline } = task
  if (!isExtendable(task))
    throw new MarketError(
      'TASK_NOT_EDITABLE',
      { task_id: id, status, escrow_status: escrowStatus },
      { message: 'A deadline is extended while a task is open or worked on, and no money of it moves.' },
    )
  if (deadline <= now) throw new MarketError('DEADLINE_PASSED', { task_id: id })
  if (extensions.length >= limits.perTask)
    throw new MarketError(
      'TASK_NOT_EDITABLE',
      { task_id: id, extensions_max: limits.perTask },
      { message: 'This deadline was extended as often as it may be.' },
    )
}

const extendable: readonly Task['status'][] = extendableStatuses

const isExtendable = (task: Extendable): boolean => extendable.includes(task.status) && !isEscrowMoving(task)

function latestByTotal({ deadline }: Extendable, { extensions }: ExtensionBounds): number {
  const spent = extensions.reduce((sum, one) => sum + one.deadline.getTime() - one.was.getTime(), 0)
  return deadline.getTime() + limits.hoursInAll * hourMs - spent
}

function latestByMoney(task: Extendable, { authorizationExpiry }: ExtensionBounds): number {
  return authorizationExpiry === null ? Infinity : authorizationExpiry * 1_000 - heldHours(task) * hourMs
}
