import { limits as ofContract } from '@ergon/contract'
import { createHash } from 'node:crypto'
import {
  MarketError,
  pictureSquare,
  type EvidenceInspector,
  type FileFacts,
  type PictureMaker,
  type PortfolioMaker,
  type StoredFile,
} from '@ergon/core'
import type { Inspected } from './inspect-bytes.ts'
import type { MediaJob, MediaResult } from './media-jobs.ts'
import { parserLimits, type ParserLog } from './parser-limits.ts'
import { createParserPool, type Outcome } from './parser-pool.ts'

export type MediaSettings = {
  /** The bytes of a stored file; rejects when there is none. */
  readonly read: (key: string) => Promise<Uint8Array>
  /** Whose file it is: tasks take turns. */
  readonly taskOf: (key: string) => string | null
  readonly processes: number
  readonly timeoutMs: number
  readonly maxBytes?: number
  readonly maxPixels?: number
  readonly log?: ParserLog
}

/** Opens pictures, in processes of its own. */
export type Media = EvidenceInspector &
  PictureMaker &
  PortfolioMaker &
  AsyncDisposable & {
    /** A small JPEG without metadata; null when the file is no picture that can be opened in time. */
    preview(file: StoredFile): Promise<Uint8Array | null>
  }

export function createMedia(settings: MediaSettings): Media {
  const { read, taskOf, log, maxBytes = ofContract.evidenceBytes, maxPixels = 50_000_000 } = settings
  const pool = createParserPool<MediaJob, MediaResult>(
    parserLimits({ processes: settings.processes, timeoutMs: settings.timeoutMs, log }),
  )
  const limits = { maxPixels, timeoutSec: Math.ceil(settings.timeoutMs / 1_000) }
  const ask = (wanted: 'facts' | 'preview' | 'shown', file: StoredFile): Promise<Outcome<MediaResult>> =>
    pool.run(taskOf(file.key) ?? '', async () => ({ job: { wanted, limits }, bytes: await read(file.key) }))
  return {
    async inspect(file) {
      if (file.bytes > maxBytes) return unseen(file, 'too_large')
      const outcome = await ask('facts', file)
      if ('failed' in outcome)
        return unseen(file, outcome.failed === 'timeout' || outcome.failed === 'busy' ? outcome.failed : 'unreadable')
      return outcome.result.is === 'facts' ? seen(file, outcome.result.facts) : unseen(file, 'unreadable')
    },
    async preview(file) {
      if (file.bytes > maxBytes) return null
      const outcome = await ask('preview', file)
      return 'result' in outcome && outcome.result.is === 'preview' && outcome.result.made ? outcome.bytes : null
    },
    async square(bytes, wallet) {
      const job = { wanted: 'square', square: pictureSquare, limits } as const
      const outcome = await pool.run(`picture ${wallet}`, () => Promise.resolve({ job, bytes }))
      if ('failed' in outcome && outcome.failed === 'busy') throw new MarketError('SERVICE_BUSY', { part: 'pictures' })
      return 'result' in outcome && outcome.result.is === 'square' && outcome.result.made ? outcome.bytes : null
    },
    async shown(file) {
      if (file.bytes > maxBytes) return null
      const outcome = await ask('shown', file)
      if ('failed' in outcome && outcome.failed === 'busy') throw new MarketError('SERVICE_BUSY', { part: 'pictures' })
      if ('failed' in outcome || outcome.result.is !== 'shown' || !outcome.result.made) return null
      const { bytes } = outcome
      return { name: createHash('sha256').update(bytes).digest('hex').slice(0, 32), bytes }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** Kinds of pictures whose pixels are not opened here: nothing is known about them, and the answer says so. */
const closedPictures = new Set(['image/heic', 'image/heif', 'image/avif'])
const noExif = { present: false, make: null, model: null, software: null, takenAt: null, lat: null, lng: null }

function seen(file: StoredFile, found: Inspected): FileFacts {
  const announcedPicture = file.content_type.startsWith('image/')
  const unopened = found.kind === null && announcedPicture
  return {
    sha256: found.sha256,
    contentType:
      found.kind ??
      (announcedPicture && !closedPictures.has(file.content_type) ? 'application/octet-stream' : file.content_type),
    bytes: file.bytes,
    width: found.width,
    height: found.height,
    image: found.hashes,
    exif: found.kind === null ? null : found.exif === null ? noExif : { present: true, ...found.exif },
    aiMarkers: found.aiMarkers,
    trouble: unopened || found.sha256 !== file.sha256 ? 'unreadable' : found.trouble,
  }
}

/** What the upload wrote down is all that is known of it. */
function unseen(file: StoredFile, trouble: NonNullable<FileFacts['trouble']>): FileFacts {
  return {
    sha256: file.sha256,
    contentType: file.content_type,
    bytes: file.bytes,
    width: null,
    height: null,
    image: null,
    exif: null,
    aiMarkers: [],
    trouble,
  }
}
