import { chargeJournal, treasuryAccount, walletAccount } from '../ledger/journal.ts'
import type { ChainBlock, ChainLogs, ChainWindow } from '../ports/chain-logs.ts'
import type { Landed } from '../ports/rail.ts'
import type { BookedMovement, BookedTransfer } from '../ports/store-follow.ts'
import { networkOf } from '../settlements/order.ts'
import { isDead } from './dead.ts'
import type { MarketDeps } from './deps.ts'
import { refuseFee } from './give-back.ts'
import { readable } from './readable.ts'
import { isLongLost, reportLost } from './long-lost.ts'

export type TransfersLooked = {
  readonly network: string
  readonly window: ChainWindow
  readonly transfers: readonly BookedTransfer[]
  readonly head: ChainBlock
}

/**
 * Direct payments that we booked and the chain does not show where they were: blocks were undone. Another transaction
 * may have carried the same signature since; or its payer withdrew it, or it ran out, and the payment never was.
 * Answers those whose end is not known yet; null when the chain could not be read.
 */
export async function unbookTransfers(
  deps: MarketDeps,
  logs: ChainLogs,
  { window, transfers, head }: TransfersLooked,
): Promise<readonly BookedMovement[] | null> {
  const missing: BookedMovement[] = []
  for (const transfer of transfers) {
    const { movement } = transfer
    if (!isInDoubt(movement, window)) continue
    const { order } = transfer.settlement
    // Asked first: what lands between the two readings is seen by the second.
    const isOver = await isDead(deps, order)
    const found = await readable(() => deps.rails(networkOf(order)).find(order))
    if (found === null) return null
    if (found.state === 'landed') {
      await name(deps, transfer, found)
      continue
    }
    const isLost = await isLongLost(deps, movement, { depth: BigInt(logs.depth), head })
    if (isLost && (isOver || found.isDead === true)) await unbook(deps, transfer)
    else missing.push(movement)
  }
  return missing
}

function isInDoubt(movement: BookedMovement, { spent, through }: ChainWindow): boolean {
  if (movement.missingSince !== null) return true
  return (
    movement.blockNumber <= through.number &&
    !spent.some(
      ({ nonce, txHash, logIndex }) =>
        nonce === movement.hash && txHash === movement.txHash && logIndex === movement.logIndex,
    )
  )
}

/** It is on chain: there still, there again, or by another transaction, which is its name from now on. */
async function name(deps: MarketDeps, { movement, settlement }: BookedTransfer, landed: Landed): Promise<void> {
  const now = deps.clock.now()
  const { txHash, blockNumber, logIndex } = landed
  await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(settlement.taskId)
    if (txHash === movement.txHash) {
      await tx.moveMovement(movement, landed)
      return
    }
    if (task === null || !(await tx.dropMovement(movement))) return
    const { missingSince: _, taskId: _t, settlementId: _s, ...log } = movement
    await tx.addMovement({ ...log, txHash, blockNumber, logIndex }, { taskId: task.id, settlementId: settlement.id })
    if (settlement.status === 'confirmed')
      await tx.endSettlement(settlement.id, { status: 'confirmed', txHash, blockNumber }, now)
    if (settlement.purpose === 'fee') await tx.changeTask(task.id, { feeTx: txHash }, now)
    else if (task.paymentTx === movement.txHash) await tx.changeTask(task.id, { paymentTx: txHash }, now)
  })
}

/**
 * It never was: the journal is turned round, what was said to be paid is so no more, and everybody is told. A payout
 * that is lost stays a finding; a fee that is lost is owed again (decision 0103).
 */
async function unbook(deps: MarketDeps, { movement, settlement }: BookedTransfer): Promise<void> {
  const { order, purpose, taskId, submissionId } = settlement
  if (order.kind !== 'charge') return
  const { from, to, amount } = order.transfer
  const code = 'SETTLEMENT_FAILED'
  const now = deps.clock.now()
  const detail = `the ${purpose} of ${movement.txHash} was undone with its block, and its signature pays no more`
  if (purpose === 'payout') await reportLost(deps, movement, { asset: amount.asset, detail })
  await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    const current = await tx.lockSettlement(settlement.id)
    if (task === null || !(await tx.dropMovement(movement))) return
    const payee = purpose === 'fee' ? treasuryAccount : walletAccount(to)
    const postings = chargeJournal(from, payee, amount).map(({ account, atomic }) => ({ account, atomic: -atomic }))
    await tx.post({ id: deps.ids.next(), taskId, asset: amount.asset, at: now, postings })
    if (current?.status === 'confirmed') await tx.endSettlement(settlement.id, { status: 'refused', code }, now)
    if (purpose === 'payout' && submissionId !== null) await refuseFee(tx, submissionId, now)
    if (purpose === 'fee') await tx.changeTask(taskId, { feeTx: null }, now)
    else if (task.paymentTx === movement.txHash) await tx.changeTask(taskId, { paymentTx: null }, now)
    await tx.addPaymentEvent({
      id: deps.ids.next(),
      taskId,
      type: purpose === 'fee' ? 'disburse_fee' : 'disburse_worker',
      status: 'failed',
      amount,
      asset: amount.asset,
      from,
      to,
      txHash: movement.txHash,
      note: detail,
      at: now,
    })
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'payment.failed',
      taskId,
      at: now,
      data: { task_id: taskId, code },
    })
  })
}
