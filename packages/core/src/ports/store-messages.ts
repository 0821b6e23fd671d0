import type { Audience, Message, Said } from '../messages/message.ts'
import type { Asked, Question } from '../messages/question.ts'
import type { Page, PageRequest } from '../page.ts'

/** `executorId`: one worker's thread; null for all. */
export type MessageFilter = {
  readonly taskId: string
  readonly audience: Audience
  readonly executorId: string | null
}

/** What is said about a task (decision 0232). */
export interface MessageStore {
  /** Newest first. */
  messages(filter: MessageFilter, page: PageRequest): Promise<Page<Message>>
  /** Newest first, with their answers. */
  questions(taskId: string, page: PageRequest): Promise<Page<Question>>
}

export interface MessageTx {
  insertMessage(message: Message): Promise<void>
  /** How much was said in the thread that a message belongs to, and by its author since then. */
  said(message: Pick<Message, 'taskId' | 'audience' | 'executorId' | 'author'>, since: Date): Promise<Said>
  question(taskId: string, id: string): Promise<Question | null>
  /** What was asked about a task, by a worker of it, and by its author since then. */
  asked(question: Pick<Message, 'taskId' | 'executorId' | 'author'>, since: Date): Promise<Asked>
}
