/** Where tiles of one kind are, and how far they reach; as `/map/info` says it. */
export type TileFacts = {
  readonly tiles: string
  readonly min_zoom: number
  readonly max_zoom: number
  readonly bounds: readonly [west: number, south: number, east: number, north: number]
  readonly attribution: string
}
export type MapInfo = { readonly world: TileFacts | null; readonly streets: TileFacts | null }

const loading: { info: Promise<MapInfo> | undefined } = { info: undefined }

/** What the service has for a map; asked once, and again after a failure. */
export function loadMapInfo(): Promise<MapInfo> {
  loading.info ??= readMapInfo().catch((error: unknown) => {
    loading.info = undefined
    throw error
  })
  return loading.info
}

async function readMapInfo(): Promise<MapInfo> {
  const answer = await fetch('/map/info')
  if (!answer.ok) throw new Error(`the map answered ${String(answer.status)}`)
  // The service that serves this app writes it.
  return (await answer.json()) as MapInfo
}

/** The address of a tile as a worker can fetch it: it has no page to start from. */
export const tilesAddress = ({ tiles }: TileFacts): string => (tiles.startsWith('/') ? location.origin + tiles : tiles)
