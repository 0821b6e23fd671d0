import { createHash, randomUUID } from 'node:crypto'
import { MarketError, type EvidenceStorage, type TakenFile } from '@ergon/core'
import { cleanCopy } from './clean/clean-copy.ts'
import { formatKey, ownerIn, parseKey, type EvidenceKey } from './evidence-key.ts'
import { createGate } from './gate.ts'
import { createBucket, type BucketSettings } from './s3-bucket.ts'
import { createSniffer } from './sniff.ts'

export type S3Settings = BucketSettings & { readonly uploadMaxBytes?: number }

const defaultMaxBytes = 25 * 1024 * 1024
const uploadSec = 900
const downloadSec = 900
/** Files held in memory at once, each up to the limit and with its clean copy. */
const atOnce = 3
/** Where links put; nothing there is evidence yet, and an operator may let it expire. */
const incoming = 'incoming/'
/** Where no link puts: what was looked at is what is kept. */
const kept = 'evidence/'

/** Evidence files in a bucket of any S3-compatible store. A link to it can be used twice, so a submission takes a copy. */
export function createS3Evidence(settings: S3Settings): EvidenceStorage {
  const bucket = createBucket(settings)
  const maxBytes = settings.uploadMaxBytes ?? defaultMaxBytes
  const gated = createGate(atOnce)
  const linkBase = bucket.urlOf(incoming)
  return {
    async presignUpload({ taskId, executorId, contentType, bytes }, now) {
      const key = formatKey({ taskId, executorId, fileId: randomUUID(), contentType })
      const headers = { 'content-type': contentType, ...(bytes === null ? {} : { 'content-length': String(bytes) }) }
      const url = await bucket.presign('PUT', incoming + key, now, { expiresSec: uploadSec, headers })
      return { url, publicUrl: linkBase + key, key, expiresInSec: uploadSec, headers: { 'Content-Type': contentType }, maxBytes }
    },
    async resolve(link, owner) {
      const key = link.startsWith(linkBase) ? link.slice(linkBase.length).replace(/[?#].*$/s, '') : ''
      const parsed = parseKey(key)
      if (parsed === undefined || parsed.taskId !== owner.taskId || parsed.executorId !== owner.executorId) return null
      return gated(async () => {
        const bytes = await bucket.get(incoming + key, maxBytes)
        if (bytes === 'absent') return null
        return bytes === 'too_large' ? { refused: `a file of at most ${String(maxBytes)} bytes` } : keep(bytes, parsed)
      })
    },
    async presignDownload(key, now) {
      const parsed = parseKey(key)
      if (parsed === undefined) throw new Error('this is no evidence key')
      const show = parsed.contentType.startsWith('image/') ? 'inline' : 'attachment'
      const url = await bucket.presign('GET', kept + key, now, { expiresSec: downloadSec, query: { 'response-content-type': parsed.contentType, 'response-content-disposition': show, 'response-cache-control': 'private, no-store' } })
      return { url, expiresInSec: downloadSec }
    },
    ownerOf: (key) => ownerIn(key),
    async read(key) {
      const bytes = parseKey(key) === undefined ? 'absent' : await bucket.get(kept + key, maxBytes)
      if (typeof bytes === 'string') throw new MarketError('NOT_FOUND', { key })
      return bytes
    },
  }

  async function keep(bytes: Buffer, upload: EvidenceKey): Promise<TakenFile | { readonly refused: string }> {
    const sniffer = createSniffer(upload.contentType)
    sniffer.push(bytes)
    const clean = sniffer.matches() ? cleanCopy(upload.contentType, bytes) : 'broken'
    if (clean === 'broken') return { refused: `an intact file of type ${upload.contentType}` }
    const original = await put(bytes, upload)
    const cleanKey = clean === bytes ? null : (await put(clean, upload)).key
    return { key: original.key, contentType: upload.contentType, bytes: bytes.length, sha256: original.sha256, cleanKey }
  }

  /** Under the hash of the bytes: whoever comes second writes the same. */
  async function put(bytes: Buffer, upload: EvidenceKey): Promise<{ readonly key: string; readonly sha256: string }> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const key = formatKey({ ...upload, fileId: sha256 })
    await bucket.put(kept + key, bytes, { contentType: upload.contentType, sha256 })
    return { key, sha256 }
  }
}
