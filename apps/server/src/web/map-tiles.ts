import { ConfigError } from '../config/config-error.ts'
import type { MapSettings } from '../config/web-settings.ts'
import { openTileArchive, TileArchiveError, type TileArchive } from './tile-archive.ts'
import { fileSource, memorySource } from './tile-sources.ts'

/** Where tiles of one kind are, and how far they reach. */
export type TileFacts = {
  /** A path of the service or an address elsewhere, with `{z}`, `{x}` and `{y}`. */
  readonly tiles: string
  readonly min_zoom: number
  readonly max_zoom: number
  readonly bounds: readonly [west: number, south: number, east: number, north: number]
  readonly attribution: string
}
/** What the map of the app is drawn from. */
export type MapInfo = { readonly world: TileFacts | null; readonly streets: TileFacts | null }
export const mapLayers = ['world', 'streets'] as const
export type MapLayer = (typeof mapLayers)[number]
export type MapTiles = AsyncDisposable & {
  readonly info: MapInfo
  readonly archives: Readonly<Partial<Record<MapLayer, TileArchive>>>
}

const wholeEarth = [-180, -85.0511, 180, 85.0511] as const
const openStreetMap = '© OpenStreetMap'

/**
 * Opens the world that came with the app and the streets that the operator added.
 * @throws ConfigError with what is wrong with a file
 */
export async function openMapTiles(settings: MapSettings, world: Buffer | undefined): Promise<MapTiles> {
  await using stack = new AsyncDisposableStack()
  const archives = {
    ...(world === undefined ? {} : { world: await checked('world.pmtiles in SVC_WEB_DIR', memorySource(world)) }),
    ...(settings.file === null
      ? {}
      : { streets: await checked('SVC_MAP_FILE', stack.use(await opened(settings.file))) }),
  }
  const owned = stack.move()
  return {
    archives,
    info: { world: factsOf('world', archives.world), streets: streetsOf(settings, archives.streets) },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function streetsOf({ tilesUrl, tilesMaxZoom, attribution }: MapSettings, archive: TileArchive | undefined) {
  if (tilesUrl !== null)
    return {
      tiles: tilesUrl,
      min_zoom: 0,
      max_zoom: tilesMaxZoom,
      bounds: wholeEarth,
      attribution: attribution ?? openStreetMap,
    }
  const facts = factsOf('streets', archive)
  // An archive in this schema is made of OpenStreetMap, whether its maker wrote so or not.
  return facts === null ? null : { ...facts, attribution: attribution ?? (facts.attribution || openStreetMap) }
}

function factsOf(layer: MapLayer, archive: TileArchive | undefined): TileFacts | null {
  if (archive === undefined) return null
  const { version, minZoom, maxZoom, bounds, attribution } = archive
  return {
    tiles: `/map/${layer}/{z}/{x}/{y}?v=${version}`,
    min_zoom: minZoom,
    max_zoom: maxZoom,
    bounds,
    attribution,
  }
}

async function opened(path: string): ReturnType<typeof fileSource> {
  return fileSource(path).catch((cause: unknown) => {
    throw new ConfigError('SVC_MAP_FILE is no file that can be read', { cause })
  })
}

async function checked(name: string, source: Parameters<typeof openTileArchive>[0]): Promise<TileArchive> {
  return openTileArchive(source).catch((cause: unknown) => {
    throw cause instanceof TileArchiveError
      ? new ConfigError(`${name} cannot be served: ${cause.message}`, { cause })
      : cause
  })
}
