import { createHash } from 'node:crypto'
import { parseKey } from './evidence-key.ts'
import type { HeldFiles } from './disk.ts'
import { createBucket, type BucketSettings } from './s3-bucket.ts'

/** Where no link puts: what was looked at is what is kept. */
export const keptIn = 'evidence/'

/** The files of evidence in a bucket, for whoever brings them there from another place. */
export function openBucketFiles(
  settings: BucketSettings,
): HeldFiles & { put(key: string, bytes: Uint8Array): Promise<void> } {
  const bucket = createBucket(settings)
  return {
    holds: (key) => bucket.has(keptIn + key),
    async put(key, bytes) {
      const contentType = parseKey(key)?.contentType
      if (contentType === undefined) throw new Error('this is no evidence key')
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      await bucket.put(keptIn + key, Buffer.from(bytes), { contentType, sha256 })
    },
  }
}
