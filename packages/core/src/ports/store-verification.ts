import type { EvidenceType } from '@ergon/contract'
import type { Check, Submission } from '../submissions/submission.ts'
import type { StoredFile } from '../submissions/evidence-rules.ts'
import type { Task } from '../tasks/task.ts'
import type { PublicArea, TaskPlace } from '../tasks/place.ts'
import type { DeviceClaims } from '../verification/device-claims.ts'
import type { Fix, NearTwin, PositionReceipt, Twin } from '../verification/scene.ts'

export type { DeviceClaims } from '../verification/device-claims.ts'

/** Whose picture is looked for, so that one's own resubmission is none of the finds, and a later one neither. */
export type TwinSearch = { readonly submissionId: string; readonly taskId: string; readonly executorId: string }

/** A submission that waits for its checks. */
export type DueVerification = {
  readonly submission: Submission
  readonly task: Task
  readonly device: DeviceClaims
  readonly attempts: number
}

export type VerificationEnd = {
  readonly checks: readonly Check[]
  readonly score: number | null
  readonly coverage: number | null
  readonly at: Date
}

export interface VerificationStore {
  taskPlace(taskId: string): Promise<TaskPlace | null>
  /** When the task came into the hands of its worker; null while it never did. */
  assignedAt(taskId: string): Promise<Date | null>
  /** Submissions whose checks are due, each leased until `leaseUntil`. */
  leaseVerifications(now: Date, leaseUntil: Date, limit: number): Promise<readonly DueVerification[]>
  /** Its checks are due again at `dueAt`, and the round that could not make them counts for none. */
  putOffVerification(submissionId: string, dueAt: Date): Promise<void>
  /** Earlier positions of the worker, newest first. */
  positionReceipts(search: TwinSearch, limit: number): Promise<readonly PositionReceipt[]>
  /** Earlier submissions of other work with the very same bytes. */
  exactTwins(sha256: string, search: TwinSearch, limit: number): Promise<readonly Twin[]>
  /**
   * Earlier pictures of other work whose hash, or that of a variant, is within `within` bits of one of these. Nearest
   * first; `within` is at most 15.
   */
  nearTwins(
    hashes: { readonly phash: string; readonly variants: readonly string[] },
    search: TwinSearch,
    within: number,
    limit: number,
  ): Promise<readonly NearTwin[]>
  /** Remembers the hashes of a picture; a repeat changes nothing. */
  rememberImage(
    image: { readonly phash: string; readonly variants: readonly string[]; readonly evidenceType: EvidenceType },
    of: TwinSearch,
  ): Promise<void>
}

export interface VerificationTx {
  /** Sets or, with null, removes where the task has to be done, and its public area with it. */
  putPlace(
    taskId: string,
    place: { readonly exact: TaskPlace; readonly area: PublicArea } | null,
    at: Date,
  ): Promise<void>
  /** What verification needs to know of a submission, written with it; it is due at once. */
  addVerification(
    submission: Submission,
    claims: {
      readonly device: DeviceClaims
      readonly files: readonly { readonly type: EvidenceType; readonly file: StoredFile }[]
      readonly fix: Fix | null
    },
  ): Promise<void>
  /** False when the checks were written before. */
  endVerification(submissionId: string, end: VerificationEnd): Promise<boolean>
}
