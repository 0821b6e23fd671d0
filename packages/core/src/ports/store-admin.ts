import type { EvidenceType, TaskStatus } from '@ergon/contract'
import type { AuditLine } from '../admin/audit-line.ts'
import type { Ban } from '../admin/ban.ts'
import type { AdminMetrics } from '../admin/metrics.ts'
import type { RunChanges } from '../admin/run-config.ts'
import type { ReportDecision, ReportView } from '../identity/account.ts'
import type { WorkerView } from '../identity/worker.ts'
import type { Amount } from '../money/amount.ts'
import type { Page, PageRequest, Ranked, Slice } from '../page.ts'
import type { TaskView } from '../tasks/task.ts'

export type AdminTaskFilter = {
  readonly status: TaskStatus | null
  /** Part of a title, a wallet or an id. */
  readonly search: string | null
}
export type AdminWorkerFilter = {
  readonly status: 'active' | 'banned' | null
  /** Part of a name, a wallet or an id. */
  readonly search: string | null
}

/** A wallet as whoever runs the service sees it; `worker` is null for one that only published. */
export type AdminWorker = { readonly wallet: string; readonly worker: WorkerView | null; readonly ban: Ban | null }

/** What one transaction may do with the admin key. */
export interface AdminTx {
  addAudit(line: AuditLine): Promise<void>
  /** False when the wallet is banned already. */
  putBan(ban: Ban): Promise<boolean>
  /** The ban that was lifted; null when there was none. */
  removeBan(wallet: string): Promise<Ban | null>
  decideReport(decision: ReportDecision): Promise<void>
  /** Takes a task or a listing out of the lists that strangers read, or puts it back. */
  setHidden(targetId: string, isHidden: boolean, at: Date): Promise<void>
  /**
   * Deletes what was handed in and keeps the SHA-256 of each piece; files no other submission holds are purged soon.
   * Answers the hashes, with those of before. `fileTypes`: the types whose values are stored files.
   */
  takeDownEvidence(
    submissionId: string,
    fileTypes: readonly EvidenceType[],
    at: Date,
  ): Promise<Readonly<Record<string, string>>>
  /** The picture of a worker is gone; answers its name, null when it showed none. */
  takeDownPicture(executorId: string): Promise<string | null>
  /** Serialises changes of settings and answers those that stand. */
  lockRunChanges(): Promise<RunChanges>
  /** Null forgets the change. */
  putRunChange(key: string, value: string | number | boolean | null, at: Date): Promise<void>
  /** The submission of a task that waits for review. */
  pendingSubmission(taskId: string): Promise<string | null>
}

/** What the operator of a deployment reads. */
export interface AdminStore {
  /** What every process keeps in mind; `version` moves with every change of the rest. */
  adminVersion(): Promise<bigint>
  bannedWallets(): Promise<readonly string[]>
  runChanges(): Promise<RunChanges>
  isBanned(wallet: string): Promise<boolean>
  adminTasks(filter: AdminTaskFilter, page: PageRequest): Promise<Page<TaskView>>
  adminWorkers(filter: AdminWorkerFilter, slice: Slice): Promise<Ranked<AdminWorker>>
  adminWorker(wallet: string): Promise<AdminWorker | null>
  adminReports(status: 'open' | 'closed', page: PageRequest): Promise<Page<ReportView>>
  adminReport(reportId: string): Promise<ReportView | null>
  auditLines(subject: string | null, page: PageRequest): Promise<Page<AuditLine>>
  adminMetrics(now: Date): Promise<AdminMetrics>
  /** What the operator contracts hold of our fees, as the ledger says it. */
  accruedFees(): Promise<readonly Amount[]>
}
