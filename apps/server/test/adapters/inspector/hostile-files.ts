import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { generator } from '../../../src/testing/hostile-files.ts'
import { photo } from './pictures.ts'

/** One PNG chunk; its checksum is right, so that only its content is hostile. */
function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function crc32(bytes: Buffer): number {
  let crc = 0xffff_ffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1
  }
  return (crc ^ 0xffff_ffff) >>> 0
}

export function png(width: number, height: number, data: Buffer, extra: readonly Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8) // eight bits of grey
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', head),
    ...extra,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const textChunk = (type: 'tEXt' | 'zTXt', key: string, text: string): Buffer =>
  chunk(
    type,
    Buffer.concat([
      Buffer.from(`${key}\0${type === 'zTXt' ? '\0' : ''}`, 'latin1'),
      type === 'zTXt' ? deflateSync(text) : Buffer.from(text, 'latin1'),
    ]),
  )

/** A valid `ftyp` and then a box of size zero: readers that step by the size never arrive. */
export function hangingHeic(): Buffer {
  const file = Buffer.alloc(2_000)
  file.writeUInt32BE(24, 0)
  file.write('ftypheic', 4, 'latin1')
  file.write('mif1heic', 16, 'latin1')
  file.write('meta', 28, 'latin1')
  return file
}

/** 60,000 x 60,000 pixels in a few kilobytes. */
export function pixelBomb(): Buffer {
  return png(60_000, 60_000, deflateSync(Buffer.alloc(1_000_000)))
}

/** Inside the pixel cap, and 49 MB when opened. */
export function allowedBomb(): Buffer {
  return png(7_000, 7_000, deflateSync(Buffer.alloc(7_001 * 7_000)))
}

/** A text chunk that grows a thousand times. */
export function textBomb(): Buffer {
  return png(64, 64, deflateSync(Buffer.alloc(65 * 64)), [textChunk('zTXt', 'Comment', 'A'.repeat(64 * 1024 * 1024))])
}

/**
 * A directory whose entries point at themselves, whose counts overflow, whose camera directory is the first one again.
 */
export function loopingExif(): Buffer {
  const tiff = Buffer.alloc(200)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(12, 8)
  for (let entry = 0; entry < 12; entry++) {
    const at = 10 + entry * 12
    tiff.writeUInt16LE(entry % 2 === 0 ? 0x8769 : 0x8825, at)
    tiff.writeUInt16LE(entry % 3 === 0 ? 4 : 2, at + 2)
    tiff.writeUInt32LE(entry % 3 === 0 ? 1 : 0xffff_ffff, at + 4)
    tiff.writeUInt32LE(8, at + 8)
  }
  return withExif(tiff)
}

/** A JPEG head with this TIFF structure and no picture behind it. */
export function withExif(tiff: Buffer, rest: Buffer = Buffer.of(0xff, 0xd9)): Buffer {
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.of(0xff, 0xd8, 0xff, 0xe1, 0, 0)
  head.writeUInt16BE(body.length + 2, 4)
  return Buffer.concat([head, body, rest])
}

/** The first part of a good photo. */
export async function truncated(part: number): Promise<Buffer> {
  const whole = await photo(99)
  return whole.subarray(0, Math.floor(whole.length * part))
}

/** Large, honest and slow to open: nothing in it can be left out. */
export async function largePhoto(width: number, height: number, progressive: boolean): Promise<Buffer> {
  const random = generator(7)
  const tile = Buffer.from(Array.from({ length: 512 * 512 * 3 }, () => Math.floor(random() * 256)))
  const noise = await sharp(tile, { raw: { width: 512, height: 512, channels: 3 } })
    .png()
    .toBuffer()
  return sharp({ create: { width, height, channels: 3, background: '#888' }, limitInputPixels: false })
    .composite([{ input: noise, tile: true }])
    .jpeg({ quality: 60, progressive })
    .toBuffer()
}
