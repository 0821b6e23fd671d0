import type { ErrorCode } from '@ergon/contract'
import type { CashOut, Sendable } from '../cash-outs/cash-out.ts'
import type { Asset } from '../money/amount.ts'
import type { Page, PageRequest } from '../page.ts'

/** The state of one after an attempt; a transaction or due time that is not named stays. */
export type CashOutEnd = {
  readonly status: CashOut['status']
  readonly code?: ErrorCode
  readonly txHash?: string
  readonly dueAt?: Date
}

/** Cash-outs without gas (decision 0249). */
export interface CashOutStore {
  cashOut(wallet: string, nonce: string): Promise<CashOut | null>
  /** The newest first. */
  cashOutsOf(wallet: string, page: PageRequest): Promise<Page<CashOut>>
  /** Of each of these, what the wallet may send; below zero where it spent more here than it earned. */
  sendableOf(wallet: string, assets: readonly Asset[]): Promise<readonly Sendable[]>
  /**
   * Open ones of this network whose time has come, each leased until `leaseUntil` and its `sentUntil` raised to the one
   * given.
   */
  leaseCashOuts(
    network: string,
    now: Date,
    leaseUntil: Date,
    sentUntil: Date,
    limit: number,
  ): Promise<readonly CashOut[]>
  /** Deletes those that came to nothing before; answers how many. */
  forgetCashOuts(before: Date, limit: number): Promise<number>
}

export interface CashOutTx {
  /**
   * Counts one more of today, and keeps another of the same wallet, or to the same address, waiting until this is
   * written. @throws RATE_LIMITED, GAS_BUDGET_SPENT
   */
  countCashOut(of: {
    readonly wallet: string
    readonly to: string
    readonly perWalletDay: number
    readonly perAddressDay: number
    readonly perDay: number
  }): Promise<void>
  /** As `sendableOf`, of one. */
  sendable(wallet: string, asset: Asset): Promise<bigint>
  /** False when the nonce was used, or another of the wallet and token is open. */
  insertCashOut(cashOut: CashOut, dueAt: Date): Promise<boolean>
  /**
   * Writes its state. What landed is written whatever was believed before; anything else of an open one alone that
   * was not taken up again since. Answers whether it was written.
   */
  endCashOut(of: Pick<CashOut, 'id' | 'attempts'>, end: CashOutEnd, at: Date): Promise<boolean>
}
