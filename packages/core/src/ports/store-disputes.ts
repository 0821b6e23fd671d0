import type { DisputeStatus } from '@ergon/contract'
import type { Dispute, DisputeView, Resolution, Statement } from '../disputes/dispute.ts'
import type { Page, PageRequest } from '../page.ts'

/** A wallet that looks for what it may rule on, with the agent identities and payout address it must not share. */
export type RulingSeeker = {
  readonly wallet: string
  readonly agentIds: readonly number[]
  readonly payoutAddress: string | null
}

/** `wallet`: disputes in which this wallet is a party; null for all. `ruler`: those it may rule on now. */
export type DisputeFilter = {
  readonly wallet: string | null
  readonly status: DisputeStatus | null
  readonly taskId: string | null
  readonly ruler?: RulingSeeker
}

/** What the store remembers of disputes. */
export interface DisputeStore {
  dispute(id: string): Promise<DisputeView | null>
  /** Newest first, without their statements. */
  disputes(filter: DisputeFilter, page: PageRequest): Promise<Page<DisputeView>>
}

export type DisputeEnd = {
  readonly status: DisputeStatus
  readonly resolution: Resolution | null
  readonly resolvedAt: Date | null
}

/** What a transaction may do with disputes and with a worker who steps down. */
export interface DisputeTx {
  lockDispute(id: string): Promise<Dispute | null>
  lockDisputeOf(submissionId: string): Promise<Dispute | null>
  changeDispute(id: string, end: DisputeEnd): Promise<void>
  insertStatement(statement: Statement): Promise<void>
  /** A dispute whose task expired is over without a verdict. */
  expireDisputes(taskId: string, at: Date): Promise<void>
  /** The remainder of an award that failed falls with it; it was never sent. */
  refuseRemainderOf(taskId: string, at: Date): Promise<void>
  withdrawApplication(taskId: string, executorId: string): Promise<void>
  /** The escrow slot of a task is free again. */
  clearEscrow(taskId: string): Promise<void>
}
