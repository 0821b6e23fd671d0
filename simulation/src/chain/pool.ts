import type { Address, Hex } from '@ergon/protocols'
import type { Transaction } from './transaction.ts'

/** What waits to be mined: of each account one transaction a nonce. */
export type Pool = {
  /** The node's complaint, or undefined when it took the transaction. */
  add(transaction: Transaction, nextNonce: number): string | undefined
  /** What can be mined now, in the order in which it came; each account's own run of nonces stays in order. */
  executable(nonceOf: (account: Address) => number): readonly Transaction[]
  /** The nonce after the run that waits here. */
  nextNonce(account: Address, mined: number): number
  has(hash: Hex): boolean
  remove(transaction: Transaction): void
  /**
   * Forgets it, as a full pool does; what came after it under the same account waits for it, or is forgotten as well.
   */
  drop(transaction: Transaction, isAlone: boolean): void
  /** Puts back what a reorganization took out of its block, before everything that came later. */
  restore(transactions: readonly Transaction[]): void
  all(): readonly Transaction[]
}

export function createPool(): Pool {
  let waiting: Transaction[] = []
  const at = (account: Address, nonce: number): Transaction | undefined =>
    waiting.find((one) => one.from === account && one.nonce === nonce)
  return {
    add(transaction, nextNonce) {
      if (transaction.nonce < nextNonce) return 'nonce too low'
      const before = at(transaction.from, transaction.nonce)
      if (before === undefined) {
        waiting.push(transaction)
        return undefined
      }
      if (before.hash === transaction.hash) return 'already known'
      // A pool takes a replacement that pays a tenth more in both fees.
      const isBetter =
        transaction.maxFee * 10n >= before.maxFee * 11n && transaction.maxTip * 10n >= before.maxTip * 11n
      if (!isBetter) return 'replacement transaction underpriced'
      waiting = waiting.map((one) => (one === before ? transaction : one))
      return undefined
    },
    executable(nonceOf) {
      const next = new Map<Address, number>()
      const ready: Transaction[] = []
      for (let found = true; found;) {
        found = false
        for (const one of waiting) {
          if (ready.includes(one) || one.nonce !== (next.get(one.from) ?? nonceOf(one.from))) continue
          next.set(one.from, one.nonce + 1)
          ready.push(one)
          found = true
        }
      }
      return ready
    },
    nextNonce(account, mined) {
      let nonce = mined
      while (at(account, nonce) !== undefined) nonce += 1
      return nonce
    },
    all: () => waiting,
    has: (hash) => waiting.some((one) => one.hash === hash),
    remove(transaction) {
      waiting = waiting.filter(
        (one) => one !== transaction && !(one.from === transaction.from && one.nonce <= transaction.nonce),
      )
    },
    drop({ from, nonce }, isAlone) {
      waiting = waiting.filter((one) => one.from !== from || (isAlone ? one.nonce !== nonce : one.nonce < nonce))
    },
    restore(transactions) {
      waiting = [
        ...transactions,
        ...waiting.filter((one) => !transactions.some((two) => two.from === one.from && two.nonce === one.nonce)),
      ]
    },
  }
}
