import { isLoopback } from '@ergon/protocols'
import { createGeocoder } from './adapters/geocoder/geocoder.ts'
import type { Places } from './api/places.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { createGuardedClient } from './delivery/guarded-client.ts'
import { retryAfterMs } from './delivery/post.ts'
import type { ProcessLog } from '@ergon/process'

type Wiring = {
  readonly config: Pick<Config, 'geocoder' | 'baseUrl'>
  readonly secrets: Pick<Secrets, 'geocoderHeader'>
  readonly log: Pick<ProcessLog, 'warn'>
  readonly parts: AsyncDisposableStack
  readonly now: () => Date
  readonly version: string
}

/** Where addresses are looked up; null where no geocoder is named. */
export function wireGeocoder({ config, secrets, log, parts, now, version }: Wiring): Places | null {
  if (config.geocoder === null) return null
  const { url, kind, timeoutMs, attribution, perMinute, isPrivate } = config.geocoder
  const isHere = isLoopback(new URL(url).hostname)
  const client = parts.use(createGuardedClient({ near: isPrivate ? 'private' : isHere ? 'loopback' : 'none' }))
  const geocoder = createGeocoder({
    ...{ client, url, kind, timeoutMs, attribution, retryAfterMs, now },
    header: secrets.geocoderHeader,
    userAgent: `ergon/${version} (${new URL(config.baseUrl).origin})`,
    onFault: (fault) => {
      // What was looked for is not written down.
      const reason = fault instanceof Error ? fault.message : fault
      log.warn({ reason }, 'the geocoder gave no answer')
    },
  })
  return { geocoder, perMinute }
}
