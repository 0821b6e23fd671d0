import type { Address, Hex, SignedAuthorization } from '@ergon/protocols'
import type { Pool } from 'pg'
import type { Expectation, Log } from '../chain/expectation.ts'
import type { SignedTransaction } from '../chain/transaction.ts'
import { Unavailable } from '../errors.ts'

/** What was signed; enough to sign it again with a higher fee. */
export type Call = { readonly to: Address; readonly data: Hex; readonly gas: string; readonly authorizationList?: readonly SignedAuthorization[] }

export type Outcome = {
  readonly transaction: Hex
  readonly blockNumber: number
  /** The logs that met the expectations, in their order; empty for a failure. */
  readonly logs: readonly Log[]
  readonly failure?: { readonly code: string; readonly reason: string }
}

/** A transaction this service has promised to land; written before it is broadcast. */
export type Intent = {
  readonly id: string
  readonly network: string
  readonly kind: string
  /** The thing that may happen once: a payment, an authorization nonce, a lifecycle nonce. */
  readonly onceKey: string | null
  /** Two requests with one `onceKey` are the same request when this is equal. */
  readonly sameness: string
  readonly idempotencyKey: string | null
  readonly requestHash: string
  readonly account: Address
  readonly accountNonce: number
  /** Every signed form, oldest first: a replacement for a stuck transaction is appended. */
  readonly transactions: readonly SignedTransaction[]
  readonly call: Call
  readonly expectations: readonly Expectation[]
  readonly status: 'sent' | 'succeeded' | 'failed'
  readonly outcome: Outcome | null
}

export type IntentStore = {
  /** All or nothing: no transaction of the batch may be broadcast when this throws. */
  insert(intents: readonly Intent[]): Promise<void>
  /** Live intents (sent or succeeded) with any of these keys. */
  find(network: string, onceKeys: readonly string[], idempotencyKeys: readonly string[]): Promise<Intent[]>
  addTransaction(id: string, transaction: SignedTransaction): Promise<void>
  settle(settled: readonly { readonly id: string; readonly status: 'succeeded' | 'failed'; readonly outcome: Outcome }[]): Promise<void>
  open(network: string): Promise<Intent[]>
  /** Opens what landed lately with this account nonce or a later one: the chain no longer has it. */
  reopen(network: string, account: Address, fromNonce: number): Promise<number>
}

type Row = {
  id: string; network: string; kind: string; once_key: string | null; sameness: string; idempotency_key: string | null; request_hash: string
  account: Address; account_nonce: string; transactions: SignedTransaction[]; call: Call; expectations: Expectation[]
  status: Intent['status']; outcome: Outcome | null
}

export function createIntentStore(pool: Pool): IntentStore {
  const query = async <T extends object>(name: string, text: string, values: unknown[]): Promise<T[]> => {
    try {
      return (await pool.query<T>({ name, text, values })).rows
    } catch (cause) {
      throw new Unavailable('store_unavailable', 'the settlement store does not answer', { status: 503, cause })
    }
  }
  return {
    async insert(intents) {
      const column = <T>(pick: (intent: Intent) => T): T[] => intents.map(pick)
      await query('intents-insert', `insert into intents (id, network, kind, once_key, sameness, idempotency_key, request_hash, account,
          account_nonce, transactions, call, expectations, status)
        select *, 'sent' from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
          $9::bigint[], $10::jsonb[], $11::jsonb[], $12::jsonb[])`, [
        column((one) => one.id), column((one) => one.network), column((one) => one.kind), column((one) => one.onceKey),
        column((one) => one.sameness), column((one) => one.idempotencyKey), column((one) => one.requestHash), column((one) => one.account),
        column((one) => one.accountNonce), column((one) => JSON.stringify(one.transactions)), column((one) => JSON.stringify(one.call)),
        column((one) => JSON.stringify(one.expectations)),
      ])
    },
    async find(network, onceKeys, idempotencyKeys) {
      const rows = await query<Row>('intents-find', `select * from intents where network = $1 and once_key = any($2) and status <> 'failed'
        union all select * from intents where idempotency_key = any($3) and status <> 'failed'`,
      [network, onceKeys, idempotencyKeys])
      return rows.map(fromRow)
    },
    async addTransaction(id, transaction) {
      await query('intents-replace', 'update intents set transactions = transactions || $2::jsonb where id = $1', [id, JSON.stringify([transaction])])
    },
    async settle(settled) {
      await query('intents-settle', `update intents set status = done.status, outcome = done.outcome, settled_at = now()
        from unnest($1::uuid[], $2::text[], $3::jsonb[]) as done (id, status, outcome) where intents.id = done.id`,
      [settled.map((one) => one.id), settled.map((one) => one.status), settled.map((one) => JSON.stringify(one.outcome))])
    },
    async reopen(network, account, fromNonce) {
      const rows = await query<{ id: string }>('intents-reopen', `update intents set status = 'sent', outcome = null, settled_at = null
        where network = $1 and account = $2 and account_nonce >= $3 and status = 'succeeded' and settled_at > now() - interval '10 minutes' returning id`,
      [network, account, fromNonce])
      return rows.length
    },
    async open(network) {
      const rows = await query<Row>('intents-open', `select * from intents where network = $1 and status = 'sent' order by account, account_nonce`,
        [network])
      return rows.map(fromRow)
    },
  }
}

function fromRow(row: Row): Intent {
  return {
    id: row.id, network: row.network, kind: row.kind, onceKey: row.once_key, sameness: row.sameness, idempotencyKey: row.idempotency_key,
    requestHash: row.request_hash, account: row.account, accountNonce: Number(row.account_nonce), transactions: row.transactions,
    call: row.call, expectations: row.expectations, status: row.status, outcome: row.outcome,
  }
}
