import type { Operations, OutputOf } from '@ergon/contract'
import type { DeadlineView } from '@ergon/core'
import { instant } from './instant.ts'

export function presentDeadline(view: DeadlineView): OutputOf<Operations['tasks.deadline']> {
  const orNull = (at: Date | null): string | null => (at === null ? null : instant(at))
  return {
    task_id: view.taskId,
    deadline: instant(view.deadline),
    was: orNull(view.was),
    extensions_left: view.left,
    latest: orNull(view.latest),
    authorization_expires_at: orNull(view.authorizationEnds),
  }
}
