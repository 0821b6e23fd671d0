import type { Amount } from '../money/amount.ts'
import type { ErrorCode } from '@ergon/contract'
import type { ErrorDetails } from '../errors.ts'
import type { Holdings } from '../audit/compare-sums.ts'
import type { Payment } from '../escrow/payment.ts'
import type { RailOrder } from '../settlements/order.ts'

export type { AuthorizeOrder, CaptureOrder, ChargeOrder, RailOrder, VoidOrder } from '../settlements/order.ts'

/**
 * How an attempt to move money ended.
 *
 * - `settled`: it is on chain; the adapter read the receipt and found the expected event with the expected key.
 * - `refused`: nothing moved and this order never will; the claim is undone and the caller gets `code`.
 * - `unavailable`: nothing was sent; the same order may be sent again.
 * - `unknown`: it may have moved. Only `find` or the same order sent again can tell.
 */
export type RailAnswer =
  | { readonly outcome: 'settled'; readonly txHash: string; readonly blockNumber: bigint }
  | { readonly outcome: 'refused'; readonly code: ErrorCode; readonly details?: ErrorDetails; readonly message?: string }
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'unknown'; readonly txHash?: string }

/** What the chain says of an order. `absent` means: not on chain as of now. */
export type Found = { readonly state: 'landed'; readonly txHash: string; readonly blockNumber: bigint } | { readonly state: 'absent' }

/** What the chain holds for a payment now. */
export type EscrowState = { readonly collected: boolean; readonly capturable: bigint; readonly refundable: bigint }

/** What a transaction we named shows now: the order and its amount, something else, or it is not on chain (any more). */
export type Proof = 'proven' | 'otherwise' | 'absent'

/** Moves money on one network; one implementation a rail, proven by one contract suite. */
export interface Rail {
  /** Sends the order and waits at most `waitMs` for its end. Never throws for what the network or the chain did. */
  send(order: RailOrder, waitMs: number): Promise<RailAnswer>
  /** Reads the chain. Throws `MarketError('CHAIN_UNAVAILABLE')` rather than guess. */
  find(order: RailOrder): Promise<Found>
  /** Reads the chain. Throws `MarketError('CHAIN_UNAVAILABLE')` rather than guess. */
  escrowState(payment: Payment): Promise<EscrowState>
  /** Reads the receipt of a transaction named for the order. Throws `MarketError('CHAIN_UNAVAILABLE')` rather than guess. */
  proof(order: RailOrder, txHash: string): Promise<Proof>
  /** What the contracts we use hold of a token. Throws `MarketError('CHAIN_UNAVAILABLE')`. */
  holdings(asset: Amount['asset']): Promise<Holdings>
  /** Spendable balance of a wallet. Throws `MarketError('CHAIN_UNAVAILABLE')`. */
  balance(wallet: string, asset: Amount['asset']): Promise<bigint>
  /** Moves fees from the operator contract to the treasury; `amount` 0 with no transaction when nothing had accrued. */
  sweepFees(asset: Amount['asset'], key: string): Promise<RailAnswer & { readonly amount?: bigint } | { readonly outcome: 'nothing' }>
}
