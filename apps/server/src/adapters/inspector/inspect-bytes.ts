import { createHash } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { aiMarkers } from './ai-markers.ts'
import { imageKind, type ImageKind } from './image-kind.ts'
import { metadataBlocks } from './metadata-blocks.ts'
import { graySide, hashImage, type ImageHashes } from './perceptual-hash.ts'
import { exifTexts, readExif, type Exif } from './read-exif.ts'

export type DecodeLimits = { readonly maxPixels: number; readonly timeoutSec: number }
/** The side in pixels, and the most that it takes. */
export type Square = { readonly side: number; readonly maxBytes: number }
export type Inspected = {
  readonly sha256: string
  /** Null for what is no image of a decoded kind. */
  readonly kind: ImageKind | null
  /** As it is seen, after turning it upright. */
  readonly width: number | null
  readonly height: number | null
  readonly hashes: ImageHashes | null
  readonly exif: Exif | null
  readonly aiMarkers: readonly string[]
  readonly trouble: null | 'unreadable' | 'too_large'
}

/** Once in a process, before the first picture. The decoder's other formats are closed: fewer parsers, fewer doors. */
export function prepareDecoder(): void {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadTiffBuffer',
    ],
  })
}

/** Everything the bytes say of themselves. What is wrong with them is an answer, not a fault. */
export async function inspectBytes(bytes: Buffer, limits: DecodeLimits): Promise<Inspected> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const kind = imageKind(bytes)
  const nothing = {
    sha256,
    kind: null,
    width: null,
    height: null,
    hashes: null,
    exif: null,
    aiMarkers: [],
    trouble: null,
  }
  if (kind === undefined) return nothing
  const { exif, texts } = metadataBlocks(kind, bytes)
  const outside = {
    ...nothing,
    kind,
    exif: readExif(exif),
    aiMarkers: aiMarkers([...exifTexts(exif), ...texts.map((text) => text.toString('latin1'))]),
  }
  const size = await measure(bytes)
  if (size === null) return { ...outside, trouble: 'unreadable' }
  if (size.width * size.height > limits.maxPixels) return { ...outside, ...size, trouble: 'too_large' }
  const gray = await decodeGray(bytes, limits)
  return gray === null
    ? { ...outside, ...size, trouble: 'unreadable' }
    : { ...outside, ...size, hashes: hashImage(gray) }
}

/** At most 1024 pixels a side, upright, as JPEG and without a word of metadata; null when it cannot be read. */
export async function previewBytes(bytes: Buffer, limits: DecodeLimits): Promise<Buffer | null> {
  return (await canOpen(bytes, limits)) ? madeAnew(bytes, limits, { side: 1_024, quality: 80 }) : null
}

/** The most that everybody may be shown of a file. */
const most = { side: 1_280, bytes: 300_000 } as const
/** Coarser and smaller until it fits; the last fits whatever the picture is. */
const tries = [
  { side: most.side, quality: 80 },
  { side: most.side, quality: 60 },
  { side: 960, quality: 60 },
  { side: 640, quality: 50 },
] as const

/** What everybody may see of a picture: its pixels made anew, within bounds; null when it cannot be read. */
export async function shownBytes(bytes: Buffer, limits: DecodeLimits): Promise<Buffer | null> {
  if (!(await canOpen(bytes, limits))) return null
  for (const one of tries) {
    const made = await madeAnew(bytes, limits, one)
    if (made === null || made.length <= most.bytes) return made
  }
  return null
}

/** Whether it is a picture of a decoded kind that is no bomb. */
async function canOpen(bytes: Buffer, { maxPixels }: Pick<DecodeLimits, 'maxPixels'>): Promise<boolean> {
  const size = imageKind(bytes) === undefined ? null : await measure(bytes)
  return size !== null && size.width * size.height <= maxPixels
}

/** Upright, as JPEG and without a word of metadata; null when it cannot be read. */
async function madeAnew(
  bytes: Buffer,
  limits: DecodeLimits,
  { side, quality }: { readonly side: number; readonly quality: number },
): Promise<Buffer | null> {
  return open(bytes, limits)
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality })
    .timeout({ seconds: limits.timeoutSec })
    .toBuffer()
    .catch(() => null)
}

/** Tried in turn until one is small enough: what nobody photographed, as noise, takes more. */
const squareQualities = [82, 60, 40] as const

/**
 * The middle of a picture as a square JPEG, upright and without a word of metadata; null when it cannot be read, or
 * not be made small enough.
 */
export async function squareBytes(
  bytes: Buffer,
  { side, maxBytes }: Square,
  limits: DecodeLimits,
): Promise<Buffer | null> {
  if (!(await canOpen(bytes, limits))) return null
  const pixels = await open(bytes, limits)
    .resize({ width: side, height: side, fit: 'cover', position: 'centre' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: limits.timeoutSec })
    .toBuffer({ resolveWithObject: true })
    .catch(() => null)
  if (pixels === null) return null
  const { width, height, channels } = pixels.info
  for (const quality of squareQualities) {
    const made = await sharp(pixels.data, { raw: { width, height, channels } }).jpeg({ quality }).toBuffer()
    if (made.length <= maxBytes) return made
  }
  return null
}

/** Reads the header only, so that a bomb is weighed before it is opened. */
async function measure(bytes: Buffer): Promise<{ readonly width: number; readonly height: number } | null> {
  const head = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  return head === null ? null : { width: head.autoOrient.width, height: head.autoOrient.height }
}

async function decodeGray(bytes: Buffer, limits: DecodeLimits): Promise<Uint8Array | null> {
  return open(bytes, limits)
    .flatten({ background: '#fff' })
    .resize({ width: graySide, height: graySide, fit: 'fill' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .timeout({ seconds: limits.timeoutSec })
    .toBuffer()
    .catch(() => null)
}

/** A picture that ends early or is damaged is not guessed at. */
function open(bytes: Buffer, limits: DecodeLimits): Sharp {
  return sharp(bytes, { limitInputPixels: limits.maxPixels, failOn: 'error', sequentialRead: true }).autoOrient()
}
