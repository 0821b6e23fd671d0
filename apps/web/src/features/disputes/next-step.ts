import type { Output } from '@ergon/sdk'

type Decided = Pick<Output<'disputes.get'>, 'status' | 'verdict' | 'payment_tx'>
type Action = NonNullable<Output<'tasks.get'>['next_action']>
type Seen = { readonly next_action: Pick<Action, 'what'> | null }

/**
 * What a dispute waits for. Whether awarded money moves, or waits for its publisher (`owed`), is said by the task
 * alone: a task that could not be read is no sign that it moves.
 */
export function nextStep(
  { status, verdict, payment_tx: paid }: Decided,
  task: Seen | undefined,
  ruling: 'standing' | 'appealed' | null,
) {
  if (status === 'open') return ruling ?? 'open'
  if (status !== 'resolving') return status
  if (task?.next_action?.what === 'pay') return 'owed'
  if (paid !== null && verdict === 'split') return 'half'
  return task === undefined ? 'unread' : 'resolving'
}
