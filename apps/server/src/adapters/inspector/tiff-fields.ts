/** One value of a TIFF directory. */
export type TiffValue = string | readonly number[]
/** Values by tag, of the first directory, the camera's and the position's. */
export type TiffFields = {
  readonly main: ReadonlyMap<number, TiffValue>
  readonly camera: ReadonlyMap<number, TiffValue>
  readonly position: ReadonlyMap<number, TiffValue>
}

const cameraPointer = 0x8769
const positionPointer = 0x8825
const maxEntries = 512
const maxText = 1_000

const widths: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8 }

/**
 * The three directories of EXIF and no other: no chain of directories is followed, so there is no loop to be caught in.
 * Null when the bytes are no TIFF structure; entries that point outside are left out.
 */
export function readTiff(bytes: Buffer): TiffFields | null {
  const order = bytes.toString('latin1', 0, 2)
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return null
  const reader = createReader(bytes, order === 'II')
  if (reader.u16(2) !== 42) return null
  const main = readDirectory(reader, reader.u32(4))
  const pointed = (tag: number): ReadonlyMap<number, TiffValue> => {
    const [offset] = main.get(tag) ?? []
    return typeof offset === 'number' ? readDirectory(reader, offset) : new Map()
  }
  return { main, camera: pointed(cameraPointer), position: pointed(positionPointer) }
}

type Reader = ReturnType<typeof createReader>

/** Reads 0 past the end: a crafted offset is a wrong value, not a fault. */
function createReader(bytes: Buffer, little: boolean) {
  const inside = (at: number, width: number): boolean => at >= 0 && at + width <= bytes.length
  return {
    bytes,
    inside,
    u16: (at: number) => (!inside(at, 2) ? 0 : little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
    u32: (at: number) => (!inside(at, 4) ? 0 : little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)),
    i32: (at: number) => (!inside(at, 4) ? 0 : little ? bytes.readInt32LE(at) : bytes.readInt32BE(at)),
  }
}

function readDirectory(reader: Reader, offset: number): Map<number, TiffValue> {
  const fields = new Map<number, TiffValue>()
  const count = Math.min(reader.u16(offset), maxEntries)
  for (let entry = 0; entry < count; entry++) {
    const at = offset + 2 + entry * 12
    if (!reader.inside(at, 12)) break
    const value = readValue(reader, at)
    if (value !== undefined) fields.set(reader.u16(at), value)
  }
  return fields
}

function readValue(reader: Reader, entry: number): TiffValue | undefined {
  const type = reader.u16(entry + 2)
  const count = reader.u32(entry + 4)
  const width = widths[type]
  if (width === undefined) return undefined
  const at = width * count <= 4 ? entry + 8 : reader.u32(entry + 8)
  if (!reader.inside(at, width * count)) return undefined
  // A user comment is declared as bytes and is text behind an eight-byte name of its encoding.
  if (type === 2 || type === 7)
    return reader.bytes
      .toString('utf8', at, at + Math.min(count, maxText))
      .replace(/\0.*$/s, '')
      .trim()
  return Array.from({ length: Math.min(count, 8) }, (_, index) => readNumber(reader, type, at + index * width))
}

function readNumber(reader: Reader, type: number, at: number): number {
  if (type === 3 || type === 8) return reader.u16(at)
  if (type === 4) return reader.u32(at)
  if (type === 9) return reader.i32(at)
  if (type === 5) return reader.u32(at) / reader.u32(at + 4)
  if (type === 10) return reader.i32(at) / reader.i32(at + 4)
  return reader.bytes[at] ?? 0
}
