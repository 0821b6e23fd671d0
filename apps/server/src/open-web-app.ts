import { bucketOrigin } from './adapters/index.ts'
import type { Config } from './config/config.ts'
import { pageHeaders } from './web/page-headers.ts'
import { readWebApp } from './web/read-web-app.ts'
import type { WebApp } from './web/web-file.ts'

/** The app with the headers of this deployment; null where none is served. */
export type ServedApp = { readonly app: WebApp; readonly headers: Readonly<Record<string, string>> }

export async function openWebApp(
  { web, baseUrl, authorities, evidenceBucket }: Config,
  version: string,
): Promise<ServedApp | null> {
  if (web === null) return null
  // No tiles are served or named yet: the map draws what comes with the app.
  const app = await readWebApp(web.dir, {
    faucet_url: web.faucetUrl,
    tiles_url: null,
    service_url: new URL(baseUrl).origin,
    version,
  })
  return {
    app,
    headers: pageHeaders({
      baseUrl,
      authorities,
      bucketOrigin: evidenceBucket === null ? null : bucketOrigin(evidenceBucket),
      faucetUrl: web.faucetUrl,
      styleSources: app.styleSources,
    }),
  }
}
