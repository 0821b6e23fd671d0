import type { StoredRefusal } from './intents.ts'

/**
 * `confirmed` is told to who waits, and watched until it is final; `expired` is proven never to land.
 */
export type SolanaStatus = 'sent' | 'confirmed' | 'succeeded' | 'failed' | 'expired'

/** A signed transaction this service has promised to land; written before it is broadcast. */
export type SolanaIntent = {
  readonly id: string
  readonly network: string
  /** Base58: the signature of who pays the fee. The same message has the same one, so it may happen once. */
  readonly signature: string
  readonly payer: string
  readonly requestHash: string
  readonly idempotencyKey: string | null
  /** As it is sent, now and after a crash. */
  readonly wire: Uint8Array
  readonly blockhash: string
  /** No block above this height takes it. */
  readonly lastValidHeight: bigint
  readonly status: SolanaStatus
  readonly slot: bigint | null
  readonly failure: { readonly code: string; readonly reason: string } | null
}

/** What an Idempotency-Key is bound to; neither of the two where it is another rail's. */
export type SolanaBound = {
  readonly requestHash: string
  readonly intent: SolanaIntent | null
  readonly refusal: StoredRefusal | null
}

/** As with `IntentStore`: one step each, and a method that throws has answered nothing. */
export type SolanaIntents = {
  /**
   * `written`: it may be broadcast. `conflict`: the key or the signature is taken. `late`: past its time. `fenced`: a
   * successor holds the account. Nothing was written but for the first.
   */
  insert(
    intent: SolanaIntent,
    terms: { readonly epoch: number; readonly settleBefore: number | undefined },
  ): Promise<'written' | 'conflict' | 'late' | 'fenced'>
  find(network: string, signature: string): Promise<SolanaIntent | undefined>
  bound(key: string): Promise<SolanaBound | undefined>
  /** Moves an intent that is under way; what has ended stays as it is. */
  mark(id: string, end: Pick<SolanaIntent, 'status' | 'slot' | 'failure'>): Promise<void>
  /** What is under way, oldest first, at most so many. */
  open(network: string, limit: number): Promise<readonly SolanaIntent[]>
  /** Forgets what ended long ago, with its key. */
  purge(limit: number): Promise<number>
}
