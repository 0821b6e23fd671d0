import { isLoopback } from '@ergon/protocols'
import type { AppSettings } from './settings.ts'

/**
 * Where the screen that is open here has to be opened instead: the service has another name now, and a page under the
 * old one may not act for anybody. Undefined where it may, or where nothing is known.
 */
export function movedTo(
  { serviceUrl, sessionOrigins }: Pick<AppSettings, 'serviceUrl' | 'sessionOrigins'>,
  { origin, hostname, pathname, search }: Pick<Location, 'origin' | 'hostname' | 'pathname' | 'search'>,
): string | undefined {
  if (serviceUrl === null || sessionOrigins === null) return undefined
  // On one machine the service goes by any of its names.
  if (isLoopback(hostname)) return undefined
  return sessionOrigins.split(' ').includes(origin) ? undefined : `${serviceUrl}${pathname}${search}`
}
