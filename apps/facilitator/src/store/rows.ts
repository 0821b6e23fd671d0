import type { Address, ExpectedEvent } from '@ergon/protocols'
import type { SignedTransaction } from '../chain/transaction.ts'
import type { Call, Intent, Outcome } from './intents.ts'

/** A row of `intents` as the database gives it. */
export type IntentRow = {
  id: string
  network: string
  kind: string
  once_key: string | null
  sameness: string
  idempotency_key: string | null
  request_hash: string
  account: Address
  account_nonce: string
  transactions: SignedTransaction[]
  call: Call
  expectations: ExpectedEvent[]
  status: Intent['status']
  outcome: Outcome | null
}

export function intentOf(row: IntentRow): Intent {
  return {
    id: row.id,
    network: row.network,
    kind: row.kind,
    onceKey: row.once_key,
    sameness: row.sameness,
    idempotencyKey: row.idempotency_key,
    requestHash: row.request_hash,
    account: row.account,
    accountNonce: Number(row.account_nonce),
    transactions: row.transactions,
    call: row.call,
    expectations: row.expectations,
    status: row.status,
    outcome: row.outcome,
  }
}
