import type { Address, ExpectedEvent, Hex, SignedAuthorization } from '@ergon/protocols'
import type { Log } from '../chain/expectation.ts'
import type { SignedTransaction } from '../chain/transaction.ts'

/** What was signed; enough to sign it again with a higher fee. */
export type Call = {
  /** Null: `data` is creation code. */
  readonly to: Address | null
  readonly data: Hex
  readonly gas: string
  readonly authorizationList?: readonly SignedAuthorization[]
}

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
  readonly expectations: readonly ExpectedEvent[]
  readonly status: 'sent' | 'succeeded' | 'failed'
  readonly outcome: Outcome | null
}

/** How an intent ended. `isDeep`: its block has as many after it as its network asks for, or undoes nothing at all. */
export type Settled = {
  readonly id: string
  readonly status: 'succeeded' | 'failed'
  readonly outcome: Outcome
  readonly isDeep: boolean
}

/** What did what it was sent for in a block that may still be undone. */
export type Shallow = { readonly intent: Intent; readonly settledForMs: number }

/** How a landed intent is on its chain now; `outcome` is undefined where it is as it was. */
export type Restated = { readonly id: string; readonly outcome: Outcome | undefined; readonly isDeep: boolean }

/** A refusal as it was answered, and as it is answered again. */
export type StoredRefusal = {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** What an Idempotency-Key is bound to, once and for all: a transaction, a registration or a refusal. */
export type Bound = {
  readonly key: string
  readonly requestHash: string
  readonly intent: Intent | null
  readonly registrationId: string | null
  readonly refusal: StoredRefusal | null
}

/** Whoever asks again under a key so old finds by the once-key, or on the chain, that it was done. */
export const keyDays = 30
/** A wallet registers under one key for good; the registry itself is asked first. */
export const registrationKeyDays = 366

/**
 * Where intents and keys are kept. Each method is one step that happens whole or not at all. A method that throws has
 * answered nothing: what it was to write may be there, may come to be there, or may not.
 */
export type IntentStore = {
  /**
   * All or nothing. `written`: the transactions may be broadcast. `conflict`: a key or a once-key is taken, and nothing
   * was written. `fenced`: a successor holds the account, and nothing was written.
   */
  insert(intents: readonly Intent[], epoch: number): Promise<'written' | 'conflict' | 'fenced'>
  /**
   * Decides what an `insert` that threw has left: `void` means that these rows are not there and can never come to be
   * there, for tombstones hold their ids.
   */
  fence(ids: readonly string[]): Promise<'written' | 'void'>
  /** Live intents (sent or succeeded) by once-key, and what the idempotency keys stand for. */
  find(
    network: string,
    onceKeys: readonly string[],
    keys: readonly string[],
  ): Promise<{ readonly live: readonly Intent[]; readonly bound: readonly Bound[] }>
  /** Binds a key to a refusal unless it is bound already; answers what it is bound to now. */
  bind(key: string, requestHash: string, refusal: StoredRefusal, keepMs: number): Promise<Bound>
  /** Frees a key that is bound to a failed intent or a refusal: only for steps of our own that are taken again. */
  release(key: string): Promise<void>
  /**
   * False when the intent is no longer open or a successor holds the account: the transaction must not be broadcast.
   */
  addTransaction(id: string, transaction: SignedTransaction, epoch: number): Promise<boolean>
  /** A success is never taken back by a failure. */
  settle(settled: readonly Settled[]): Promise<void>
  /** Remembers that the chain went past these without a receipt; answers for how many milliseconds each has been so. */
  miss(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Takes `miss` back. */
  regain(ids: readonly string[]): Promise<void>
  open(network: string): Promise<Intent[]>
  /**
   * Opens what landed with this account nonce or a later one, and is not deep or no older than ten minutes: the chain
   * no longer has it. Nothing is opened where all of it is younger than `settledForMs`.
   */
  reopen(network: string, account: Address, fromNonce: number, settledForMs: number): Promise<Intent[]>
  /** What landed and is not deep, however long ago, from this account nonce on and in their order. */
  shallow(network: string, account: Address, fromNonce: number, limit: number): Promise<readonly Shallow[]>
  /** Writes down how what landed is on the chain now, and whether it is deep. What is open again stays so. */
  restate(restated: readonly Restated[]): Promise<void>
  /**
   * Forgets refusals that nobody can ask for any more, tombstones that have done their work, and the keys of what ended
   * long ago: intents after `keyDays`, registrations after `registrationKeyDays` (decision 0103).
   */
  purge(limit: number): Promise<number>
}
