import type { TaskWords } from '../tasks/task-words.ts'

export interface WordsStore {
  /** What was written with the moves of a task: the last of each kind and worker. */
  taskWords(taskId: string): Promise<readonly TaskWords[]>
}

export interface WordsTx extends WordsStore {
  /** In the place of what was written with such a move before; null takes that away. */
  putTaskWords(
    taskId: string,
    words: {
      readonly kind: TaskWords['kind']
      readonly author: string
      readonly executorId: string | null
      readonly text: string | null
      readonly at: Date
    },
  ): Promise<void>
}
