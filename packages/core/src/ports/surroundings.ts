/** The wall clock; tests move it. */
export interface Clock {
  now(): Date
}

/** Fresh UUIDv7 ids, lowercase (decision 0007). */
export interface Ids {
  next(): string
}

/** Whose file a key names; every key of ours says it. */
export type EvidenceOwner = { readonly taskId: string; readonly executorId: string }

/** A file to be uploaded; `bytes`, when its length is known before, is bound as well. */
export type UploadOrder = EvidenceOwner & { readonly contentType: string; readonly bytes: number | null }
export type UploadLink = {
  readonly url: string
  readonly publicUrl: string
  readonly key: string
  readonly expiresInSec: number
  readonly headers: Readonly<Record<string, string>>
  readonly maxBytes: number
}

/**
 * A file as it was taken at submission. `cleanKey` names the copy a counterparty reads; null where the file carries
 * nothing to remove.
 */
export type TakenFile = {
  readonly key: string
  readonly contentType: string
  readonly bytes: number
  readonly sha256: string
  readonly cleanKey: string | null
}

/** Evidence files. Keys are ours; links carry their own proof and expire. */
export interface EvidenceStorage {
  /** A link to PUT one file to, bound to task, worker and content type. */
  presignUpload(file: UploadOrder, now: Date): Promise<UploadLink>
  /** The key of the upload that a submitted link names; null when it is not one of ours, of this task and worker. */
  uploadKey(link: string, owner: EvidenceOwner): string | null
  /**
   * Takes the file behind a submitted link: from now on it cannot be changed. Null when the link is not one of ours,
   * not of this task and worker, or nothing was uploaded; `refused` says what the bytes should have been.
   */
  resolve(link: string, owner: EvidenceOwner): Promise<TakenFile | { readonly refused: string } | null>
  /** Removes an upload and what was kept of it; what is not there is no error. */
  remove(key: string, kept: readonly string[]): Promise<void>
  /** Removes what uploads left that broke off before `before` and took this process with them. */
  removeDrafts(before: Date): Promise<void>
  /** A link to read a stored file, short-lived. */
  presignDownload(key: string, now: Date): Promise<{ readonly url: string; readonly expiresInSec: number }>
  /** Null for what is no key of ours. */
  ownerOf(key: string): EvidenceOwner | null
  /** The bytes of a stored file. @throws NOT_FOUND */
  read(key: string): Promise<Uint8Array>
}

/**
 * Says that something is due, so that a worker need not wait for its next round. Losing a call costs a delay, never a
 * payment.
 */
export interface Wakeup {
  settlements(): void
  verifications(): void
}
