import type { Operations, OutputOf } from '@ergon/contract'
import type { Message } from '@ergon/core'
import { instant } from './instant.ts'

export function presentMessage(message: Message): OutputOf<Operations['messages.send']> {
  return {
    id: message.id,
    task_id: message.taskId,
    executor_id: message.executorId,
    by: message.side,
    text: message.text,
    created_at: instant(message.createdAt),
  }
}
