import type { DirectPayment } from '../escrow/direct-payment.ts'
import { BookedForAnother, totalsOf } from '../escrow/movement.ts'
import { splitFee } from '../money/amount.ts'
import type { Landed } from '../ports/rail.ts'
import { silenceKey } from '../settlements/order.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { canMove, isFinal } from '../tasks/lifecycle.ts'
import { agreedPaid, agreementOf, closeAgreed } from './agreed.ts'
import { bookTransfer } from './book-transfer.ts'
import { completeTask } from './complete.ts'
import {
  amountOf,
  booksOrder,
  booksRefund,
  confirmAward,
  confirmRemainder,
  confirmReturn,
  totalsNow,
} from './confirm-resolution.ts'
import type { MarketDeps } from './deps.ts'
import { beginStart } from './deadlines.ts'
import { bookLate } from './late.ts'
import { paid, wire, type Scene } from './scene.ts'
import { tellUnchosen } from './tell-unchosen.ts'
import { confirmStepDown } from './step-down.ts'

/**
 * `given back`: its claim had been, and what landed is booked as something else. `for another`: what landed is what
 * another settlement of the same payment did.
 */
export type Confirmed = 'confirmed' | 'given back' | 'for another'

/**
 * Writes down, in one transaction, that money moved: the settlement, the task, the audit log, the ledger and the
 * events together. Doing it again changes nothing.
 * @throws when the database cannot be asked; the reconciler repeats it.
 */
export async function confirmSettlement(deps: MarketDeps, settlement: Settlement, landed: Landed): Promise<Confirmed> {
  try {
    return (await confirmOnce(deps, settlement, landed)) ? 'confirmed' : 'given back'
  } catch (error) {
    if (error instanceof BookedForAnother) return 'for another'
    throw error
  }
}

async function confirmOnce(deps: MarketDeps, settlement: Settlement, landed: Landed): Promise<boolean> {
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(settlement.taskId)
    const current = await tx.lockSettlement(settlement.id)
    if (task === null || current === null) return false
    if (current.status === 'confirmed') return true
    // Another order took the place of the one that landed: what moved is booked by its log.
    if (amountOf(current.order).atomic !== amountOf(settlement.order).atomic) return false
    const scene = { deps, tx, task, settlement: current, landed, now }
    if (current.status === 'refused') {
      const isPayment = await bookLate(scene)
      if (isPayment) await confirmations[current.purpose](scene)
      return isPayment
    }
    await tx.endSettlement(
      settlement.id,
      { status: 'confirmed', txHash: landed.txHash, blockNumber: landed.blockNumber },
      now,
    )
    await confirmations[current.purpose](scene)
    return true
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
  stray: confirmStray,
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
    await beginStart({ ...scene, task: { ...task, escrowStatus: 'authorized' } })
    await tellUnchosen(scene, 'another_worker')
  }
  await booksOrder(scene, order)
  await tx.countOrder(task.id)
  const said = (await tx.taskWords(task.id)).find((one) => one.kind === 'assign' && one.worker?.id === executorId)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'task.assigned',
    taskId: task.id,
    at: now,
    data: {
      task_id: task.id,
      executor_id: executorId,
      worker_wallet: payment.receiver,
      bounty_usd: wire(gross),
      escrow_tx: landed.txHash,
      ...(said === undefined ? {} : { notes: said.text }),
    },
  })
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'payment.escrowed',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, amount_usd: wire(gross), payment: paid(gross, landed) },
  })
}

async function confirmRelease(scene: Scene): Promise<void> {
  const { settlement, landed, task } = scene
  const { order } = settlement
  if (order.kind !== 'capture') return
  await booksOrder(scene, order)
  const { captured } = await totalsNow(scene, order)
  const part = captured === task.bounty.atomic ? {} : { captured }
  await completeTask(scene, {
    settlement,
    landed,
    move: 'approve',
    escrowStatus: 'released',
    released: splitFee(order.amount, landed.feeBps),
    gross: task.bounty,
    decidedBy: order.key.startsWith(silenceKey) ? 'silence' : 'publisher',
    ...part,
  })
}

async function confirmPayout(scene: Scene): Promise<void> {
  const { settlement, landed, task } = scene
  const { order } = settlement
  if (order.kind !== 'charge') return
  await bookTransfer(scene, 'payout', order.transfer, landed, settlement.id)
  await bookAlongside(scene, order.transfer)
  await scene.tx.countOrder(task.id)
  const agreement = await agreementOf(scene.tx, settlement)
  if (agreement !== null) {
    const gross = { ...task.bounty, atomic: agreement.words.toWorker }
    await agreedPaid(scene, agreement, {
      settlement,
      landed,
      escrowStatus: 'none',
      captured: gross.atomic,
      released: splitFee(gross),
    })
    return closeAgreed(scene, agreement, settlement.submissionId)
  }
  await completeTask(scene, {
    settlement,
    landed,
    move: 'approve',
    escrowStatus: 'none',
    released: splitFee(task.bounty),
    gross: task.bounty,
    decidedBy: 'publisher',
  })
}

/** The fee that the same transaction paid: a transfer of its own in the books, and no settlement. */
async function bookAlongside(scene: Scene, { alongside, ...transfer }: DirectPayment): Promise<void> {
  if (alongside === undefined) return
  const { tx, task, landed, settlement, now } = scene
  const fee = { ...transfer, ...alongside, nonce: `${transfer.nonce}:fee` }
  await bookTransfer(scene, 'fee', fee, { ...landed, logIndex: landed.logIndex + 1 }, settlement.id)
  await tx.changeTask(task.id, { feeTx: landed.txHash }, now)
}

async function confirmFee(scene: Scene): Promise<void> {
  const { order, id } = scene.settlement
  if (order.kind !== 'charge') return
  await bookTransfer(scene, 'fee', order.transfer, scene.landed, id)
  await scene.tx.changeTask(scene.task.id, { feeTx: scene.landed.txHash }, scene.now)
}

/** Money that an ended task had left behind: back with the payer, or at last with the worker it was approved for. */
async function confirmStray(scene: Scene): Promise<void> {
  const { deps, tx, task, settlement, landed, now } = scene
  const { order } = settlement
  if (order.kind !== 'capture') {
    await booksRefund(scene)
    return
  }
  await booksOrder(scene, order)
  const { captured } = totalsOf(await tx.movements(order.payment.network, order.payment.hash))
  await tx.changeTask(task.id, { paymentTx: landed.txHash, paymentBlock: landed.blockNumber, captured }, now)
  const { payout, fee } = splitFee(order.amount, landed.feeBps)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'payment.released',
    taskId: task.id,
    at: now,
    data: {
      task_id: task.id,
      worker_amount: wire(payout),
      platform_fee: wire(fee),
      payment: paid(order.amount, landed),
    },
  })
}

async function confirmRefund(scene: Scene): Promise<void> {
  const { deps, tx, task, landed, now } = scene
  if (!(await booksRefund(scene))) return
  const changes = { escrowStatus: 'refunded', refundTx: landed.txHash } as const
  if (isFinal(task.status)) return tx.changeTask(task.id, changes, now)
  await tx.moveTask(task.id, 'cancelled', now, changes)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'task.cancelled',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, refund_tx: landed.txHash },
  })
}
