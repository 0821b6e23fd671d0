import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** One tile, already packed, at its place on the curve of the archive (PMTiles 3, §4.1). */
export type PackedTile = { readonly id: number; readonly bytes: Uint8Array }
export type ArchiveFacts = {
  readonly minZoom: number
  readonly maxZoom: number
  /** West, south, east, north in degrees. */
  readonly bounds: readonly [west: number, south: number, east: number, north: number]
  readonly metadata: Readonly<Record<string, unknown>>
}

const headerBytes = 127
/** Readers fetch the first 16 KiB and find header and root in them (PMTiles 3, §3). */
const mostRootBytes = 16_384 - headerBytes
const gzipped = 2
const vectorTiles = 1
/** Entries of one leaf directory, where one is needed. */
const leafEntries = 2_048

type Entry = { readonly id: number; readonly run: number; readonly offset: number; readonly length: number }

/** Writes an archive of vector tiles (PMTiles 3); the same tiles give the same bytes. */
export function pmtilesFile(tiles: readonly PackedTile[], facts: ArchiveFacts): Buffer {
  const { entries, data, contents } = laidOut(tiles.toSorted((one, other) => one.id - other.id))
  const { root, leaves } = directoriesOf(entries)
  const metadata = packed(Buffer.from(JSON.stringify(facts.metadata)))
  const header = Buffer.alloc(headerBytes)
  header.write('PMTiles')
  header[7] = 3
  const lengths = [root.length, metadata.length, leaves.length, data.length]
  let offset = headerBytes
  lengths.forEach((length, index) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + index * 16)
    header.writeBigUInt64LE(BigInt(length), 16 + index * 16)
    offset += length
  })
  const counts = [tiles.length, entries.length, contents]
  counts.forEach((count, index) => header.writeBigUInt64LE(BigInt(count), 72 + index * 8))
  header.set([1, gzipped, gzipped, vectorTiles, facts.minZoom, facts.maxZoom], 96)
  const [west, south, east, north] = facts.bounds
  const degrees = [west, south, east, north].map((one) => Math.round(one * 1e7))
  degrees.forEach((one, index) => header.writeInt32LE(one, 102 + index * 4))
  header[118] = facts.minZoom
  header.writeInt32LE(Math.round(((west + east) / 2) * 1e7), 119)
  header.writeInt32LE(Math.round(((south + north) / 2) * 1e7), 123)
  return Buffer.concat([header, root, metadata, leaves, data])
}

/** Packs bytes as the archive holds them. */
export const packed = (bytes: Uint8Array): Buffer => gzipSync(bytes, { level: 9 })

/** Each content once; neighbours with the same content are one entry. */
function laidOut(tiles: readonly PackedTile[]) {
  const entries: Entry[] = []
  const places = new Map<string, Pick<Entry, 'offset' | 'length'>>()
  const parts: Uint8Array[] = []
  let end = 0
  for (const { id, bytes } of tiles) {
    const key = createHash('sha256').update(bytes).digest('base64')
    let place = places.get(key)
    if (place === undefined) {
      place = { offset: end, length: bytes.length }
      places.set(key, place)
      parts.push(bytes)
      end += bytes.length
    }
    const last = entries.at(-1)
    if (last?.offset === place.offset && last.id + last.run === id)
      entries[entries.length - 1] = { ...last, run: last.run + 1 }
    else entries.push({ id, run: 1, ...place })
  }
  return { entries, data: Buffer.concat(parts), contents: parts.length }
}

function directoriesOf(entries: readonly Entry[]): { readonly root: Buffer; readonly leaves: Buffer } {
  const root = packed(directory(entries))
  if (root.length <= mostRootBytes) return { root, leaves: Buffer.alloc(0) }
  const leaves: Buffer[] = []
  const pointers: Entry[] = []
  let offset = 0
  for (let from = 0; from < entries.length; from += leafEntries) {
    const leaf = packed(directory(entries.slice(from, from + leafEntries)))
    // A run of nothing says that the entry names a directory.
    pointers.push({ id: entries[from]?.id ?? 0, run: 0, offset, length: leaf.length })
    leaves.push(leaf)
    offset += leaf.length
  }
  return { root: packed(directory(pointers)), leaves: Buffer.concat(leaves) }
}

/** Four columns: ids as differences, runs, lengths, offsets, where zero means "right behind the one before". */
function directory(entries: readonly Entry[]): Buffer {
  const isNext = (at: number): boolean => {
    const [before, one] = [entries[at - 1], entries[at]]
    return before !== undefined && one?.offset === before.offset + before.length
  }
  return Buffer.from(
    [
      entries.length,
      ...entries.map(({ id }, at) => id - (entries[at - 1]?.id ?? 0)),
      ...entries.map(({ run }) => run),
      ...entries.map(({ length }) => length),
      ...entries.map(({ offset }, at) => (isNext(at) ? 0 : offset + 1)),
    ].flatMap(varint),
  )
}

function varint(value: number): readonly number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}
