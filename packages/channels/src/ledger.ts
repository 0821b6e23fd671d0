/** An account as the ledger holds it. */
export type LedgerAccount = {
  /** Base58 address of the program that owns it. */
  readonly owner: string
  readonly data: Uint8Array
  readonly lamports: bigint
  /** The slot this was read at; a reader with several endpoints drops what is older than what it has seen. */
  readonly slot: bigint
}

/** A recent blockhash, and the last block height whose blocks may still take a transaction that names it. */
export type RecentBlockhash = {
  /** Base58. */
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

/**
 * What a ledger knows of a transaction. `unknown` is not `failed`: the transaction may still land until the block
 * height has passed what its blockhash allows. `error` is null for one that succeeded, and else what the ledger says.
 */
export type TransactionStatus =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'processed' | 'confirmed' | 'finalized'
      readonly slot: bigint
      readonly error: unknown
    }

/**
 * A Solana ledger: an embedded virtual machine or a cluster by RPC.
 *
 * Every method rejects when the ledger cannot be read; a rejection says nothing about what the ledger holds.
 * Nothing is retried in here except reads: `send` carries the given bytes once, and its caller, who has recorded
 * them before, sends the same bytes again for as long as their blockhash is valid.
 */
export interface SolanaLedger {
  /** The current slot at the commitment the adapter reads with. */
  slot(): Promise<bigint>
  /** The ledger's own clock (the Clock sysvar's unix_timestamp), in seconds. */
  time(): Promise<bigint>
  blockhash(): Promise<RecentBlockhash>
  blockHeight(): Promise<bigint>
  /** The account of a base58 address; null when the ledger holds none. */
  account(address: string): Promise<LedgerAccount | null>
  /**
   * Broadcasts a signed transaction in its wire encoding and answers its base58 signature. Bytes that the ledger has
   * already carried out are no fault. Rejecting leaves open whether they arrived.
   */
  send(wire: Uint8Array): Promise<string>
  status(signature: string): Promise<TransactionStatus>
}
