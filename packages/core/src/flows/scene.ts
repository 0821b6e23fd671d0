import { formatUsd, type Amount } from '../money/amount.ts'
import type { Landed } from '../ports/rail.ts'
import type { Tx } from '../ports/store.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'

/** All that the writing down of one landed settlement needs; the task is locked. */
export type Scene = {
  readonly deps: MarketDeps
  readonly tx: Tx
  readonly task: Task
  readonly settlement: Settlement
  readonly landed: Landed
  readonly now: Date
}

/** Dollars as events carry them. */
export function wire(amount: Amount): number {
  return Number(formatUsd(amount))
}

export function paid(
  amount: Amount,
  landed: Pick<Landed, 'txHash'>,
): { readonly chain: string; readonly token: string; readonly tx_hash: string } {
  return { chain: amount.asset.network, token: amount.asset.symbol, tx_hash: landed.txHash }
}
