import { captureJournal, voidJournal } from '../ledger/journal.ts'
import { splitFee } from '../money/amount.ts'
import type { CaptureOrder } from '../settlements/order.ts'
import { canMove } from '../tasks/lifecycle.ts'
import { cancelDisputed, closeDispute } from './close-dispute.ts'
import { paid, post, record, wire, type Scene } from './scene.ts'

/** The worker's share of a resolution is on chain; a split goes on with the remainder (decision 0046). */
export async function confirmAward(scene: Scene): Promise<void> {
  const { deps, tx, task, settlement, landed, now } = scene
  const { order, submissionId, executorId } = settlement
  if (order.kind !== 'capture' || submissionId === null || executorId === null) return
  const { payment, amount } = order
  const { fee, payout } = splitFee(amount)
  const isWhole = amount.atomic === payment.maxAmount
  await booksCapture(scene, order)
  const changes = { escrowStatus: isWhole ? 'released' : 'refunding', paymentTx: landed.txHash, paymentBlock: landed.blockNumber, captured: amount.atomic } as const
  if (canMove(task.status, isWhole ? 'resolveRelease' : 'resolveSplit')) await tx.moveTask(task.id, 'completed', now, changes)
  else await tx.changeTask(task.id, changes, now)
  await tx.decideSubmission(submissionId, { status: 'approved', at: now, paymentTx: landed.txHash })
  await tx.countCompleted(executorId)
  const to = paid(amount, landed)
  await tx.addEvent({ id: deps.ids.next(), type: 'submission.approved', taskId: task.id, at: now, data: { task_id: task.id, submission_id: submissionId, payment_tx: landed.txHash } })
  await tx.addEvent({ id: deps.ids.next(), type: 'payment.released', taskId: task.id, at: now, data: { task_id: task.id, worker_amount: wire(payout), platform_fee: wire(fee), payment: to } })
  await tx.addEvent({ id: deps.ids.next(), type: 'task.completed', taskId: task.id, at: now, data: { task_id: task.id, executor_id: executorId, bounty_usd: wire(task.bounty), payment: to } })
  if (isWhole) await closeDispute(scene, submissionId)
}

/** The payer's share of a split is back: both moves are on chain, and the dispute is over. */
export async function confirmRemainder(scene: Scene): Promise<void> {
  const { tx, task, settlement, landed, now } = scene
  if (!(await booksRefund(scene))) return
  await tx.changeTask(task.id, { escrowStatus: 'released', refundTx: landed.txHash }, now)
  await closeDispute(scene, settlement.submissionId)
}

/** Decided for the payer, and the money is back. */
export async function confirmReturn(scene: Scene): Promise<void> {
  if (await booksRefund(scene)) await cancelDisputed(scene, scene.settlement.submissionId, scene.landed.txHash)
}

/** Held money that was paid out, in the audit log and the ledger. */
export async function booksCapture(scene: Scene, { payment, amount }: CaptureOrder): Promise<void> {
  await record(scene, 'settle', amount, payment.payer, null)
  await record(scene, 'disburse_worker', splitFee(amount).payout, payment.payer, payment.receiver)
  await post(scene, amount.asset, captureJournal(payment.receiver, payment.hash, amount))
}

/** Money that went back to the payer, in the audit log, the ledger and the events. */
export async function booksRefund(scene: Scene): Promise<boolean> {
  const { deps, tx, task, settlement, landed, now } = scene
  const { order } = settlement
  if (order.kind !== 'void') return false
  const { payment, amount } = order
  await record(scene, 'refund', amount, null, payment.payer)
  await post(scene, amount.asset, voidJournal(payment.payer, payment.hash, amount))
  await tx.addEvent({ id: deps.ids.next(), type: 'payment.refunded', taskId: task.id, at: now, data: { task_id: task.id, amount_usd: wire(amount), payment: paid(amount, landed) } })
  return true
}
