import type { EscrowStatus, PaymentMode } from '@ergon/contract'

/** The modes that lock a bounty when its worker is assigned. */
export type LockMode = Exclude<PaymentMode, 'fase1'>

/** What the rows of a task tell about its payment; `lastLock` is null until one was begun here. */
type Rows = { readonly escrowStatus: EscrowStatus; readonly isMetered: boolean; readonly lastLock: LockMode | null }

/**
 * The mode a task was paid in, or will be: it stays what it is when the deployment changes its own (decision 0330).
 * `deployed` speaks for a lock that is still to be begun, or was found on the chain alone.
 */
export function modeOfRows({ escrowStatus, isMetered, lastLock }: Rows, deployed: PaymentMode): PaymentMode {
  // A channel holds the money from the assignment on, and pays it out at its end.
  if (isMetered) return 'fase2'
  if (escrowStatus === 'none') return 'fase1'
  return lastLock ?? (deployed === 'fase2' ? 'fase2' : 'fase5')
}
