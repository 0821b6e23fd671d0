import type { Operations, OutputOf } from '@ergon/contract'
import type { Question } from '@ergon/core'
import { instant } from './instant.ts'

export function presentQuestion({ answer, ...question }: Question): OutputOf<Operations['questions.ask']> {
  return {
    id: question.id,
    task_id: question.taskId,
    executor_id: question.executorId,
    text: question.text,
    created_at: instant(question.createdAt),
    answer: answer === null ? null : { text: answer.text, created_at: instant(answer.createdAt) },
  }
}
