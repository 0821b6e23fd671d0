import { totalsOf, type Movement, type MovementKind, type Totals } from '../escrow/movement.ts'
import { feeBps } from '@ergon/contract/facts'
import { splitFee, type Amount } from '../money/amount.ts'
import type { RailOrder } from '../settlements/order.ts'
import { canMove, isFinal } from '../tasks/lifecycle.ts'
import { agreedBack, agreedPaid, agreementOf, closeAgreed } from './agreed.ts'
import { bookMovement } from './book-movement.ts'
import { cancelDisputed, closeDispute } from './close-dispute.ts'
import { completeTask } from './complete.ts'
import { paid, wire, type Scene } from './scene.ts'

type EscrowOrder = Exclude<RailOrder, { readonly kind: 'charge' }>

/** The worker's share of a resolution is on chain; a split goes on with the remainder (decision 0046). */
export async function confirmAward(scene: Scene): Promise<void> {
  const { tx, task, settlement, landed } = scene
  const { order, submissionId } = settlement
  if (order.kind !== 'capture') return
  const released = splitFee(order.amount, landed.feeBps)
  await booksOrder(scene, order)
  const totals = await totalsNow(scene, order)
  // What goes back to the payer was claimed beside it.
  const isWhole = !(await tx.hasOpenSettlement(task.id))
  const agreement = await agreementOf(tx, settlement)
  if (agreement !== null) {
    const escrowStatus = isWhole ? 'released' : 'refunding'
    const { captured } = totals
    await agreedPaid(scene, agreement, { settlement, landed, escrowStatus, captured, released })
    if (isWhole) await closeAgreed(scene, agreement, submissionId)
    return
  }
  await completeTask(scene, {
    settlement,
    landed,
    released,
    gross: task.bounty,
    captured: totals.captured,
    move: isWhole ? 'resolveRelease' : 'resolveSplit',
    escrowStatus: isWhole ? 'released' : 'refunding',
  })
  if (isWhole) await closeDispute(scene, submissionId)
}

/** The payer's share of a split is back: both moves are on chain, and the dispute is over. */
export async function confirmRemainder(scene: Scene): Promise<void> {
  if (await booksRefund(scene)) await endSplit(scene, scene.landed.txHash)
}

/**
 * Nothing of a split is left to move. Where the worker's share had been paid out on chain before, this completes the
 * task.
 */
export async function endSplit(scene: Omit<Scene, 'landed'>, refundTx: string | null): Promise<void> {
  const { tx, task, settlement, now } = scene
  const { order } = settlement
  if (order.kind === 'charge') return
  const changes = refundTx === null ? {} : { refundTx }
  const before = await tx.movements(order.payment.network, order.payment.hash)
  const last = before.findLast(({ kind }) => kind === 'captured' || kind === 'charged')
  const agreement = await agreementOf(tx, settlement)
  if (agreement !== null) {
    if (!isFinal(task.status) && last !== undefined)
      await agreedPaid(scene, agreement, {
        settlement,
        landed: last,
        escrowStatus: 'released',
        captured: totalsOf(before).captured,
        released: null,
      })
    await tx.changeTask(task.id, { escrowStatus: 'released', ...changes }, now)
    return closeAgreed(scene, agreement, settlement.submissionId)
  }
  if (canMove(task.status, 'resolveSplit') && last !== undefined) {
    await completeTask(scene, {
      settlement,
      landed: last,
      released: null,
      gross: task.bounty,
      captured: totalsOf(before).captured,
      move: 'resolveSplit',
      escrowStatus: 'released',
    })
  }
  await tx.changeTask(task.id, { escrowStatus: 'released', ...changes }, now)
  await closeDispute(scene, settlement.submissionId)
}

/** Decided for the payer, and the money is back. */
export async function confirmReturn(scene: Scene): Promise<void> {
  if (!(await booksRefund(scene))) return
  const { settlement, landed } = scene
  const agreement = await agreementOf(scene.tx, settlement)
  if (agreement !== null) return agreedBack(scene, agreement, settlement.submissionId, landed.txHash)
  await cancelDisputed(scene, settlement.submissionId, landed.txHash)
}

const kindOf: Readonly<Record<EscrowOrder['kind'], MovementKind>> = {
  authorize: 'authorized',
  capture: 'captured',
  void: 'voided',
}

/** Books what an order of ours moved, unless its log is booked already: for its settlement, or, with null, for none. */
export async function booksOrder(
  scene: Scene,
  order: EscrowOrder,
  settlementId: string | null = scene.settlement.id,
): Promise<void> {
  const { txHash, blockNumber, logIndex, feeBps: kept } = scene.landed
  const { network, hash } = order.payment
  const share = order.kind === 'capture' ? (kept ?? feeBps) : null
  const movement: Movement = {
    network,
    txHash,
    blockNumber,
    logIndex,
    hash,
    kind: kindOf[order.kind],
    atomic: amountOf(order).atomic,
    feeBps: share,
  }
  await bookMovement(scene, order.payment, movement, settlementId)
}

/** What an order moves. */
export function amountOf(order: RailOrder): Amount {
  switch (order.kind) {
    case 'authorize':
      return { atomic: order.payment.maxAmount, asset: order.payment.asset }
    case 'capture':
    case 'void':
      return order.amount
    case 'charge':
      return order.transfer.amount
  }
}

/**
 * What the booked movements of a payment add up to; its rows are asked only where its order is not the whole payment.
 */
export async function totalsNow(
  { tx }: Pick<Scene, 'tx'>,
  { payment, amount }: Extract<EscrowOrder, { readonly amount: Amount }>,
): Promise<Totals> {
  if (amount.atomic === payment.maxAmount)
    return { capturable: 0n, captured: amount.atomic, returned: 0n, refunded: 0n }
  return totalsOf(await tx.movements(payment.network, payment.hash))
}

/** Money that went back to the payer, in the audit log, the ledger and the events. */
export async function booksRefund(scene: Scene): Promise<boolean> {
  const { deps, tx, task, settlement, landed, now } = scene
  const { order } = settlement
  if (order.kind !== 'void') return false
  const { amount } = order
  await booksOrder(scene, order)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'payment.refunded',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, amount_usd: wire(amount), payment: paid(amount, landed) },
  })
  return true
}
