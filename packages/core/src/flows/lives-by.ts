import type { EscrowStatus } from '@ergon/contract'
import type { Place } from './close-dispute.ts'

const settled: ReadonlySet<EscrowStatus> = new Set(['none', 'pending_assignment', 'released', 'refunded'])

/** Whether the task lives by this payment: then its own settlements look after what the payment holds. */
export async function livesBy({ tx, task }: Pick<Place, 'tx' | 'task'>, hash: string): Promise<boolean> {
  const its = await tx.escrowPayment(task.id)
  return its?.hash === hash && !settled.has(task.escrowStatus)
}
