import type { EscrowStatus, TaskStatus } from '@ergon/contract'
import type { EscrowState, Payment } from '../escrow/payment.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { isFinal } from '../tasks/lifecycle.ts'
import { paymentFinding, type Finding } from './finding.ts'

/** What our own rows say of one escrowed payment. */
export type EscrowBooks = {
  readonly taskId: string
  readonly status: TaskStatus
  readonly escrowStatus: EscrowStatus
  readonly since: Date
  readonly payment: Payment
  /** The ledger's balance of the payment. */
  readonly held: bigint
  /** What the ledger says left it for the worker and the operator. */
  readonly captured: bigint
  readonly open: Settlement | null
}

/**
 * How long a settlement, or a task on its way, may take before an operator should look: well before the first of them
 * ends by itself.
 */
export const stuckAfterMs = 5 * 60_000

/** Whether the payment is over for good, so that it is looked at again only now and then. */
export function isClosed({ status, escrowStatus, held, open }: EscrowBooks): boolean {
  return isFinal(status) && held === 0n && open === null && escrowStatus !== 'refunding' && escrowStatus !== 'releasing'
}

/** Where the ledger and the chain differ about one payment. While a settlement is open the chain may be ahead. */
export function compareEscrow(books: EscrowBooks, state: EscrowState, now: Date): readonly Finding[] {
  const { taskId, payment } = books
  const found: Finding[] = []
  if (state.capturable > 0n && now.getTime() >= payment.authorizationExpiry * 1_000) {
    found.push(
      paymentFinding(
        'expired',
        taskId,
        payment,
        state.capturable,
        `payer ${payment.payer} may reclaim since ${new Date(payment.authorizationExpiry * 1_000).toISOString()}`,
      ),
    )
  }
  if (books.open !== null) return found
  if (isWaiting(books) && now.getTime() - books.since.getTime() > stuckAfterMs)
    found.push(
      paymentFinding(
        'stuck',
        taskId,
        payment,
        books.held,
        `${books.status}/${books.escrowStatus} without a settlement under way`,
      ),
    )
  if (state.capturable === 0n && books.held === 0n && books.escrowStatus === 'authorized' && !isFinal(books.status)) {
    found.push(
      paymentFinding(
        'orphaned',
        taskId,
        payment,
        payment.maxAmount,
        'the work goes on, and nothing is held for it any more',
      ),
    )
  } else if (state.capturable !== books.held) {
    const isOrphan = books.held === 0n || state.capturable === 0n
    const detail = `the ledger says ${books.held.toString()} is held, the chain ${state.capturable.toString()}`
    found.push(
      paymentFinding(
        isOrphan ? 'orphaned' : 'mismatch',
        taskId,
        payment,
        isOrphan ? state.capturable + books.held : difference(state.capturable, books.held),
        detail,
      ),
    )
  } else if (state.refundable !== books.captured && !isRefundOver(payment, now)) {
    found.push(
      paymentFinding(
        'mismatch',
        taskId,
        payment,
        difference(state.refundable, books.captured),
        `the ledger says ${books.captured.toString()} was paid out, the chain ${state.refundable.toString()}`,
      ),
    )
  }
  return found
}

/** A task that is over and still holds money gets its refund, by the flow that gives every refund. */
export function isRefundDue({ status, escrowStatus, held, open }: EscrowBooks): boolean {
  return isFinal(status) && escrowStatus === 'authorized' && held > 0n && open === null
}

function isWaiting({ status, escrowStatus }: EscrowBooks): boolean {
  return (
    escrowStatus === 'refunding' ||
    escrowStatus === 'releasing' ||
    status === 'assigning' ||
    (isFinal(status) && escrowStatus === 'authorized')
  )
}

/** After it a payer's refund may have used up what was paid out, and it is none of ours. */
function isRefundOver(payment: Payment, now: Date): boolean {
  return now.getTime() >= payment.refundExpiry * 1_000
}

function difference(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one
}
