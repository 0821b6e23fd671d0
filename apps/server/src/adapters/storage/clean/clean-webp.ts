import { orientationTiff, readOrientation } from './orientation.ts'

const picture = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const framePicture = new Set(['VP8 ', 'VP8L', 'ALPH'])
const [xmpFlag, exifFlag] = [0x04, 0x08]
const frameHead = 16
/** Far above what encoders write, far below what hurts. */
const maxChunks = 100_000

type Chunk = { readonly name: string; readonly data: Buffer }

/** A WebP with the chunks its picture needs. Null where the file cannot be followed to its end. */
export function cleanWebp(bytes: Buffer): Buffer | null {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return null
  const chunks = readChunks(bytes.subarray(12, end))
  if (chunks === null || chunks.length === 0) return null
  const orientation = chunks.filter(({ name }) => name === 'EXIF').map(({ data }) => readOrientation(tiffIn(data)))[0]
  const kept: Chunk[] = []
  for (const chunk of chunks.filter(({ name }) => picture.has(name))) {
    const clean = cleanChunk(chunk, orientation !== undefined)
    if (clean === null) return null
    kept.push(clean)
  }
  if (orientation !== undefined && kept[0]?.name === 'VP8X')
    kept.push({ name: 'EXIF', data: orientationTiff(orientation) })
  return writeFile(kept)
}

function cleanChunk(chunk: Chunk, isTurned: boolean): Chunk | null {
  if (chunk.name === 'VP8X') {
    const data = Buffer.from(chunk.data)
    data.writeUInt8(((data[0] ?? 0) & ~xmpFlag & ~exifFlag) | (isTurned ? exifFlag : 0), 0)
    return { ...chunk, data }
  }
  if (chunk.name !== 'ANMF') return chunk
  const inner = readChunks(chunk.data.subarray(frameHead))
  if (inner === null) return null
  return {
    ...chunk,
    data: Buffer.concat([
      chunk.data.subarray(0, frameHead),
      ...inner.filter(({ name }) => framePicture.has(name)).map(writeChunk),
    ]),
  }
}

function readChunks(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  let at = 0
  while (at < bytes.length) {
    if (at + 8 > bytes.length || chunks.length === maxChunks) return null
    const size = bytes.readUInt32LE(at + 4)
    if (at + 8 + size > bytes.length) return null
    const name = bytes.toString('latin1', at, at + 4)
    if (name === 'VP8X' && size < 10) return null
    chunks.push({ name, data: bytes.subarray(at + 8, at + 8 + size) })
    at += 8 + size + (size % 2)
  }
  return chunks
}

/** Some writers put the JPEG head before the block. */
const tiffIn = (data: Buffer): Buffer => (data.toString('latin1', 0, 6) === 'Exif\0\0' ? data.subarray(6) : data)

function writeChunk({ name, data }: Chunk): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

function writeFile(chunks: readonly Chunk[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks.map(writeChunk)])
  const head = Buffer.alloc(8)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}
