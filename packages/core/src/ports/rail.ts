import type { Amount } from '../money/amount.ts'
import type { ErrorCode } from '@ergon/contract'
import type { ErrorDetails } from '../errors.ts'
import type { Holdings } from '../audit/compare-sums.ts'
import type { LogPlace, Movement } from '../escrow/movement.ts'
import type { ChainLogs } from './chain-logs.ts'
import type { EscrowState, Payment } from '../escrow/payment.ts'
import type { RailOrder } from '../settlements/order.ts'

export type { EscrowState } from '../escrow/payment.ts'
export type { AuthorizeOrder, CaptureOrder, ChargeOrder, RailOrder, VoidOrder } from '../settlements/order.ts'

/** That something is on chain: which transaction, and which log of it; of a capture the share that was kept. */
export type Landed = LogPlace & { readonly txHash: string; readonly feeBps?: number }

/**
 * How an attempt to move money ended.
 *
 * - `settled`: it is on chain; the adapter read the receipt and found the expected event with the expected key.
 * - `refused`: a verdict, and the chain has nothing of it now. `final`: no copy of this order under its key can be
 * carried
 *   out any more, one that is still under way included. `at`: when it was said, by the clock of whoever said it.
 * - `unavailable`: it was not carried out now. `sent: false`: not a byte of it left, so no copy is under way.
 * - `unknown`: it may have moved. Only `find` or the same order sent again can tell.
 */
export type RailAnswer =
  | ({ readonly outcome: 'settled' } & Landed)
  | {
      readonly outcome: 'refused'
      readonly code: ErrorCode
      readonly details?: ErrorDetails
      readonly message?: string
      readonly final: boolean
      readonly at: Date | null
    }
  /** `spentForSec`: nobody pays its gas until then, in seconds. */
  | { readonly outcome: 'unavailable'; readonly sent: boolean; readonly spentForSec?: number }
  | { readonly outcome: 'unknown'; readonly txHash?: string }

/**
 * What the chain says about an order. `absent` means: not on chain as of now. `isDead`: and it never will be, for its
 * signature was used for something else, in a block that is not undone any more. `capturable`: what a capture or a void
 * could still move.
 */
export type Found =
  | ({ readonly state: 'landed' } & Landed)
  | { readonly state: 'absent'; readonly isDead?: true; readonly capturable?: bigint }

/**
 * What a transaction we named shows now: the order and its amount, something else, or it is not on chain (any more).
 */
export type Proof = 'proven' | 'otherwise' | 'absent'

/** Moves money on one network; one implementation a rail, proven by one contract suite. */
export interface Rail {
  /** What the chain says on its own. */
  readonly logs: ChainLogs
  /**
   * Sends the order and waits at most `waitMs` for its end. A copy that arrives after `before` is not carried out.
   * Never throws for what the network or the chain did.
   */
  send(order: RailOrder, waitMs: number, before: Date): Promise<RailAnswer>
  /** Reads the chain. Throws `MarketError('CHAIN_UNAVAILABLE')` rather than guess. */
  find(order: RailOrder): Promise<Found>
  /** Reads the chain. Throws `MarketError('CHAIN_UNAVAILABLE')` rather than guess. */
  escrowState(payment: Payment): Promise<EscrowState>
  /**
   * Every log of the escrow about a payment, in the order of the chain. Throws `MarketError('CHAIN_UNAVAILABLE')`
   * rather than guess.
   */
  movements(payment: Payment): Promise<readonly Movement[]>
  /**
   * The time of the newest block that is not undone any more: the chain takes nothing whose time is over by it.
   * Throws `MarketError('CHAIN_UNAVAILABLE')`.
   */
  chainTime(): Promise<Date>
  /**
   * Reads the receipt of a transaction named for the order. Throws `MarketError('CHAIN_UNAVAILABLE')` rather than
   * guess.
   */
  proof(order: RailOrder, txHash: string): Promise<Proof>
  /** What the contracts we use hold of a token. Throws `MarketError('CHAIN_UNAVAILABLE')`. */
  holdings(asset: Amount['asset']): Promise<Holdings>
  /** Spendable balance of a wallet. Throws `MarketError('CHAIN_UNAVAILABLE')`. */
  balance(wallet: string, asset: Amount['asset']): Promise<bigint>
  /** Moves fees from the operator contract to the treasury; `amount` 0 with no transaction when nothing had accrued. */
  sweepFees(
    asset: Amount['asset'],
    key: string,
  ): Promise<(RailAnswer & { readonly amount?: bigint }) | { readonly outcome: 'nothing' }>
}
