import type { EscrowStatus } from '@ergon/contract'
import type { Movement } from '../escrow/movement.ts'
import { isFinal } from '../tasks/lifecycle.ts'
import { agreedBack, agreedPaid, agreementOf, closeAgreed } from './agreed.ts'
import { awardLeft, type Emptying } from './award-left.ts'
import { cancelDisputed, closeDispute, reopenDispute, type Place } from './close-dispute.ts'
import { completeTask } from './complete.ts'
import { endSplit } from './confirm-resolution.ts'
import { undoClaim } from './give-back.ts'
import type { Ending } from './settle.ts'
import { openAgain } from './step-down.ts'

/**
 * Nothing is left of the payment, by whatever hands. What waited for its settlement happens if the money went the way
 * it was to go.
 */
export async function endEmptied(place: Place, emptying: Emptying): Promise<Ending> {
  const { tx, task, now } = place
  const { settlement, movements, totals } = emptying
  const { purpose, order } = settlement
  const code = order.kind === 'void' ? 'ESCROW_NOT_REFUNDABLE' : 'ESCROW_NOT_RELEASABLE'
  const paid = movements.findLast(({ kind }) => kind === 'captured' || kind === 'charged')
  const back = movements.findLast(({ kind }) => kind === 'voided' || kind === 'reclaimed')
  // A verdict for both divides the money. Where all of it went back, nothing of it was released.
  const isDivided = totals.captured > 0n && (purpose === 'remainder' || purpose === 'award')
  const escrowStatus: EscrowStatus =
    movements.length > 0 && (totals.returned === 0n || isDivided) ? 'released' : 'refunded'
  if (purpose !== 'stray')
    await tx.changeTask(
      task.id,
      {
        escrowStatus,
        ...(paid === undefined
          ? {}
          : { paymentTx: paid.txHash, paymentBlock: paid.blockNumber, captured: totals.captured }),
      },
      now,
    )
  const at: Place = { ...place, task: { ...task, escrowStatus } }
  // Its lock was undone for good: the money is with the payer, and no transaction says so.
  const isUndone = movements.length === 0
  const isDone = await carryOn(at, emptying, { paid, back, isBack: back !== undefined || isUndone })
  const last = order.kind === 'void' ? (back ?? paid) : (paid ?? back)
  if (isDone && (last !== undefined || isUndone)) {
    await tx.endSettlement(settlement.id, { status: 'refused', code }, now)
    return { state: 'elsewhere', txHash: last?.txHash ?? null }
  }
  await undoClaim(at, settlement, { code })
  await tx.changeTask(task.id, { escrowStatus }, now)
  return { state: 'refused', refusal: { code } }
}

type Last = {
  readonly paid: Movement | undefined
  readonly back: Movement | undefined
  readonly isBack: boolean
}

/** True when the claim reached its end, though by other hands. */
async function carryOn(place: Place, emptying: Emptying, { paid, back, isBack }: Last): Promise<boolean> {
  const { deps, tx, task, now } = place
  const { settlement } = emptying
  const { submissionId, executorId } = settlement
  const refundTx = back?.txHash ?? null
  switch (settlement.purpose) {
    case 'refund':
      if (!isBack) return false
      if (isFinal(task.status)) await tx.changeTask(task.id, { refundTx }, now)
      else {
        await tx.moveTask(task.id, 'cancelled', now, { refundTx })
        await tx.addEvent({
          id: deps.ids.next(),
          type: 'task.cancelled',
          taskId: task.id,
          at: now,
          data: { task_id: task.id, refund_tx: refundTx },
        })
      }
      return true
    case 'stepdown':
      if (isBack) await openAgain(place, executorId, refundTx)
      return isBack
    case 'return': {
      const agreement = await agreementOf(tx, settlement)
      if (isBack && agreement !== null) await agreedBack(place, agreement, submissionId, refundTx)
      else if (isBack) await cancelDisputed(place, submissionId, refundTx)
      else if (agreement === null) await reopenDispute(place, submissionId)
      return isBack
    }
    case 'remainder':
      await endSplit({ ...place, settlement }, back?.txHash ?? null)
      return true
    case 'release':
    case 'award':
      return paid !== undefined && completeElsewhere(place, emptying, paid)
    case 'stray':
      return true
    case 'lock':
    case 'payout':
    case 'fee':
      return false
  }
}

/** The payer paid on chain what was to be paid: the whole bounty, or the share of the verdict. */
async function completeElsewhere(place: Place, emptying: Emptying, paid: Movement): Promise<boolean> {
  const { task } = place
  const { settlement, totals } = emptying
  // What is back with the payer could have been the worker's: nothing of it is missing from the share.
  const missing =
    settlement.purpose === 'release'
      ? totals.returned
      : await awardLeft(place, { ...emptying, totals: { ...totals, capturable: totals.returned, returned: 0n } })
  const isPaid = missing === 0n
  if (!isPaid) return false
  const agreement = await agreementOf(place.tx, settlement)
  if (agreement !== null) {
    const { captured } = totals
    await agreedPaid(place, agreement, {
      settlement,
      landed: paid,
      escrowStatus: 'released',
      captured,
      released: null,
    })
    await place.tx.refuseRemainderOf(task.id, place.now)
    await closeAgreed(place, agreement, settlement.submissionId)
    return true
  }
  const move = settlement.purpose === 'release' ? 'approve' : 'resolveRelease'
  await completeTask(place, {
    settlement,
    landed: paid,
    move,
    escrowStatus: 'released',
    captured: totals.captured,
    released: null,
    gross: task.bounty,
  })
  if (settlement.purpose === 'award') await closeDispute(place, settlement.submissionId)
  return true
}
