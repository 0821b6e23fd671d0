import { canMove } from '../tasks/lifecycle.ts'
import { bookTransfer } from './book-transfer.ts'
import { booksOrder } from './confirm-resolution.ts'
import type { Scene } from './scene.ts'

/**
 * An order whose claim was given back is on chain all the same. A direct payment counts as the payment, true, if the
 * task still waits for one: then it is confirmed like any. Anything else is booked as what it is.
 */
export async function bookLate(scene: Scene): Promise<boolean> {
  const { tx, task, settlement, landed, now } = scene
  const { order, purpose, submissionId } = settlement
  if (order.kind !== 'charge') {
    // Held with a signature we had given up: it is on its way back by the watch of that signature. Whatever did it, it
    // was not that claim, and the next one may be for the same step.
    await booksOrder(scene, order, null)
    return false
  }
  // A fee alone pays for nothing: until its worker is paid it is booked, and the approval brings one of its own.
  const isAwaited = purpose === 'fee' ? task.status === 'completed' : canMove(task.status, 'approve')
  if (isAwaited && (await tx.confirmRefused(settlement.id, landed, now))) {
    if (purpose === 'payout' && submissionId !== null) await tx.reviveFeeOf(submissionId, now)
    return true
  }
  await bookTransfer(scene, purpose === 'fee' ? 'fee' : 'payout', order.transfer, landed, settlement.id)
  return false
}
