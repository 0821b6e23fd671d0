import type { DisputeReason, DisputeStatus, DisputeVerdict, TaskStatus } from '@ergon/contract'
import type { AdminAct } from './admin/audit-line.ts'
import type { AdminCaller, Caller, WalletCaller } from './caller.ts'
import type { Dispute, DisputeView, Statement } from './disputes/dispute.ts'
import type { Page, PageRequest } from './market.ts'

export type ResolveInput = {
  readonly verdict: DisputeVerdict
  /** The payer's share in percent; of a split alone. */
  readonly splitPct: number | null
  readonly reason: string
  /** Whoever holds the admin key; leaves a line in the audit log (decision 0057). */
  readonly by?: Pick<AdminAct, 'actor' | 'requestId'>
}
/** `resolving`: money is on its way and the reconciler finishes it. */
export type ResolvedDispute = { readonly state: 'resolved' | 'resolving'; readonly dispute: DisputeView }
/** `withdrawing`: the refund is in flight and the reconciler finishes it. */
export type Withdrawal = {
  readonly state: 'withdrawn' | 'withdrawing'
  readonly taskId: string
  readonly status: TaskStatus
  readonly refundTx: string | null
}

/** Disputes and stepping down (decision 0011 to 22). */
export interface DisputeMarket {
  /** Either party, while the submission is in review. */
  openDispute(
    caller: WalletCaller,
    submissionId: string,
    input: { readonly reason: DisputeReason; readonly description: string },
  ): Promise<Dispute>
  disputes(
    caller: WalletCaller | AdminCaller,
    filter: { readonly status: DisputeStatus | null; readonly taskId: string | null },
    page: PageRequest,
  ): Promise<Page<DisputeView>>
  readDispute(caller: WalletCaller | AdminCaller, disputeId: string): Promise<DisputeView>
  addStatement(
    caller: WalletCaller,
    disputeId: string,
    input: { readonly statement: string; readonly links: readonly string[] },
  ): Promise<Statement>
  /** For whoever holds the admin key; a caller that signs as a party is refused. */
  resolveDispute(caller: Caller, disputeId: string, input: ResolveInput): Promise<ResolvedDispute>
  /** The worker steps down: the money goes back first, then the task is open again (decision 0046). */
  withdraw(caller: WalletCaller, taskId: string, reason: string | null): Promise<Withdrawal>
}
