import { isLoopback } from '@ergon/protocols'

/** The site of a page, as EIP-4361 names it. */
export type Site = { readonly domain: string; readonly uri: string }

export type Origins = {
  /** Whether a page of this origin may act with a session; without an Origin nobody says so. */
  allows(origin: string | undefined): boolean
  /** The site of an allowed page, or of the service itself. */
  siteOf(origin: string | undefined): Site
}

/** The origins of this deployment: its own, and those its operator named. */
export function createOrigins(baseUrl: string, named: readonly string[]): Origins {
  const own = new URL(baseUrl)
  const allowed = new Set([own.origin, ...namesakes(own), ...named])
  const allows = (origin: string | undefined): boolean => origin !== undefined && allowed.has(origin)
  return {
    allows,
    siteOf: (origin) => {
      const site = origin !== undefined && allowed.has(origin) ? new URL(origin) : own
      return { domain: site.host, uri: site.origin }
    },
  }
}

/** On loopback the two usual names of the machine stand for the same service. */
function namesakes(own: URL): readonly string[] {
  if (!isLoopback(own.hostname)) return []
  const port = own.port === '' ? '' : `:${own.port}`
  return [`${own.protocol}//127.0.0.1${port}`, `${own.protocol}//localhost${port}`]
}
