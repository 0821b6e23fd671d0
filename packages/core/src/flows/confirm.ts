import { MarketError } from '../errors.ts'
import { chargeJournal, lockJournal, treasuryAccount, walletAccount } from '../ledger/journal.ts'
import { splitFee, type Amount } from '../money/amount.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { canMove, isFinal } from '../tasks/lifecycle.ts'
import { booksCapture, booksRefund, confirmAward, confirmRemainder, confirmReturn } from './confirm-resolution.ts'
import type { MarketDeps } from './deps.ts'
import { rateWithApproval } from './rate-with-approval.ts'
import { paid, post, record, wire, type Landed, type Scene } from './scene.ts'
import { confirmStepDown } from './step-down.ts'

/**
 * Writes down, in one transaction, that money moved: the settlement, the task, the audit log, the ledger and the
 * events together. Doing it again changes nothing. @throws when the database cannot be asked; the reconciler repeats it.
 */
export async function confirmSettlement(deps: MarketDeps, settlement: Settlement, landed: Landed): Promise<void> {
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(settlement.taskId)
    const current = await tx.lockSettlement(settlement.id)
    if (task === null || current === null || current.status === 'confirmed') return
    // A claim that was given back and landed all the same is for a person to see, not for a program to guess about.
    if (current.status === 'refused') throw new MarketError('INTERNAL', { settlement: settlement.id, tx_hash: landed.txHash }, { message: 'a settlement that was given back is on chain' })
    await tx.endSettlement(settlement.id, { status: 'confirmed', txHash: landed.txHash, blockNumber: landed.blockNumber }, now)
    await confirmations[current.purpose]({ deps, tx, task, settlement: current, landed, now })
  })
}

const confirmations: Readonly<Record<Settlement['purpose'], (scene: Scene) => Promise<void>>> = {
  lock: confirmLock,
  release: confirmRelease,
  refund: confirmRefund,
  payout: confirmPayout,
  fee: confirmFee,
  award: confirmAward,
  remainder: confirmRemainder,
  return: confirmReturn,
  stepdown: confirmStepDown,
}

async function confirmLock(scene: Scene): Promise<void> {
  const { deps, tx, task, settlement, landed, now } = scene
  const { order, executorId } = settlement
  if (order.kind !== 'authorize' || executorId === null) return
  const { payment } = order
  const gross = { atomic: payment.maxAmount, asset: payment.asset }
  if (canMove(task.status, 'confirmLock')) {
    await tx.moveTask(task.id, 'accepted', now, { executorId, escrowStatus: 'authorized', escrowTx: landed.txHash })
    await tx.acceptApplication(task.id, executorId)
  }
  await record(scene, 'settle', gross, payment.payer, null)
  await post(scene, gross.asset, lockJournal(payment.payer, payment.hash, gross))
  await tx.addEvent({ id: deps.ids.next(), type: 'task.assigned', taskId: task.id, at: now, data: { task_id: task.id, executor_id: executorId, worker_wallet: payment.receiver, bounty_usd: wire(gross), escrow_tx: landed.txHash } })
  await tx.addEvent({ id: deps.ids.next(), type: 'payment.escrowed', taskId: task.id, at: now, data: { task_id: task.id, amount_usd: wire(gross), payment: paid(gross, landed) } })
}

async function confirmRelease(scene: Scene): Promise<void> {
  const { order } = scene.settlement
  if (order.kind !== 'capture') return
  await booksCapture(scene, order)
  await complete(scene, order.amount, 'released')
}

async function confirmPayout(scene: Scene): Promise<void> {
  const { order } = scene.settlement
  if (order.kind !== 'charge') return
  const { transfer } = order
  await record(scene, 'settle', transfer.amount, transfer.from, transfer.to)
  await record(scene, 'disburse_worker', transfer.amount, transfer.from, transfer.to)
  await post(scene, transfer.amount.asset, chargeJournal(transfer.from, walletAccount(transfer.to), transfer.amount))
  await complete(scene, scene.task.bounty, 'none')
}

async function confirmFee(scene: Scene): Promise<void> {
  const { order } = scene.settlement
  if (order.kind !== 'charge') return
  const { transfer } = order
  await record(scene, 'disburse_fee', transfer.amount, transfer.from, transfer.to)
  await post(scene, transfer.amount.asset, chargeJournal(transfer.from, treasuryAccount, transfer.amount))
  await scene.tx.changeTask(scene.task.id, { feeTx: scene.landed.txHash }, scene.now)
}

async function complete(scene: Scene, gross: Amount, escrowStatus: 'released' | 'none'): Promise<void> {
  const { deps, tx, task, settlement, landed, now } = scene
  const { submissionId, executorId } = settlement
  if (submissionId === null || executorId === null) return
  const { fee, payout } = splitFee(gross)
  const changes = { escrowStatus, paymentTx: landed.txHash, paymentBlock: landed.blockNumber } as const
  if (canMove(task.status, 'approve')) await tx.moveTask(task.id, 'completed', now, changes)
  else await tx.changeTask(task.id, changes, now)
  await tx.decideSubmission(submissionId, { status: 'approved', at: now, paymentTx: landed.txHash })
  await tx.countCompleted(executorId)
  if (settlement.rating !== null) await rateWithApproval(deps, tx, task, executorId, settlement.rating, now)
  const payment = paid(gross, landed)
  await tx.addEvent({ id: deps.ids.next(), type: 'submission.approved', taskId: task.id, at: now, data: { task_id: task.id, submission_id: submissionId, payment_tx: landed.txHash } })
  await tx.addEvent({ id: deps.ids.next(), type: 'payment.released', taskId: task.id, at: now, data: { task_id: task.id, worker_amount: wire(payout), platform_fee: wire(fee), payment } })
  await tx.addEvent({ id: deps.ids.next(), type: 'task.completed', taskId: task.id, at: now, data: { task_id: task.id, executor_id: executorId, bounty_usd: wire(gross), payment } })
}

async function confirmRefund(scene: Scene): Promise<void> {
  const { deps, tx, task, landed, now } = scene
  if (!(await booksRefund(scene))) return
  const changes = { escrowStatus: 'refunded', refundTx: landed.txHash } as const
  if (isFinal(task.status)) return tx.changeTask(task.id, changes, now)
  await tx.moveTask(task.id, 'cancelled', now, changes)
  await tx.addEvent({ id: deps.ids.next(), type: 'task.cancelled', taskId: task.id, at: now, data: { task_id: task.id, refund_tx: landed.txHash } })
}
