import type { Ticket } from '../chain/draft.ts'
import { notSent, pending } from '../errors.ts'
import type { Outcome } from '../store/intents.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

export type Patience = { readonly surroundings: Surroundings; readonly settleWaitMs: number }

/**
 * Waits as long as a caller may be kept. A settlement that may still land is `settlement_pending`: asking again joins
 * it. One that was still in the queue is taken back, and nothing was sent.
 */
export function awaitOutcome(ticket: Ticket, patience: Patience): Promise<Outcome> {
  return waitFor(ticket.outcome, patience, () => {
    if (ticket.cancel()) throw notSent('the settlement waited too long behind another')
    const transaction = ticket.transaction()
    throw pending(transaction === undefined ? {} : hashNames(transaction))
  })
}

/** What is awaited, or undefined when a caller may be kept no longer. */
export function within<T>(awaited: Promise<T>, patience: Patience): Promise<T | undefined> {
  return waitFor(awaited, patience, () => undefined)
}

/** Who waits for what, so that whoever gives up leaves nothing behind: what races a promise stays on it (0303). */
const waitingFor = new WeakMap<Promise<unknown>, Set<() => void>>()

function waitFor<T, L>(awaited: Promise<T>, { surroundings, settleWaitMs }: Patience, onLate: () => L): Promise<T | L> {
  return new Promise((resolve) => {
    const waiting = waitersOf(awaited)
    const tell = (): void => {
      cancel()
      resolve(awaited)
    }
    const cancel = surroundings.after(settleWaitMs, () => {
      waiting.delete(tell)
      resolve(Promise.resolve().then(onLate))
    })
    waiting.add(tell)
  })
}

function waitersOf(awaited: Promise<unknown>): Set<() => void> {
  const known = waitingFor.get(awaited)
  if (known !== undefined) return known
  const made = new Set<() => void>()
  waitingFor.set(awaited, made)
  const end = (): void => {
    waitingFor.delete(awaited)
    for (const tell of made) tell()
  }
  awaited.then(end, end)
  return made
}

/** Clients of different origin look for the hash under different names (facts §2.3). */
export function hashNames(transaction: string): Readonly<Record<string, string>> {
  return { transaction, transactionHash: transaction, transaction_hash: transaction }
}
