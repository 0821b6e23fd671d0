import type { RunConfig, RunConfigKey, TaskStatus } from '@ergon/contract'
import type { AdminAct, AuditLine } from './admin/audit-line.ts'
import type { AdminMetrics } from './admin/metrics.ts'
import type { RunChanges } from './admin/run-config.ts'
import type { Page, PageRequest } from './market.ts'
import type { Amount } from './money/amount.ts'
import type { AdminTaskFilter, AdminWorker, AdminWorkerFilter } from './ports/store-admin.ts'
import type { Ranked, Slice } from './ports/store-people.ts'
import type { TaskView } from './tasks/task.ts'

/** `moving`: what is held is on its way back, and the status follows it. */
export type Forced = { readonly state: 'forced' | 'moving' | 'unchanged'; readonly task: TaskView }

/** `in flight`: a transaction is on its way and nobody has read it from the chain yet. */
export type SweptFees = {
  readonly accrued: Amount
  readonly state: 'swept' | 'in flight' | 'nothing' | 'refused'
  readonly txHash: string | null
  readonly amount: Amount | null
}

export type RunConfigChange = {
  readonly key: RunConfigKey
  /** Null goes back to what the deployment set. */
  readonly value: string | number | boolean | null
  readonly defaults: RunConfig
}

/**
 * The part of the market that whoever holds the admin key works with; every change leaves a line in the audit log
 * (decision 0057).
 */
export interface AdminMarket {
  adminMetrics(): Promise<AdminMetrics>
  adminTasks(filter: AdminTaskFilter, page: PageRequest): Promise<Page<TaskView>>
  adminWorkers(filter: AdminWorkerFilter, slice: Slice): Promise<Ranked<AdminWorker>>
  auditLines(subject: string | null, page: PageRequest): Promise<Page<AuditLine>>
  /** @throws TASK_STATE_NOT_FORCEABLE, APPROVAL_IN_FLIGHT */
  forceTask(taskId: string, to: TaskStatus, act: AdminAct): Promise<Forced>
  /** `who`: the id of a worker, or a wallet. @throws WORKER_NOT_FOUND */
  setBan(who: string, banned: boolean, act: AdminAct): Promise<AdminWorker>
  /** Null means every network, every token. */
  sweepFees(
    which: { readonly network: string | null; readonly token: string | null },
    act: AdminAct,
  ): Promise<readonly SweptFees[]>
  runChanges(): Promise<RunChanges>
  /** @throws VALIDATION_FAILED */
  changeRunConfig(change: RunConfigChange, act: AdminAct): Promise<RunConfig>
}
