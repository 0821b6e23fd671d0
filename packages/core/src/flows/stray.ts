import { placeOf, type Movement } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import { claimed, type Settlement } from '../settlements/settlement.ts'
import type { Place } from './close-dispute.ts'

export type Stray = {
  readonly payment: Payment
  readonly executorId: string | null
  /** What is settled once, however often it is come upon. */
  readonly subject: string
  readonly atomic: bigint
  /** The worker it was approved for, or the payer. */
  readonly to: 'worker' | 'payer'
  /** All that the chain shows of the payment: the order is for what comes after. */
  readonly movements: readonly Movement[]
}

/** Settles what a payment holds and no task lives by. It must land: nobody else goes after this money. */
export function strayOf({ deps, task, now }: Pick<Place, 'deps' | 'task' | 'now'>, stray: Stray): Settlement {
  const { payment, executorId, subject, atomic, to } = stray
  const id = deps.ids.next()
  const last = stray.movements.at(-1)
  const common = {
    key: `stray:${payment.hash}:${id}`,
    payment,
    amount: { atomic, asset: payment.asset },
    issuedAt: Math.floor(now.getTime() / 1_000),
    ...(last === undefined ? {} : { after: placeOf(last) }),
  }
  return claimed(id, now, {
    taskId: task.id,
    executorId,
    purpose: 'stray',
    subject,
    mustLand: true,
    order: to === 'worker' ? { ...common, kind: 'capture', order: null } : { ...common, kind: 'void' },
  })
}
