import { bucketOrigin } from './adapters/index.ts'
import type { Config } from './config/config.ts'
import { openMapTiles, type MapTiles } from './web/map-tiles.ts'
import { pageHeaders } from './web/page-headers.ts'
import { readWebApp } from './web/read-web-app.ts'
import type { WebApp } from './web/web-file.ts'

/** The app with the headers of this deployment, and the tiles of its map; null where none is served. */
export type ServedApp = {
  readonly app: WebApp
  readonly headers: Readonly<Record<string, string>>
  readonly map: MapTiles
}

export async function openWebApp(
  { web, baseUrl, authorities, allowedOrigins, evidenceBucket }: Config,
  version: string,
  parts: AsyncDisposableStack,
): Promise<ServedApp | null> {
  if (web === null) return null
  const app = await readWebApp(web.dir, {
    faucet_url: web.faucetUrl,
    terms_url: web.links.terms,
    privacy_url: web.links.privacy,
    help_url: web.links.help,
    on_ramp_url: web.links.onRamp,
    service_url: new URL(baseUrl).origin,
    session_origins: [new URL(baseUrl).origin, ...allowedOrigins].join(' '),
    version,
  })
  return {
    app,
    map: parts.use(await openMapTiles(web.map, app.files.get('/world.pmtiles')?.identity.body)),
    headers: pageHeaders({
      baseUrl,
      authorities,
      bucketOrigin: evidenceBucket === null ? null : bucketOrigin(evidenceBucket),
      faucetUrl: web.faucetUrl,
      tilesOrigin: web.map.tilesUrl === null ? null : new URL(web.map.tilesUrl).origin,
      styleSources: app.styleSources,
    }),
  }
}
