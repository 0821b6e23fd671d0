import { crc32 } from 'node:zlib'
import { orientationTiff, readOrientation } from './orientation.ts'

const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Far above what encoders write, far below what hurts. */
const maxChunks = 100_000
/** What decides how the pixels look; texts, times, EXIF and private chunks are not among it. */
const picture = new Set(
  'IHDR PLTE IDAT tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
)

/** A PNG with the chunks its picture needs. Null where the file cannot be followed to its end. */
export function cleanPng(bytes: Buffer): Buffer | null {
  if (!bytes.subarray(0, 8).equals(signature)) return null
  const kept: Buffer[] = []
  let orientation: number | undefined
  let at = 8
  for (let chunk = 0; at + 12 <= bytes.length && chunk <= maxChunks; chunk += 1) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return null
    const name = bytes.toString('latin1', at + 4, at + 8)
    if ((at === 8) !== (name === 'IHDR')) return null
    if (name === 'IEND') return Buffer.concat([signature, ...turned(kept, orientation), bytes.subarray(at, end)])
    if (name === 'eXIf') orientation ??= readOrientation(bytes.subarray(at + 8, end - 4))
    if (picture.has(name)) kept.push(bytes.subarray(at, end))
    at = end
  }
  return null
}

/** The turning comes right after the header, before any pixel. */
function turned(kept: readonly Buffer[], orientation: number | undefined): readonly Buffer[] {
  if (orientation === undefined) return kept
  const body = Buffer.concat([Buffer.from('eXIf', 'latin1'), orientationTiff(orientation)])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  check.writeUInt32BE(crc32(body))
  return [...kept.slice(0, 1), Buffer.concat([length, body, check]), ...kept.slice(1)]
}
