import type { LogPlace, Movement } from '../escrow/movement.ts'
import type { EscrowAuthorization, Payment } from '../escrow/payment.ts'
import type { Asset } from '../money/amount.ts'
import type { ChainBlock } from '../audit/following.ts'

export type { ChainBlock } from '../audit/following.ts'

/**
 * A log of the escrow. Only those that begin a payment have `operator`; only those that hold one on terms we ask for
 * have `lock`, which is read from the log, without the signature.
 */
export type SeenMovement = Movement & {
  readonly operator: 'ours' | 'another' | null
  readonly lock: SeenLock | null
}

export type SeenLock = { readonly payment: Payment; readonly authorization: EscrowAuthorization }

/** Fees that left the operator contract for the treasury, by whatever hand. */
export type Distribution = LogPlace & {
  readonly network: string
  readonly txHash: string
  readonly asset: Asset
  readonly atomic: bigint
}

/** An authorization used to pay directly. */
export type SpentNonce = LogPlace & {
  readonly txHash: string
  /** The address of the token that was paid with. */
  readonly token: string
  readonly payer: string
  readonly nonce: string
}

/** Everything a chain says happened to our contracts between two blocks, as one node showed it at one time. */
export type ChainWindow = {
  /** How far it reaches; less than asked when the node answers narrower ranges. */
  readonly through: ChainBlock
  readonly movements: readonly SeenMovement[]
  readonly distributions: readonly Distribution[]
  readonly spent: readonly SpentNonce[]
}

/**
 * What a chain says on its own, whoever moved the money. Every method throws `MarketError('CHAIN_UNAVAILABLE')` rather
 * than guess.
 */
export interface ChainLogs {
  /** How many of the newest blocks may still be undone. */
  readonly depth: number
  head(): Promise<ChainBlock>
  /** From this block on, at most up to `to`; direct payments of these wallets alone. */
  window(from: bigint, to: bigint, payers: readonly string[]): Promise<ChainWindow>
  /** Which of these transactions a key of our facilitator sent. */
  sentByFacilitator(txHashes: readonly string[]): Promise<ReadonlySet<string>>
  /** The present place of a log we booked; null when its transaction is not on chain. */
  placeOf(movement: Movement): Promise<LogPlace | null>
}
