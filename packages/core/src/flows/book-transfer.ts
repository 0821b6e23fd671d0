import type { DirectPayment } from '../escrow/direct-payment.ts'
import { chargeJournal, treasuryAccount, walletAccount } from '../ledger/journal.ts'
import type { Landed } from '../ports/rail.ts'
import type { NewPaymentEvent } from '../ports/store.ts'
import type { Place } from './close-dispute.ts'

/**
 * Books a payment in one step, by the log that spent its nonce: once, whoever sees it first. False when it was booked
 * before.
 */
export async function bookTransfer(
  place: Place,
  purpose: 'payout' | 'fee',
  transfer: DirectPayment,
  landed: Landed,
  settlementId: string | null,
): Promise<boolean> {
  const { deps, tx, task, now } = place
  const { network, from, to, amount, nonce } = transfer
  const { txHash, blockNumber, logIndex } = landed
  // A nonce pays once, under however many claims it was sent and wherever a reorganized chain shows it now.
  if ((await tx.movements(network, nonce)).length > 0) return false
  const movement = {
    network,
    txHash,
    blockNumber,
    logIndex,
    hash: nonce,
    kind: 'charged',
    atomic: amount.atomic,
    feeBps: null,
  } as const
  if (!(await tx.addMovement(movement, { taskId: task.id, settlementId }))) return false
  const types: readonly NewPaymentEvent['type'][] =
    purpose === 'payout' ? ['settle', 'disburse_worker'] : ['disburse_fee']
  for (const type of types)
    await tx.addPaymentEvent({
      id: deps.ids.next(),
      taskId: task.id,
      type,
      status: 'success',
      amount,
      asset: amount.asset,
      from,
      to,
      txHash,
      at: now,
    })
  const payee = purpose === 'payout' ? walletAccount(to) : treasuryAccount
  await tx.post({
    id: deps.ids.next(),
    taskId: task.id,
    asset: amount.asset,
    at: now,
    postings: chargeJournal(from, payee, amount),
  })
  return true
}
