import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { curvePlace } from './curve-place.ts'
import { createDirectoryCache } from './directory-cache.ts'
import { entryFor, parseDirectory, type Directory } from './tile-directory.ts'

/** Bytes that an archive is read from, a part at a time. */
export type TileSource = {
  readonly size: number
  readonly read: (offset: number, length: number) => Promise<Buffer>
}
export type Coding = 'gzip' | 'identity'
export type TileArchive = {
  /** Changes with what the archive holds. */
  readonly version: string
  readonly minZoom: number
  readonly maxZoom: number
  readonly bounds: readonly [west: number, south: number, east: number, north: number]
  /** As the archive says it, without markup; empty where it says nothing. */
  readonly attribution: string
  readonly coding: Coding
  /** One tile as the archive holds it; undefined where it holds none. */
  readonly tile: (z: number, x: number, y: number) => Promise<Buffer | undefined>
}

/** What is wrong with an archive, for whoever put it there. */
export class TileArchiveError extends Error {}

const headerBytes = 127
/** Header and root have to lie in the first 16 KiB (PMTiles 3, §3). */
const mostRootBytes = 16_384
/**
 * What any tool of the format writes stays far below these. They bound what one request makes this process read, unpack
 * and go through: a directory of the largest size is parsed in about 10 ms, so the main thread may do it.
 */
const most = {
  leafBytes: 1_048_576,
  directoryBytes: 1_048_576,
  metadataBytes: 4_194_304,
  tileBytes: 2_097_152,
} as const
/** Directories below directories; the tools write one level. */
const mostLevels = 4
export const mostZoom = 24

const unpack = promisify(gunzip)

/**
 * Opens an archive of vector tiles (PMTiles 3): its header, root and metadata are read and checked.
 * @throws TileArchiveError with a sentence when it is none that can be served
 */
export async function openTileArchive(source: TileSource): Promise<TileArchive> {
  const head = await source.read(0, Math.min(source.size, mostRootBytes))
  const header = readHeader(head, source.size)
  const { root, metadata, leaves, data, isPacked, coding, minZoom, maxZoom, bounds } = header
  const unpacked = (bytes: Buffer, mostBytes: number): Promise<Buffer> =>
    isPacked && bytes.length > 0 ? unpack(bytes, { maxOutputLength: mostBytes }) : Promise.resolve(bytes)
  const directoryOf = async (bytes: Buffer): Promise<Directory> =>
    parseDirectory(await unpacked(bytes, most.directoryBytes))
  const rootBytes = head.subarray(root.offset, root.offset + root.length)
  const top = await directoryOf(rootBytes).catch(refuse('its root directory cannot be read'))
  const metadataBytes = await source.read(metadata.offset, metadata.length)
  const attribution = await unpacked(metadataBytes, most.metadataBytes)
    .then(attributionOf)
    .catch(refuse('its metadata cannot be read'))
  const cache = createDirectoryCache(async (offset, length) => directoryOf(await source.read(offset, length)))
  return {
    version: createHash('sha256')
      .update(head.subarray(0, headerBytes))
      .update(rootBytes)
      .update(metadataBytes)
      .update(String(source.size))
      .digest('base64url')
      .slice(0, 12),
    minZoom,
    maxZoom,
    bounds,
    attribution,
    coding,
    async tile(z, x, y) {
      if (z < minZoom || z > maxZoom) return undefined
      const id = curvePlace(z, x, y)
      let directory = top
      for (let level = 0; level < mostLevels; level += 1) {
        const entry = entryFor(directory, id)
        if (entry === undefined) return undefined
        const [within, mostBytes] = entry.run === 0 ? [leaves, most.leafBytes] : [data, most.tileBytes]
        if (entry.length > mostBytes || entry.offset + entry.length > within.length)
          throw new TileArchiveError('an entry of the map names bytes that are not there')
        if (entry.run > 0) return source.read(within.offset + entry.offset, entry.length)
        directory = await cache.get(within.offset + entry.offset, entry.length)
      }
      throw new TileArchiveError('the directories of the map are nested too deeply')
    },
  }
}

type Section = { readonly offset: number; readonly length: number }

function readHeader(head: Buffer, size: number) {
  if (head.length < headerBytes || head.toString('latin1', 0, 7) !== 'PMTiles')
    throw new TileArchiveError('it is no PMTiles archive')
  if (head[7] !== 3) throw new TileArchiveError('it is not of version 3 of PMTiles')
  const section = (at: number): Section => {
    const [offset, length] = [Number(head.readBigUInt64LE(at)), Number(head.readBigUInt64LE(at + 8))]
    if (offset + length > size) throw new TileArchiveError('it is cut off: its header names bytes beyond its end')
    return { offset, length }
  }
  const [root, metadata, leaves, data] = [section(8), section(24), section(40), section(56)]
  if (root.length === 0 || root.offset + root.length > mostRootBytes)
    throw new TileArchiveError('its root directory is not within its first 16 KiB')
  if (metadata.length > most.metadataBytes) throw new TileArchiveError('its metadata are larger than 4 MiB')
  const [inner, coding, type, minZoom = 0, maxZoom = 0] = head.subarray(97, 102)
  if (type !== 1) throw new TileArchiveError('its tiles are no vector tiles (MVT)')
  if ((inner !== 1 && inner !== 2) || (coding !== 1 && coding !== 2))
    throw new TileArchiveError('it is packed otherwise than by gzip')
  if (minZoom > maxZoom || maxZoom > mostZoom) throw new TileArchiveError('its zooms are none that a map has')
  const degrees = (at: number): number => head.readInt32LE(at) / 1e7
  const [west, south, east, north] = [degrees(102), degrees(106), degrees(110), degrees(114)]
  if (!(west >= -180 && east <= 180 && south >= -90 && north <= 90 && west < east && south < north))
    throw new TileArchiveError('its bounds are no part of the earth')
  const bounds = [west, south, east, north] as const
  return {
    ...{ root, metadata, leaves, data, minZoom, maxZoom, bounds },
    isPacked: inner === 2,
    coding: coding === 2 ? ('gzip' as const) : ('identity' as const),
  }
}

/** Markup of others is not for our page: what is left are its words. */
function attributionOf(metadata: Buffer): string {
  const said: unknown = metadata.length === 0 ? {} : JSON.parse(metadata.toString('utf8'))
  const text: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, 'attribution') : undefined
  if (typeof text !== 'string') return ''
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll(/[\p{Cc}<>]/gu, '')
    .trim()
    .slice(0, 200)
}

const refuse =
  (says: string) =>
  (cause: unknown): never => {
    throw new TileArchiveError(says, { cause })
  }
