import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { MarketError, type EvidenceStorage } from '@ergon/core'
import { isRecord } from '../chain/rpc.ts'
import type { Cleaner } from '../inspector/create-cleaner.ts'
import { copyId, formatKey, keyBehind, ownerIn, parseKey, type EvidenceKey } from './evidence-key.ts'
import { createFileGate } from './file-gate.ts'
import { draftsIn, storeUpload, type StoredUpload } from './store-upload.ts'
import { createLinkSigner, type LinkProof } from './upload-link.ts'

/** Where files are put and read, below the service's own address. */
export const evidencePath = '/api/v1/evidence/files'
const noLink = 'The link is missing, forged or expired. Fetch a new one at GET /api/v1/evidence/presign-download.'

export type Upload = {
  readonly key: string
  readonly proof: LinkProof
  /** The request's Content-Type header. */
  readonly contentType: string | undefined
  readonly contentLength: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}
export type OpenedFile = StoredUpload & {
  readonly contentType: string
  /** All of it, or from one byte to another, both included. */
  readonly stream: (part?: { readonly start: number; readonly end: number }) => Readable
}

/** Evidence files in a folder of this machine; the links to them carry their own proof. */
export type DiskEvidence = EvidenceStorage &
  HeldFiles & {
    /**
     * Takes one upload: streamed, measured, hashed, and there as a whole or not at all.
     * @throws UPLOAD_NOT_ALLOWED, UPLOAD_TYPE_REFUSED, request_body_too_large
     */
    receive(upload: Upload, now: Date): Promise<StoredUpload>
    /** @throws FORBIDDEN for a forged or expired link, NOT_FOUND */
    open(key: string, proof: LinkProof, now: Date): Promise<OpenedFile>
  }

/** Whether a file is there, which only whoever keeps the store asks. */
export type HeldFiles = {
  /** @throws where the store cannot be asked */
  holds(key: string): Promise<boolean>
}

/** Counts what is taken; without it every link takes as much as a file may have. */
export type UploadMeter = {
  /** How many bytes a link takes; null for one that is used or purged. */
  allowance(key: string): Promise<number | null>
  /** False when the link was purged while its bytes came. */
  stored(key: string, bytes: number, now: Date): Promise<boolean>
}

export type DiskSettings = {
  readonly meter?: UploadMeter
  readonly cleaner: Pick<Cleaner, 'clean'>
  readonly dataDir: string
  readonly secret: string
  readonly baseUrl: string
  readonly uploadMaxBytes?: number
}

const defaultMaxBytes = 25 * 1024 * 1024
const uploadSec = 900
const downloadSec = 900

export function createDiskEvidence(settings: DiskSettings): DiskEvidence {
  const folder = join(settings.dataDir, 'evidence')
  const base = `${settings.baseUrl.replace(/\/$/, '')}${evidencePath}/`
  const maxBytes = settings.uploadMaxBytes ?? defaultMaxBytes
  const uploads = createLinkSigner(settings.secret, 'upload')
  const downloads = createLinkSigner(settings.secret, 'download')
  const folderOf = (key: EvidenceKey): string => pathOf(folder, key)
  const gated = createFileGate()
  return {
    presignUpload({ taskId, executorId, contentType }, now) {
      const key = formatKey({ taskId, executorId, fileId: randomUUID(), contentType })
      const expires = unix(now) + uploadSec
      const url = `${base}${key}?expires=${String(expires)}&signature=${uploads.sign({ key, contentType, expires })}`
      return Promise.resolve({
        url,
        publicUrl: `${base}${key}`,
        key,
        expiresInSec: uploadSec,
        headers: { 'Content-Type': contentType },
        maxBytes,
      })
    },
    uploadKey: (link, owner) => keyBehind(link, base, owner),
    async resolve(link, owner) {
      const key = keyBehind(link, base, owner)
      const parsed = key === null ? undefined : parseKey(key)
      if (key === null || parsed === undefined) return null
      const about = await readAbout(folderOf(parsed))
      if (about === undefined) return null
      const copy = await gated(parsed.taskId, () => keepClean(folder, settings.cleaner, parsed))
      return copy === 'broken'
        ? { refused: `an intact file of type ${parsed.contentType}` }
        : { key, contentType: parsed.contentType, ...about, ...copy }
    },
    presignDownload(key, now) {
      const parsed = parseKey(key)
      if (parsed === undefined) throw new Error('this is no evidence key')
      const expires = unix(now) + downloadSec
      return Promise.resolve({
        url:
          `${base}${key}?expires=${String(expires)}` +
          `&signature=${downloads.sign({ key, contentType: parsed.contentType, expires })}`,
        expiresInSec: downloadSec,
      })
    },
    ownerOf: (key) => ownerIn(key),
    remove: (key, kept) => removeFiles(folder, [key, ...kept]),
    removeDrafts: (before) => removeDrafts(draftsIn(folder), before),
    ...openFolder(settings.dataDir),
    receive: (upload, now) => receive({ settings, folder, maxBytes, uploads }, upload, now),
    async open(key, proof, now) {
      const parsed = parseKey(key)
      if (parsed === undefined || !downloads.isValid({ key, contentType: parsed.contentType }, proof, unix(now)))
        throw new MarketError('FORBIDDEN', {}, { message: noLink })
      const about = await readAbout(folderOf(parsed))
      if (about === undefined) throw new MarketError('NOT_FOUND')
      return {
        ...about,
        contentType: parsed.contentType,
        stream: (part) => readFrom(join(folderOf(parsed), 'file'), part),
      }
    },
  }
}

/** The files of evidence in a data folder, for reading alone. */
export function openFolder(dataDir: string): HeldFiles & Pick<EvidenceStorage, 'read'> {
  const folder = join(dataDir, 'evidence')
  const pathTo = (key: string): string | undefined => {
    const parsed = parseKey(key)
    return parsed === undefined ? undefined : join(pathOf(folder, parsed), 'file')
  }
  return {
    async holds(key) {
      const path = pathTo(key)
      return path !== undefined && (await stat(path).catch(absent)) !== undefined
    },
    async read(key) {
      const path = pathTo(key)
      const bytes = path === undefined ? undefined : await readFile(path).catch(absent)
      if (bytes === undefined) throw new MarketError('NOT_FOUND', { key })
      return bytes
    },
  }
}

type Receiver = {
  readonly settings: DiskSettings
  readonly folder: string
  readonly maxBytes: number
  readonly uploads: ReturnType<typeof createLinkSigner>
}

async function receive(
  { settings, folder, maxBytes, uploads }: Receiver,
  { key, proof, contentType, contentLength, body }: Upload,
  now: Date,
): Promise<StoredUpload> {
  const parsed = parseKey(key)
  if (parsed === undefined || !uploads.isValid({ key, contentType: parsed.contentType }, proof, unix(now)))
    throw new MarketError('UPLOAD_NOT_ALLOWED')
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== parsed.contentType)
    throw new MarketError('UPLOAD_TYPE_REFUSED', { expected: parsed.contentType })
  if (contentLength !== undefined && contentLength > maxBytes)
    throw new MarketError('request_body_too_large', { max_bytes: maxBytes })
  const allowed = settings.meter === undefined ? maxBytes : await settings.meter.allowance(key)
  if (allowed === null) throw new MarketError('UPLOAD_NOT_ALLOWED')
  if (contentLength !== undefined && contentLength > allowed)
    throw new MarketError('request_body_too_large', { max_bytes: allowed })
  const stored = await storeUpload({
    folder,
    target: pathOf(folder, parsed),
    contentType: parsed.contentType,
    maxBytes: Math.min(maxBytes, allowed),
    body,
  })
  if ((await settings.meter?.stored(key, stored.bytes, now)) === false) {
    await removeFile(folder, parsed)
    throw new MarketError('UPLOAD_NOT_ALLOWED')
  }
  return stored
}

async function removeFiles(folder: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const parsed = parseKey(key)
    if (parsed !== undefined) await removeFile(folder, parsed)
  }
}

/** With the folders of its worker and its task once they are empty: each task would leave two for good. */
async function removeFile(folder: string, key: EvidenceKey): Promise<void> {
  const path = pathOf(folder, key)
  await rm(path, { recursive: true, force: true })
  for (const above of [dirname(path), dirname(dirname(path))])
    if (!(await rmdir(above).then(() => true, isGone))) return
}

/** Whether the folder above is looked at as well: not where this one holds something. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return true
  if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
  throw error
}

async function removeDrafts(drafts: string, before: Date): Promise<void> {
  for (const name of (await readdir(drafts).catch(absent)) ?? []) {
    const path = join(drafts, name)
    const about = await stat(path).catch(absent)
    if (about !== undefined && about.mtime < before) await rm(path, { recursive: true, force: true })
  }
}

/** Whoever sends it hears of its end; until then a file that is gone, or a disk that fails, harms nobody. */
function readFrom(path: string, part?: { readonly start: number; readonly end: number }): Readable {
  return createReadStream(path, part).on('error', () => undefined)
}

async function readAbout(folder: string): Promise<StoredUpload | undefined> {
  const text = await readFile(join(folder, 'about.json'), 'utf8').catch(absent)
  if (text === undefined) return undefined
  const about: unknown = JSON.parse(text)
  if (!isRecord(about) || typeof about['bytes'] !== 'number' || typeof about['sha256'] !== 'string')
    throw new Error('the record beside a stored file is damaged')
  return { bytes: about['bytes'], sha256: about['sha256'] }
}

function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
    return undefined
  throw error
}

/** Keeps the copy for the other side beside the upload, under its own hash. */
async function keepClean(
  folder: string,
  cleaner: DiskSettings['cleaner'],
  upload: EvidenceKey,
): Promise<{ readonly cleanKey: string | null } | 'broken'> {
  const bytes = await readFile(join(pathOf(folder, upload), 'file'))
  const cleaned = await cleaner.clean({ contentType: upload.contentType, bytes, taskId: upload.taskId })
  if (cleaned === 'broken') return cleaned
  if (cleaned.clean === null) return { cleanKey: null }
  const clean = cleaned.clean.bytes
  const copy = { ...upload, fileId: copyId(upload.fileId, cleaned.clean.sha256) }
  const target = pathOf(folder, copy)
  if ((await readAbout(target)) === undefined) {
    // Whoever comes second finds the same bytes there.
    await storeUpload({
      folder,
      target,
      contentType: copy.contentType,
      maxBytes: clean.length,
      body: Readable.from([clean]),
    }).catch(async (error: unknown) => {
      if ((await readAbout(target)) === undefined) throw error
    })
  }
  return { cleanKey: formatKey(copy) }
}

const pathOf = (folder: string, { taskId, executorId, fileId }: EvidenceKey): string =>
  join(folder, taskId, executorId, fileId)

function unix(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
