import type { Movement } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import { movementJournal, shareOf } from '../ledger/journal.ts'
import type { NewPaymentEvent } from '../ports/store.ts'
import type { Place } from './close-dispute.ts'
import { paid, wire } from './scene.ts'

type Line = Pick<NewPaymentEvent, 'type' | 'from' | 'to'> & { readonly atomic: bigint }

/**
 * Books one log of the escrow: the journal and the lines of the audit log belong to it, so whoever sees it first books
 * it and nobody does so again. Without a settlement it moved by another hand than ours. False when it was booked
 * before.
 */
export async function bookMovement(
  place: Place,
  payment: Payment,
  movement: Movement,
  settlementId: string | null,
): Promise<boolean> {
  const { deps, tx, task, now } = place
  if (!(await tx.addMovement(movement, { taskId: task.id, settlementId }))) return false
  const { asset } = payment
  await tx.post({ id: deps.ids.next(), taskId: task.id, asset, at: now, postings: movementJournal(movement, payment) })
  for (const { atomic, ...line } of linesOf(movement, payment)) {
    const note = settlementId === null ? { note: 'by another hand on chain' } : {}
    await tx.addPaymentEvent({
      id: deps.ids.next(),
      taskId: task.id,
      status: 'success',
      amount: { atomic, asset },
      asset,
      txHash: movement.txHash,
      at: now,
      ...line,
      ...note,
    })
  }
  if (settlementId === null) await tell(place, payment, movement)
  return true
}

function linesOf(movement: Movement, { payer, receiver }: Payment): readonly Line[] {
  const { atomic } = movement
  switch (movement.kind) {
    case 'authorized':
      return [{ type: 'settle', atomic, from: payer, to: null }]
    case 'captured':
    case 'charged':
      return [
        { type: 'settle', atomic, from: payer, to: null },
        { type: 'disburse_worker', atomic: shareOf(movement).payout, from: payer, to: receiver },
      ]
    case 'voided':
    case 'reclaimed':
    case 'refunded':
      return [{ type: 'refund', atomic, from: null, to: payer }]
  }
}

/** What moved past us is news as well; what moved by our order is told with what it brings about. */
async function tell({ deps, tx, task, now }: Place, { asset }: Payment, movement: Movement): Promise<void> {
  const about = { id: deps.ids.next(), taskId: task.id, at: now }
  const payment = paid({ atomic: movement.atomic, asset }, movement)
  switch (movement.kind) {
    case 'authorized':
      return
    case 'captured':
    case 'charged': {
      const { fee, payout } = shareOf(movement)
      return tx.addEvent({
        ...about,
        type: 'payment.released',
        data: {
          task_id: task.id,
          worker_amount: wire({ atomic: payout, asset }),
          platform_fee: wire({ atomic: fee, asset }),
          payment,
        },
      })
    }
    case 'voided':
    case 'reclaimed':
    case 'refunded':
      return tx.addEvent({
        ...about,
        type: 'payment.refunded',
        data: { task_id: task.id, amount_usd: wire({ atomic: movement.atomic, asset }), payment },
      })
  }
}
