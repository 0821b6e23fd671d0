import { readSettings } from './settings.ts'

/** Where programs find the service: the name that it calls itself, wherever this page is open. */
export function serviceAddress(): string {
  return readSettings(document).serviceUrl ?? location.origin
}

/**
 * A link of the service as this page may follow it. On one machine the app is open under a name that may hold passkeys,
 * while links carry the name that the service calls itself; its policy lets a page ask its own origin alone.
 */
export function ownLink(href: string): string {
  const url = new URL(href, location.origin)
  return url.origin === serviceAddress() ? `${location.origin}${url.pathname}${url.search}` : href
}
