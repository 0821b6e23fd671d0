import { gzipSync } from 'node:zlib'
import { curvePlace } from '../../src/web/curve-place.ts'

export type MadeTile = readonly [z: number, x: number, y: number, text: string]

/** Numbers as a directory writes them. */
export function numbers(values: readonly number[]): Buffer {
  return Buffer.from(
    values.flatMap((value) => {
      const bytes: number[] = []
      let rest = value
      for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
      return [...bytes, rest]
    }),
  )
}

export type ArchiveParts = {
  readonly root: Buffer
  readonly leaves?: Buffer
  readonly data: Buffer
  readonly metadata?: unknown
}

/** An archive of these parts, its directories unpacked and its tiles packed. */
export function archiveOf({ root, leaves = Buffer.alloc(0), data, metadata = {} }: ArchiveParts): Buffer {
  const header = Buffer.alloc(127)
  header.write('PMTiles')
  header[7] = 3
  let offset = header.length
  const parts = [root, Buffer.from(JSON.stringify(metadata)), leaves, data]
  parts.forEach(({ length }, index) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * index)
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * index)
    offset += length
  })
  header.set([1, 1, 2, 1, 0, 15], 96)
  ;[-180, -85, 180, 85].forEach((one, index) => header.writeInt32LE(one * 1e7, 102 + 4 * index))
  return Buffer.concat([header, ...parts])
}

/** An archive of texts in the place of tiles. */
export function madeArchive(tiles: readonly MadeTile[], metadata?: unknown): Buffer {
  const laid = tiles
    .map(([z, x, y, text]) => ({ id: curvePlace(z, x, y), bytes: gzipSync(text) }))
    .toSorted((one, other) => one.id - other.id)
  const root = numbers([
    laid.length,
    ...laid.map(({ id }, at) => id - (laid[at - 1]?.id ?? 0)),
    ...laid.map(() => 1),
    ...laid.map(({ bytes }) => bytes.length),
    ...laid.map((_, at) => (at === 0 ? 1 : 0)),
  ])
  return archiveOf({ root, data: Buffer.concat(laid.map(({ bytes }) => bytes)), metadata })
}
