import type { Asset } from '../money/amount.ts'

/** On which terms a buyer may open a channel for a task; addresses as the ledger writes them. */
export type OpeningTerms = {
  readonly taskId: string
  readonly payer: string
  readonly worker: string
  readonly asset: Asset
  /** What may be put in, in atomic units. */
  readonly deposits: { readonly least: bigint; readonly most: bigint }
  /** The buyer's key for its vouchers; null: this deployment signs them. */
  readonly voucherKey: string | null
}

/** An opening that its payer has only to sign. */
export type OpeningOffer = {
  /** Base64. */
  readonly transaction: string
  readonly channelId: string
  /** This deployment, which pays fee and rent, seals the channel and gets what the worker does not. */
  readonly payee: string
  readonly gracePeriodSec: number
  /** What the transaction says beside the opening; it ties the channel to the task. */
  readonly memo: string
}

/** An opening with both signatures. */
export type SignedOpening = {
  readonly channelId: string
  /** Base64. */
  readonly wire: string
  /** Base58. */
  readonly signature: string
  /** Past this height of finalized blocks no ledger takes it any more. */
  readonly lastValidHeight: bigint
}

/** An opening as it is written down before it is first sent; it is live until nothing of it is on the ledger. */
export type Opening = SignedOpening & {
  readonly taskId: string
  /** Who asked for it, in lowercase. */
  readonly wallet: string
  readonly payer: string
  readonly worker: string
  readonly asset: Asset
  readonly at: Date
}

/** Each live opening binds rent of this deployment. */
export type OpeningLimits = { readonly each: number; readonly inAll: number }

/** Openings that this deployment has signed. */
export interface ChannelOpenings {
  /** Writes one down. `known`: it was before; `full`: too many are live. */
  record(opening: Opening, limits: OpeningLimits): Promise<'recorded' | 'known' | 'full'>
  find(channelId: string): Promise<Opening | null>
  /** Openings that are due; nobody else gets them until then. */
  lease(now: Date, until: Date, limit: number): Promise<readonly Opening[]>
  /** Nothing of it is left. */
  forget(channelId: string): Promise<void>
}

/** What a ledger does for openings. Nothing here is asked while a transaction of the database is open. */
export interface OpeningLedger {
  /** A transaction that opens a channel on these terms. @throws channel_unreadable */
  offer(terms: OpeningTerms, deposit: bigint): Promise<OpeningOffer>
  /**
   * Signs a transaction that is exactly an opening on these terms, for this task, and signed by its payer.
   *
   * @throws VALIDATION_FAILED with the `fault`, channel_unreadable
   */
  countersign(transaction: string, terms: OpeningTerms): Promise<SignedOpening>
  /**
   * Whether it could land as things are, asked before it takes a place: its payer holds the deposit, and its blockhash
   * is recent.
   *
   * @throws VALIDATION_FAILED with the `fault`, channel_unreadable
   */
  demandLikely(opening: SignedOpening, payer: string): Promise<void>
  /** Whether a transaction is the one that was countersigned, whatever it lacks of its signatures. */
  isOf(transaction: string, opening: SignedOpening): boolean
  /**
   * Offers it until it has landed, never can, or the wait is over. `refused`: as things are it would fail. It never
   * throws.
   */
  deliver(opening: SignedOpening, waitMs: number): Promise<'landed' | 'failed' | 'refused' | 'unknown'>
  /** Gives an unused channel back to its payer as far as the ledger lets it; true when nothing of it is left. */
  windUp(opening: Opening): Promise<boolean>
}
