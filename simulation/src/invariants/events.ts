import type { TaskStatus } from '@ergon/contract'
import type { MemoryDatabase } from '../store/index.ts'

type Step = { readonly from: readonly TaskStatus[]; readonly to: TaskStatus }

/** What each event says about its task: where it was, and where it is now. */
const steps: Readonly<Record<string, Step>> = {
  'task.assigned': { from: ['published'], to: 'accepted' },
  'task.submitted': { from: ['accepted', 'in_progress'], to: 'verifying' },
  'submission.revision_requested': { from: ['verifying'], to: 'in_progress' },
  'dispute.opened': { from: ['verifying', 'in_progress'], to: 'disputed' },
  'task.completed': { from: ['verifying', 'disputed'], to: 'completed' },
  'task.cancelled': { from: ['published', 'accepted', 'disputed'], to: 'cancelled' },
  'task.expired': { from: ['published', 'accepted', 'in_progress', 'verifying', 'disputed'], to: 'expired' },
  'task.withdrawn': { from: ['accepted', 'in_progress'], to: 'published' },
}
const endings = new Set(['task.completed', 'task.cancelled', 'task.expired'])

/** The stream tells each task's whole story, in its order, once, and ends where the task is. */
export function strayEvents(database: MemoryDatabase): readonly string[] {
  const events = database.rows.events()
  const found: string[] = []
  for (const { task } of database.rows.tasks()) {
    const own = events.filter((event) => event.taskId === task.id)
    if (own[0]?.type !== 'task.created') found.push(`${task.id}: the stream does not begin with its publication`)
    let status: TaskStatus = 'published'
    let ended = 0
    for (const { type } of own) {
      const step = steps[type]
      if (step === undefined) continue
      if (!step.from.includes(status)) found.push(`${task.id}: ${type} while it was ${status}`)
      status = step.to
      if (endings.has(type)) ended += 1
    }
    if (ended > 1) found.push(`${task.id}: it ended ${String(ended)} times`)
    if (status !== (task.status === 'assigning' ? 'published' : task.status))
      found.push(`${task.id}: the stream ends ${status}, the task is ${task.status}`)
  }
  const ids = new Set(events.map(({ id }) => id))
  if (ids.size !== events.length) found.push('an event is in the stream twice')
  return found
}
