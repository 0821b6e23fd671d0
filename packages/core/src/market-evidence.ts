import type { EvidenceType } from '@ergon/contract'
import type { AdminCaller, WalletCaller } from './caller.ts'
import type { UploadLink } from './ports/surroundings.ts'
import type { UploadSizes } from './ports/uploads.ts'

export type Upload = UploadLink & { readonly contentType: string }
export type UploadInput = {
  readonly taskId: string
  readonly contentType: string
  readonly filename: string | null
  readonly evidenceType: EvidenceType
  /** The length, where it is known before. */
  readonly bytes: number | null
}
export type DownloadLink = { readonly key: string; readonly url: string; readonly expiresInSec: number }

/** Files of evidence, put and read by links (spec §4 evidence). */
export interface MarketEvidence {
  /** @throws UPLOAD_QUOTA_EXCEEDED, UPLOAD_BUDGET_SPENT, TASK_NOT_SUBMITTABLE, DEADLINE_PASSED */
  presignUpload(caller: WalletCaller, input: UploadInput): Promise<Upload>
  presignDownload(caller: WalletCaller | AdminCaller, key: string): Promise<DownloadLink>
  /** What uploads take in all. */
  uploadSizes(): Promise<UploadSizes>
}
