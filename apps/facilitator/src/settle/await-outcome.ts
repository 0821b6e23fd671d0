import type { Ticket } from '../chain/draft.ts'
import { notSent, pending } from '../errors.ts'
import type { Outcome } from '../store/intents.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

export type Patience = { readonly surroundings: Surroundings; readonly settleWaitMs: number }

/**
 * Waits as long as a caller may be kept. A settlement that may still land is `settlement_pending`: asking again joins
 * it. One that was still in the queue is taken back, and nothing was sent.
 */
export async function awaitOutcome(ticket: Ticket, patience: Patience): Promise<Outcome> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = patience.surroundings.after(patience.settleWaitMs, () => {
    if (ticket.cancel()) {
      reject(notSent('the settlement waited too long behind another'))
      return
    }
    const transaction = ticket.transaction()
    reject(pending(transaction === undefined ? {} : hashNames(transaction)))
  })
  try {
    return await Promise.race([ticket.outcome, late])
  } finally {
    cancel()
    ticket.outcome.catch(() => undefined)
    late.catch(() => undefined)
  }
}

/** What is awaited, or undefined when a caller may be kept no longer. */
export async function within<T>(awaited: Promise<T>, patience: Patience): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const cancel = patience.surroundings.after(patience.settleWaitMs, () => {
    resolve(undefined)
  })
  try {
    return await Promise.race([awaited, late])
  } finally {
    cancel()
  }
}

/** Clients of different origin look for the hash under different names (facts §2.3). */
export function hashNames(transaction: string): Readonly<Record<string, string>> {
  return { transaction, transactionHash: transaction, transaction_hash: transaction }
}
