import { showsSomething } from '@ergon/contract/facts'
import type { Caller } from '../caller.ts'
import type { Task } from './task.ts'

/**
 * What one side wrote with a move: the publisher to the worker it assigns, the publisher on cancelling or
 * approving, the worker on stepping down.
 */
export type TaskWords = {
  readonly kind: 'assign' | 'cancel' | 'withdraw' | 'approve'
  readonly author: string
  /** The worker it is about; null for a cancellation. */
  readonly worker: { readonly id: string; readonly wallet: string } | null
  readonly text: string
  readonly at: Date
}

/** What a reader finds of them; null where there is nothing, or nothing for this reader. */
export type WordsRead = Readonly<Record<TaskWords['kind'], string | null>>

/** Nothing written is nothing to keep. */
export function writtenWords(text: string | null): string | null {
  return text === null || !showsSomething(text) ? null : text
}

/**
 * What a reader who may see the task reads: the two sides of an assignment its notes, the two sides of a withdrawal its
 * reason, the two sides of a completed task what its approval said (decision 0126), and the reason of a cancellation
 * whoever may read a cancelled task (decision 0105).
 */
export function wordsFor(
  task: Pick<Task, 'status' | 'executorId' | 'publisherWallet'>,
  words: readonly TaskWords[],
  reader: Caller,
): WordsRead {
  const wallet = reader.kind === 'wallet' ? reader.wallet : null
  const isSide = ({ worker }: TaskWords): boolean =>
    wallet !== null && (wallet === task.publisherWallet || wallet === worker?.wallet)
  const latest = (kind: TaskWords['kind'], holds: (one: TaskWords) => boolean): string | null =>
    words
      .filter((one) => one.kind === kind && holds(one))
      .reduce<TaskWords | null>((last, one) => (last === null || last.at <= one.at ? one : last), null)?.text ?? null
  return {
    assign: latest('assign', (one) => isSide(one) && one.worker?.id === task.executorId),
    cancel: latest('cancel', () => wallet !== null && task.status === 'cancelled'),
    withdraw: latest('withdraw', (one) => isSide(one) && one.worker?.id !== task.executorId),
    approve: latest(
      'approve',
      (one) => isSide(one) && one.worker?.id === task.executorId && task.status === 'completed',
    ),
  }
}
