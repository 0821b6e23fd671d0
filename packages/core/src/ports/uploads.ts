import type { EvidenceOwner } from './surroundings.ts'
import type { UploadLimits, UploadSpent } from '../submissions/upload-budget.ts'

/** What uploads take, links that are still open included. `waiting`: what no submission is known to hold yet. */
export type UploadSizes = {
  readonly files: number
  readonly bytes: number
  readonly waitingFiles: number
  readonly waitingBytes: number
  readonly todayBytes: number
  readonly dayLimitBytes: number
}

/** A file that was never handed in, and the keys of what was kept of it. */
export type PurgedUpload = { readonly key: string; readonly kept: readonly string[] }

/** What was uploaded and what it takes: one row a link, and counters that are never summed up anew (decision 0091). */
export interface Uploads {
  readonly limits: UploadLimits
  /** Takes room for one file before its link is given; answers what is spent, and takes nothing then. */
  reserve(
    upload: EvidenceOwner & { readonly key: string; readonly bytes: number },
    now: Date,
  ): Promise<UploadSpent | null>
  /**
   * A submission is about to take the file: it is not purged within the hour. False for a link that is unknown, purged,
   * or taken too often.
   */
  claim(key: string, now: Date): Promise<boolean>
  /** What was kept of an upload, before any submission names it. */
  taken(key: string, kept: readonly string[]): Promise<void>
  /** Files that are due and that no submission holds, leased until `until`; those that one holds stay for good. */
  leaseDue(now: Date, until: Date, limit: number): Promise<readonly PurgedUpload[]>
  /** The files are gone: the room goes back to the task. */
  purged(key: string): Promise<void>
  sizes(): Promise<UploadSizes>
}
