import type { Ticket } from '../chain/draft.ts'
import { Unavailable } from '../errors.ts'
import type { Outcome } from '../store/intents.ts'

/**
 * Waits as long as a caller may be kept. A settlement that may still land is `settlement_pending`: asking again joins
 * it. One that was still in the queue is taken back, and nothing was sent.
 */
export async function awaitOutcome(ticket: Ticket, waitMs: number): Promise<Outcome> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    if (ticket.cancel()) {
      reject(new Unavailable('rpc_unavailable', 'the settlement waited too long behind another', { details: { broadcast: false } }))
      return
    }
    const transaction = ticket.transaction()
    reject(new Unavailable('settlement_pending', 'settlement_pending', {
      details: { broadcast: true, ...(transaction === undefined ? {} : hashNames(transaction)) },
    }))
  }, waitMs)
  try {
    return await Promise.race([ticket.outcome, late])
  } finally {
    clearTimeout(timer)
    ticket.outcome.catch(() => undefined)
    late.catch(() => undefined)
  }
}

/** Clients of different origin look for the hash under different names (facts §2.3). */
export function hashNames(transaction: string): Readonly<Record<string, string>> {
  return { transaction, transactionHash: transaction, transaction_hash: transaction }
}
