import { inflateSync } from 'node:zlib'
import type { ImageKind } from './image-kind.ts'

/** What an image carries beside its pixels. */
export type MetadataBlocks = {
  /** A TIFF structure: EXIF. */
  readonly exif: Buffer | undefined
  /** XMP, IPTC, provenance manifests, comments, text chunks. */
  readonly texts: readonly Buffer[]
}
type Block = { readonly is: 'exif' | 'text'; readonly bytes: Buffer }

/** Crafted files repeat their segments; honest ones stay far below. */
const maxBlocks = 512
const maxTextBytes = 2 * 1024 * 1024

/** Never throws: a damaged file ends the walk. Each step moves forward, so the walk ends. */
export function metadataBlocks(kind: ImageKind, bytes: Buffer): MetadataBlocks {
  const texts: Buffer[] = []
  let exif: Buffer | undefined
  let [count, size] = [0, 0]
  for (const block of walks[kind](bytes)) {
    if (++count > maxBlocks) break
    if (block.is === 'exif') exif ??= block.bytes
    else if ((size += block.bytes.length) <= maxTextBytes) texts.push(block.bytes)
  }
  return { exif, texts }
}

const walks: Readonly<Record<ImageKind, (bytes: Buffer) => Iterable<Block>>> = {
  'image/jpeg': jpegBlocks,
  'image/png': pngBlocks,
  'image/webp': webpBlocks,
  'image/tiff': (bytes) => [{ is: 'exif', bytes }],
}

const exifHead = Buffer.from('Exif\0\0', 'latin1')

function* jpegBlocks(bytes: Buffer): Iterable<Block> {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0xda || marker === 0xd9) return
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return
    const body = bytes.subarray(at + 4, at + 2 + length)
    if (marker === 0xe1 && body.subarray(0, 6).equals(exifHead)) yield { is: 'exif', bytes: body.subarray(6) }
    else if (marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xe2)) yield { is: 'text', bytes: body }
    at += 2 + length
  }
}

const pngTexts = new Set(['tEXt', 'iTXt', 'caBX'])

function* pngBlocks(bytes: Buffer): Iterable<Block> {
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (type === 'eXIf') yield { is: 'exif', bytes: body }
    else if (type === 'zTXt') yield { is: 'text', bytes: inflated(body) }
    else if (pngTexts.has(type)) yield { is: 'text', bytes: body }
    at += 12 + length
  }
}

/** A keyword, a zero, the method, and the compressed text; a text that will not open within its bound is no text. */
function inflated(body: Buffer): Buffer {
  try {
    return inflateSync(body.subarray(body.indexOf(0) + 2), { maxOutputLength: 256 * 1024 })
  } catch {
    return body
  }
}

function* webpBlocks(bytes: Buffer): Iterable<Block> {
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (type === 'EXIF') yield { is: 'exif', bytes: body.subarray(0, 6).equals(exifHead) ? body.subarray(6) : body }
    else if (type === 'XMP ' || type === 'C2PA') yield { is: 'text', bytes: body }
    at += 8 + length + (length % 2)
  }
}
