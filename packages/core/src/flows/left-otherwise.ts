import { MarketError } from '../errors.ts'
import { captureJournal, voidJournal } from '../ledger/journal.ts'
import type { EscrowState } from '../ports/rail.ts'
import { isOpen, type Settlement } from '../settlements/settlement.ts'
import { cancelDisputed, closeDispute, reopenDispute, type Place } from './close-dispute.ts'
import type { MarketDeps } from './deps.ts'
import { openAgain } from './step-down.ts'

/**
 * A payer may take funds back, or pay them out, on chain and past us: then a refund can never land. Books where the
 * money went, with no transaction of ours to name, and ends the refund. False while the escrow still holds it.
 */
export async function leftOtherwise(deps: MarketDeps, settlement: Settlement): Promise<boolean> {
  const { order } = settlement
  if (order.kind !== 'void') return false
  const { payment, amount } = order
  const state = await read(deps, settlement)
  if (state === null || !state.collected || state.capturable > 0n) return false
  // What a split awarded before is refundable as well, and no part of this.
  const wentToWorker = state.refundable > payment.maxAmount - amount.atomic
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(settlement.taskId)
    const current = await tx.lockSettlement(settlement.id)
    if (task === null || current === null || !isOpen(current)) return false
    await tx.endSettlement(settlement.id, { status: 'refused', code: 'ESCROW_NOT_REFUNDABLE' }, now)
    await tx.changeTask(task.id, { escrowStatus: wentToWorker || current.purpose === 'remainder' ? 'released' : 'refunded' }, now)
    const note = wentToWorker ? 'paid out on chain by the payer' : 'taken back on chain by the payer'
    await tx.addPaymentEvent({ id: deps.ids.next(), taskId: task.id, type: wentToWorker ? 'settle' : 'refund', status: 'in_doubt', amount, asset: amount.asset, from: payment.payer, to: wentToWorker ? payment.receiver : payment.payer, txHash: null, note, at: now })
    const postings = wentToWorker ? captureJournal(payment.receiver, payment.hash, amount) : voidJournal(payment.payer, payment.hash, amount)
    await tx.post({ id: deps.ids.next(), taskId: task.id, asset: amount.asset, at: now, postings })
    await goOn({ deps, tx, task, now }, current, wentToWorker)
    return true
  })
}

/** What waited for the refund does not wait for ever: with the money back, by whatever hand, it happens as planned. */
async function goOn(at: Place, settlement: Settlement, wentToWorker: boolean): Promise<void> {
  if (settlement.purpose === 'remainder') await closeDispute(at, settlement.submissionId)
  else if (settlement.purpose === 'return' && wentToWorker) await reopenDispute(at, settlement.submissionId)
  else if (settlement.purpose === 'return') await cancelDisputed(at, settlement.submissionId, null)
  else if (settlement.purpose === 'stepdown' && !wentToWorker) await openAgain(at, settlement.executorId, null)
}

async function read(deps: MarketDeps, { order }: Settlement): Promise<EscrowState | null> {
  if (order.kind !== 'void') return null
  try {
    return await deps.rails(order.payment.network).escrowState(order.payment)
  } catch (error) {
    if (error instanceof MarketError && error.code === 'CHAIN_UNAVAILABLE') return null
    throw error
  }
}
