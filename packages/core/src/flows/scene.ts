import type { Posting } from '../ledger/journal.ts'
import { formatUsd, type Amount, type Asset } from '../money/amount.ts'
import type { NewPaymentEvent, Tx } from '../ports/store.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'

/** That a settlement is on chain, as the rail read it there. */
export type Landed = { readonly txHash: string; readonly blockNumber: bigint }

/** All that the writing down of one landed settlement needs; the task is locked. */
export type Scene = { readonly deps: MarketDeps; readonly tx: Tx; readonly task: Task; readonly settlement: Settlement; readonly landed: Landed; readonly now: Date }

/** One line of the audit log. */
export async function record(scene: Scene, type: NewPaymentEvent['type'], amount: Amount, from: string | null, to: string | null): Promise<void> {
  const { deps, tx, task, landed, now } = scene
  await tx.addPaymentEvent({ id: deps.ids.next(), taskId: task.id, type, status: 'success', amount, asset: amount.asset, from, to, txHash: landed.txHash, at: now })
}

export async function post(scene: Scene, asset: Asset, postings: readonly Posting[]): Promise<void> {
  await scene.tx.post({ id: scene.deps.ids.next(), taskId: scene.task.id, asset, at: scene.now, postings })
}

/** Dollars as events carry them. */
export function wire(amount: Amount): number {
  return Number(formatUsd(amount))
}

export function paid(amount: Amount, landed: Landed): { readonly chain: string; readonly token: string; readonly tx_hash: string } {
  return { chain: amount.asset.network, token: amount.asset.symbol, tx_hash: landed.txHash }
}
