import { randomUUID } from 'node:crypto'
import { MarketError, type EvidenceStorage, type TakenFile } from '@ergon/core'
import type { Cleaner } from '../inspector/create-cleaner.ts'
import { keptIn as kept } from './bucket-files.ts'
import { copyId, formatKey, keyBehind, ownerIn, parseKey, type EvidenceKey } from './evidence-key.ts'
import type { HeldFiles } from './disk.ts'
import { createFileGate } from './file-gate.ts'
import { createBucket, type BucketSettings } from './s3-bucket.ts'

export type S3Settings = BucketSettings & { readonly cleaner: Pick<Cleaner, 'clean'>; readonly uploadMaxBytes?: number }

const defaultMaxBytes = 25 * 1024 * 1024
const uploadSec = 900
const downloadSec = 900
/** Where links put; nothing there is evidence yet, and an operator may let it expire. */
const incoming = 'incoming/'

/**
 * Evidence files in a bucket of any S3-compatible store. A link to it can be used twice, so a submission takes a copy.
 */
export function createS3Evidence(settings: S3Settings): EvidenceStorage & HeldFiles {
  const bucket = createBucket(settings)
  const maxBytes = settings.uploadMaxBytes ?? defaultMaxBytes
  const gated = createFileGate()
  const linkBase = bucket.urlOf(incoming)
  return {
    async presignUpload({ taskId, executorId, contentType, bytes }, now) {
      const key = formatKey({ taskId, executorId, fileId: randomUUID(), contentType })
      const headers = { 'content-type': contentType, ...(bytes === null ? {} : { 'content-length': String(bytes) }) }
      const url = await bucket.presign('PUT', incoming + key, now, { expiresSec: uploadSec, headers })
      return {
        url,
        publicUrl: linkBase + key,
        key,
        expiresInSec: uploadSec,
        headers: { 'Content-Type': contentType },
        maxBytes,
      }
    },
    uploadKey: (link, owner) => keyBehind(link, linkBase, owner),
    async resolve(link, owner) {
      const key = keyBehind(link, linkBase, owner)
      const parsed = key === null ? undefined : parseKey(key)
      if (key === null || parsed === undefined) return null
      return gated(parsed.taskId, async () => {
        const bytes = await bucket.get(incoming + key, maxBytes)
        if (bytes === 'absent') return null
        return bytes === 'too_large' ? { refused: `a file of at most ${String(maxBytes)} bytes` } : keep(bytes, parsed)
      })
    },
    async presignDownload(key, now) {
      const parsed = parseKey(key)
      if (parsed === undefined) throw new Error('this is no evidence key')
      const show = parsed.contentType.startsWith('image/') ? 'inline' : 'attachment'
      const url = await bucket.presign('GET', kept + key, now, {
        expiresSec: downloadSec,
        query: {
          'response-content-type': parsed.contentType,
          'response-content-disposition': show,
          'response-cache-control': 'private, no-store',
        },
      })
      return { url, expiresInSec: downloadSec }
    },
    ownerOf: (key) => ownerIn(key),
    async remove(key, keptKeys) {
      for (const object of [incoming + key, ...keptKeys.map((one) => kept + one)]) await bucket.remove(object)
    },
    holds: (key) => bucket.has(kept + key),
    removeDrafts: () => Promise.resolve(), // a bucket shows an object whole or not at all
    async read(key) {
      const bytes = parseKey(key) === undefined ? 'absent' : await bucket.get(kept + key, maxBytes)
      if (typeof bytes === 'string') throw new MarketError('NOT_FOUND', { key })
      return bytes
    },
  }

  async function keep(bytes: Buffer, upload: EvidenceKey): Promise<TakenFile | { readonly refused: string }> {
    const cleaned = await settings.cleaner.clean({ contentType: upload.contentType, bytes, taskId: upload.taskId })
    if (cleaned === 'broken') return { refused: `an intact file of type ${upload.contentType}` }
    const { sha256, clean } = cleaned
    const key = await put(bytes, sha256, upload)
    const cleanKey = clean === null ? null : await put(clean.bytes, clean.sha256, upload)
    return { key, contentType: upload.contentType, bytes: bytes.length, sha256, cleanKey }
  }

  /** Under the hash of upload and bytes: whoever comes second writes the same, and nobody else does. */
  async function put(bytes: Buffer, sha256: string, upload: EvidenceKey): Promise<string> {
    const key = formatKey({ ...upload, fileId: copyId(upload.fileId, sha256) })
    await bucket.put(kept + key, bytes, { contentType: upload.contentType, sha256 })
    return key
  }
}
