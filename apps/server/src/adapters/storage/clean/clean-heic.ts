import { blank, boxesIn, wipe, type Box } from './iso-boxes.ts'
import { maxExtents, type Extent } from './sample-extents.ts'

const keptTop = new Set(['ftyp', 'meta', 'mdat'])
const keptMeta = new Set(['hdlr', 'pitm', 'iinf', 'iref', 'iprp', 'iloc', 'idat', 'dinf', 'grpl'])
/** Items that are no picture: EXIF, XMP and what an address names. The properties say how to turn the picture. */
const droppedItems = new Set(['Exif', 'mime', 'uri '])

/** A HEIC of the same length whose metadata items are zeroed; no offset moves. Null where it cannot be followed. */
export function cleanHeic(bytes: Buffer): Buffer | null {
  const copy = Buffer.from(bytes)
  const top = boxesIn(copy, 0, copy.length)
  const meta = top?.find(({ name }) => name === 'meta')
  if (top === null || top[0]?.name !== 'ftyp' || meta === undefined || meta.body + 4 > meta.end) return null
  const inner = boxesIn(copy, meta.body + 4, meta.end)
  if (inner === null) return null
  const extents = metadataExtents(copy, inner)
  const data = [...top, ...inner].filter(({ name }) => name === 'mdat' || name === 'idat')
  if (extents === null || !wipe(copy, data, extents)) return null
  for (const box of top) if (!keptTop.has(box.name)) blank(copy, box)
  for (const box of inner) if (!keptMeta.has(box.name)) blank(copy, box)
  return copy
}

function metadataExtents(bytes: Buffer, meta: readonly Box[]): readonly Extent[] | null {
  const [info, places] = [meta.find(({ name }) => name === 'iinf'), meta.find(({ name }) => name === 'iloc')]
  if (info === undefined || places === undefined) return null
  try {
    const ids = metadataItems(bytes.subarray(info.body, info.end))
    const base = meta.find(({ name }) => name === 'idat')?.body ?? 0
    return ids === null ? null : itemExtents(bytes.subarray(places.body, places.end), ids, base)
  } catch (error) {
    if (error instanceof RangeError) return null // a table shorter than it says
    throw error
  }
}

function metadataItems(info: Buffer): ReadonlySet<number> | null {
  const entries = boxesIn(info, info[0] === 0 ? 6 : 8, info.length)
  if (entries === null) return null
  const ids = new Set<number>()
  for (const { body } of entries) {
    const version = info[body] ?? 0
    if (version < 2) return null // has no item types; HEIC is written with version 2 or 3
    const idBytes = version === 2 ? 2 : 4
    const type = body + 4 + idBytes + 2
    if (droppedItems.has(info.toString('latin1', type, type + 4))) ids.add(info.readUIntBE(body + 4, idBytes))
  }
  return ids
}

function itemExtents(places: Buffer, wanted: ReadonlySet<number>, dataBase: number): readonly Extent[] | null {
  const version = places[0] ?? 0
  const [first, second] = [places.readUInt8(4), places.readUInt8(5)]
  const widths = { offset: first >> 4, length: first & 15, base: second >> 4, index: version === 0 ? 0 : second & 15 }
  if (version > 2 || Object.values(widths).some((width) => width !== 0 && width !== 4 && width !== 8)) return null
  let at = 6
  const read = (width: number): number => {
    const value = width === 0 ? 0 : width === 8 ? Number(places.readBigUInt64BE(at)) : places.readUIntBE(at, width)
    at += width
    return value
  }
  const extents: Extent[] = []
  const pieceBytes = widths.index + widths.offset + widths.length
  const count = read(version === 2 ? 4 : 2)
  for (let item = 0; item < count; item += 1) {
    const id = read(version === 2 ? 4 : 2)
    const method = version === 0 ? 0 : read(2) & 15
    read(2) // data reference
    const base = read(widths.base)
    const pieces = read(2)
    // A piece without a byte of its own is the whole of what it is in, and is told once.
    if (pieceBytes === 0 ? pieces > 1 : pieces * pieceBytes > places.length - at) return null
    if (!wanted.has(id)) {
      at += pieces * pieceBytes
      continue
    }
    if (method > 1 || extents.length + pieces > maxExtents) return null
    for (let piece = 0; piece < pieces; piece += 1) {
      read(widths.index)
      const [offset, length] = [read(widths.offset), read(widths.length)]
      extents.push({ from: base + offset + (method === 1 ? dataBase : 0), length })
    }
  }
  return extents
}
