import type { EventData } from '@ergon/contract'
import type { Place } from './close-dispute.ts'

/** Applicants told by one act; a longer queue than this was not waiting for a person to read it. */
export const mostTold = 500

/**
 * Whoever applied and waits is told that it will not be: that another worker was assigned, or that the task ended
 * before anybody was (decision 0155). It comes before the move that ends their applications.
 */
export async function tellUnchosen(
  { deps, tx, task, now }: Place,
  reason: EventData<'worker.not_chosen'>['reason'],
): Promise<void> {
  const waiting = await tx.pendingApplications(task.id, mostTold)
  if (waiting.length === 0) return
  await tx.addEvents(
    waiting.map(({ id, executorId }) => ({
      id: deps.ids.next(),
      type: 'worker.not_chosen',
      taskId: task.id,
      at: now,
      data: { task_id: task.id, application_id: id, executor_id: executorId, reason },
    })),
  )
}
