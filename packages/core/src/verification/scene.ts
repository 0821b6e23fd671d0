import type { Category, EvidenceType } from '@ergon/contract'
import type { FileFacts } from './file-facts.ts'
import type { ReviewAnswer } from './review-answer.ts'
import type { StoredFile } from '../submissions/evidence-rules.ts'
import type { TaskPlace } from '../tasks/place.ts'

/** A position as a device reported it (WGS 84); what it did not say is null. */
export type Fix = {
  readonly lat: number
  readonly lng: number
  readonly accuracyM: number | null
  readonly at: Date | null
}

/** Where a worker's earlier submission was, when the device says it was there, and when the service received it. */
export type PositionReceipt = {
  readonly submissionId: string
  readonly taskId: string
  readonly lat: number
  readonly lng: number
  readonly accuracyM: number | null
  readonly capturedAt: Date | null
  readonly receivedAt: Date
}

/**
 * A stored picture of another task that is the same, or looks like it. `distance` is of the perceptual hashes, in bits
 * of 64.
 */
export type Twin = { readonly submissionId: string; readonly taskId: string; readonly executorId: string }
export type NearTwin = Twin & { readonly distance: number }

/** One file of the evidence; facts are null when it was not opened, and then no twin was looked for either. */
export type InspectedFile = {
  readonly type: EvidenceType
  readonly file: StoredFile
  readonly facts: FileFacts | null
  readonly exactTwins: readonly Twin[]
  readonly nearTwins: readonly NearTwin[]
}

/** Everything the checks of one submission may look at; no check looks elsewhere. */
export type VerificationScene = {
  readonly category: Category
  readonly evidenceRequired: readonly EvidenceType[]
  readonly place: TaskPlace | null
  readonly assignedAt: Date
  readonly deadline: Date
  readonly receivedAt: Date
  /** The `gps` evidence, with the raw fixes behind it when the client sent them. */
  readonly fix: (Fix & { readonly samples: readonly Fix[] }) | null
  /** Clock and zone of the device, where the client told them. */
  readonly device: { readonly clock: Date | null; readonly utcOffsetMin: number | null }
  readonly files: readonly InspectedFile[]
  /** Earlier positions of this worker, newest first; kept across tasks and restarts. */
  readonly receipts: readonly PositionReceipt[]
  /** `null` when this deployment has no reviewer. */
  readonly review: ReviewAnswer | null
}
