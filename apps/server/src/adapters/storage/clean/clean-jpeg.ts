import { orientationTiff, readOrientation } from './orientation.ts'

const [soi, eoi, sos, app0, app1, app2, app14] = [0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee] as const
/** Far above what cameras write, far below what hurts. */
const maxParts = 20_000
const exifHead = 'Exif\0\0'

/**
 * A JPEG with what its picture needs: tables, frames, scans, colour profile and how to turn it. Comments, EXIF, XMP,
 * thumbnails and whatever follows the end go. Null where the file cannot be followed to its end.
 */
export function cleanJpeg(bytes: Buffer): Buffer | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff00 + soi) return null
  const kept: Buffer[] = []
  let orientation: number | undefined
  let [at, parts] = [2, 0]
  while (at + 2 <= bytes.length && parts <= maxParts) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    } // fill bytes may stand before any marker
    if (marker === eoi)
      return Buffer.concat([Buffer.of(0xff, soi), ...ordered(kept, orientation), Buffer.of(0xff, eoi)])
    if (at + 4 > bytes.length || !hasLength(marker)) return null
    parts += 1
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end < at + 4 || end > bytes.length) return null
    const segment = bytes.subarray(at, end)
    if (marker === app1 && segment.toString('latin1', 4, 10) === exifHead)
      orientation ??= readOrientation(segment.subarray(10))
    const keep = keptPart(marker, segment)
    at = marker === sos ? scanEnd(bytes, end) : end
    if (keep !== undefined) kept.push(keep)
    if (marker === sos) kept.push(bytes.subarray(end, at))
  }
  return null
}

/** Restart markers and their like stand inside scans alone. */
const hasLength = (marker: number): boolean => marker >= 0xc0 && marker !== soi && !(marker >= 0xd0 && marker <= 0xd7)

function keptPart(marker: number, segment: Buffer): Buffer | undefined {
  const names = (text: string): boolean => segment.toString('latin1', 4, 4 + text.length) === text
  if (marker === app0) return names('JFIF\0') && segment.length >= 18 ? withoutThumbnail(segment) : undefined
  if (marker === app2) return names('ICC_PROFILE\0') ? segment : undefined
  if (marker === app14) return names('Adobe') ? segment : undefined
  const isPicture = marker < app0 // frames, tables, scans; above it applications, extensions and comments
  return isPicture ? segment : undefined
}

function withoutThumbnail(jfif: Buffer): Buffer {
  const head = Buffer.from(jfif.subarray(0, 18))
  head.writeUInt16BE(16, 2)
  head.writeUInt16BE(0, 16)
  return head
}

/** Where the scan data that begins at `from` is over: at the next marker that is neither stuffing nor a restart. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7) && next !== 0xff) return at
  }
  return bytes.length
}

/** JFIF wants to be first; the turning comes next. */
function ordered(kept: readonly Buffer[], orientation: number | undefined): readonly Buffer[] {
  if (orientation === undefined) return kept
  const tiff = orientationTiff(orientation)
  const segment = Buffer.concat([
    Buffer.of(0xff, app1, 0, 2 + exifHead.length + tiff.length),
    Buffer.from(exifHead, 'latin1'),
    tiff,
  ])
  const jfifFirst = kept[0]?.[1] === app0 ? 1 : 0
  return [...kept.slice(0, jfifFirst), segment, ...kept.slice(jfifFirst)]
}
