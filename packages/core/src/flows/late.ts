import { statusAt } from '../settlement-offers/offer.ts'
import { canMove } from '../tasks/lifecycle.ts'
import { agreementOf } from './agreed.ts'
import { bookTransfer } from './book-transfer.ts'
import { booksOrder } from './confirm-resolution.ts'
import type { Scene } from './scene.ts'

/**
 * An order whose claim was given back is on chain all the same. A direct payment counts as the payment, true, if the
 * task still waits for one: then it is confirmed like any. Anything else is booked as what it is.
 */
export async function bookLate(scene: Scene): Promise<boolean> {
  const { tx, settlement, landed, now } = scene
  const { order, purpose, submissionId } = settlement
  if (order.kind !== 'charge') {
    // Held with a signature we had given up: it is on its way back by the watch of that signature. Whatever did it, it
    // was not that claim, and the next one may be for the same step.
    await booksOrder(scene, order, null)
    return false
  }
  if ((await isAwaited(scene)) && (await tx.confirmRefused(settlement.id, landed, now))) {
    if (purpose === 'payout' && submissionId !== null) await tx.reviveFeeOf(submissionId, now)
    return true
  }
  await bookTransfer(scene, purpose === 'fee' ? 'fee' : 'payout', order.transfer, landed, settlement.id)
  return false
}

/**
 * A fee alone pays for nothing: until its worker is paid it is booked, and the approval brings one of its own. An
 * agreement is paid as long as its offer is open again, and by no signature of one that was refused since.
 */
async function isAwaited({ tx, task, settlement, now }: Scene): Promise<boolean> {
  if (settlement.purpose === 'fee') return task.status === 'completed'
  const agreement = await agreementOf(tx, settlement)
  if (agreement === null) return canMove(task.status, 'approve')
  return statusAt(agreement, now) === 'open' && canMove(task.status, 'settlePaid')
}
