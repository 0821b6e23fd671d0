import type { Intent, IntentStore } from '@ergon/facilitator/testing'

/** Rows in memory with the partial unique indexes of the table. */
export function createMemoryIntents(now: () => number): IntentStore & { readonly rows: ReadonlyMap<string, Intent & { readonly settledAt: number | null }> } {
  const rows = new Map<string, Intent & { readonly settledAt: number | null }>()
  const isTaken = (one: Intent): boolean => [...rows.values()].some((row) => row.status !== 'failed'
    && ((one.onceKey !== null && row.network === one.network && row.onceKey === one.onceKey) || (one.idempotencyKey !== null && row.idempotencyKey === one.idempotencyKey)))
  return {
    rows,
    async insert(intents) {
      if (intents.some(isTaken)) throw new Error('duplicate key')
      for (const one of intents) rows.set(one.id, { ...one, settledAt: null })
    },
    async find(network, onceKeys, idempotencyKeys) {
      return [...rows.values()].filter((row) => row.status !== 'failed' && ((row.network === network && row.onceKey !== null && onceKeys.includes(row.onceKey))
        || (row.idempotencyKey !== null && idempotencyKeys.includes(row.idempotencyKey))))
    },
    async addTransaction(id, transaction) {
      const row = rows.get(id)
      if (row !== undefined) rows.set(id, { ...row, transactions: [...row.transactions, transaction] })
    },
    async settle(settled) {
      for (const { id, status, outcome } of settled) {
        const row = rows.get(id)
        if (row !== undefined) rows.set(id, { ...row, status, outcome, settledAt: now() })
      }
    },
    async open(network) {
      return [...rows.values()].filter((row) => row.network === network && row.status === 'sent').sort((a, b) => a.accountNonce - b.accountNonce)
    },
    async reopen(network, account, fromNonce) {
      const lost = [...rows.values()].filter((row) => row.network === network && row.account === account && row.accountNonce >= fromNonce && row.status === 'succeeded' && (row.settledAt ?? 0) > now() - 600_000)
      for (const row of lost) rows.set(row.id, { ...row, status: 'sent', outcome: null, settledAt: null })
      return lost.length
    },
  }
}
