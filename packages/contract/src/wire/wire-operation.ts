import type { Access, RestBinding } from '../operation.ts'

/** What a caller has to know of an operation to send it: everything but what it says. */
export type WireOperation = {
  /** Who signs or shows a key. What is asked of callers beside that is the service's to know. */
  readonly access: { readonly by: Access['by']; readonly admin?: true }
  /** Read to learn how to sign, so it is sent unsigned. */
  readonly readBeforeSigning?: true
  readonly sameWordsAnew?: true
  readonly rest: readonly RestBinding[]
}
