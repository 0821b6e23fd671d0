/** Settlements that callers were told are pending: each may come back for its outcome, once (x402). */
export type ToldPending = {
  note(request: string, transaction: string, now: number): void
  /** Whether this request was told that this transaction is pending, and not asked about it since. */
  take(request: string, transaction: string, now: number): boolean
}

const keptMs = 5 * 60_000
const most = 10_000

/** Of this process: after a restart a caller asks with its idempotency key, or looks at the chain. */
export function createToldPending(): ToldPending {
  const told = new Map<string, { readonly transaction: string; readonly until: number }>()
  return {
    note(request, transaction, now) {
      told.delete(request)
      const oldest = told.size >= most ? told.keys().next() : undefined
      if (oldest?.done === false) told.delete(oldest.value)
      told.set(request, { transaction, until: now + keptMs })
    },
    take(request, transaction, now) {
      const known = told.get(request)
      if (known?.transaction !== transaction) return false
      told.delete(request)
      return now < known.until
    },
  }
}
