import type { Intent, IntentStore } from '../store/intents.ts'
import { delay, type Surroundings } from '../surroundings/surroundings.ts'

export type WriteDeps = {
  readonly store: IntentStore
  readonly lease: Lease
  readonly surroundings: Surroundings
  readonly onTrouble: (message: string, error: unknown) => void
}

/** This process's hold on the sending account. */
export type Lease = {
  /** Carried by every write; a successor has a higher one. */
  readonly epoch: number
  /** Called once a successor is seen: this process can settle nothing any more. */
  readonly lost: (error: Error) => void
}

/** `void`: proven not to be there. `unknown`: only when this process stops before the store has answered. */
export type Written = 'written' | 'conflict' | 'fenced' | 'void' | 'unknown'

const longestWaitMs = 1_000

/**
 * Writes intents, and does not rest until it is known whether they are there: an answer that was lost says neither. The
 * tombstone of `fence` decides it, for one primary key lets in one of the two.
 */
export async function writeIntents(
  deps: WriteDeps,
  intents: readonly Intent[],
  isStopped: () => boolean,
): Promise<Written> {
  const { store, lease, surroundings, onTrouble } = deps
  try {
    const written = await store.insert(intents, lease.epoch)
    if (written === 'fenced') lease.lost(new Error('another facilitator has taken over the account'))
    return written
  } catch (error) {
    onTrouble('it is not known whether intents were written; they are fenced', error)
  }
  const ids = intents.map((intent) => intent.id)
  for (let waitMs = 50; !isStopped(); waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await store.fence(ids)
    } catch (error) {
      if (waitMs === longestWaitMs) onTrouble('intents wait for the store', error)
      await delay(surroundings, waitMs)
    }
  }
  return 'unknown'
}
