import type { NewEvent } from '@ergon/core'
import type { Disk } from './engine/database.ts'
import type { Session } from './engine/session.ts'
import { rowOf } from './engine/table.ts'
import { jsonb } from './jsonb.ts'

/** Writes an event and whose feed it is in, as the trigger of the outbox decides it when it happens. */
export function tell(disk: Disk, session: Session, event: NewEvent): void {
  const { tasks, workers } = disk.tables
  const task = rowOf(session, tasks.by.pkey, event.taskId)?.task
  const named = 'executor_id' in event.data ? event.data.executor_id : undefined
  const isAlone = event.type === 'worker.not_chosen' || event.type === 'worker.deadline_moved'
  const isBetweenTwo = isAlone || event.type === 'worker.application_withdrawn'
  const executors = [isBetweenTwo ? null : task?.executorId, named].flatMap((id) =>
    typeof id === 'string' ? (rowOf(session, workers.by.pkey, id)?.wallet ?? []) : [],
  )
  const parties = task === undefined || isAlone ? [] : [task.publisherWallet]
  const wallets = [...new Set([...parties, ...executors])].sort()
  disk.tell(session, {
    id: event.id,
    type: event.type,
    taskId: event.taskId,
    at: event.at,
    data: jsonb(event.data),
    wallets,
  })
}
