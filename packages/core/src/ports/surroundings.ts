/** The wall clock; tests move it. */
export interface Clock {
  now(): Date
}

/** Fresh UUIDv7 ids, lowercase (decision 0007). */
export interface Ids {
  next(): string
}

/** Evidence files. Keys are ours; links carry their own proof and expire. */
export interface EvidenceStorage {
  /** A link to PUT one file to, bound to task, worker and content type. */
  presignUpload(file: { readonly taskId: string; readonly executorId: string; readonly contentType: string; readonly extension: string }, now: Date): { readonly url: string; readonly publicUrl: string; readonly key: string; readonly expiresInSec: number; readonly headers: Readonly<Record<string, string>>; readonly maxBytes: number }
  /** What stands behind a submitted link, or null when it is not one of ours, not of this task and worker, or nothing was uploaded. */
  resolve(link: string, owner: { readonly taskId: string; readonly executorId: string }): Promise<{ readonly key: string; readonly contentType: string; readonly bytes: number; readonly sha256: string } | null>
  /** A link to read a stored file, short-lived. */
  presignDownload(key: string, now: Date): string
}

/** Says that something is due, so that a worker need not wait for its next round. Losing a call costs a delay, never a payment. */
export interface Wakeup {
  settlements(): void
}
