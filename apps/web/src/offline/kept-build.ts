/** One build of the app, as the service worker keeps it: all of it or nothing of it. */
export type KeptBuild = {
  /** Changes with anything in the build. */
  readonly id: string
  /** The script that the page of this build begins with. */
  readonly entry: string
  /** Paths to have at hand before anybody is offline. */
  readonly paths: readonly string[]
}

export const cachePrefix = 'ergon-build-'
/** What is in the built worker until the build writes itself there. */
export const buildPlaceholder = 'THE_BUILD_GOES_HERE'

/** What of a request the worker may answer. */
export type RequestKind = 'page' | 'asset' | 'other'

type Asked = { readonly method: string; readonly mode: string; readonly url: string }

/**
 * Only two kinds of answer are ever kept: the page, which is the same for everybody, and the files of the build, whose
 * names change with their content, with the icons. Whatever is asked of the service itself passes by.
 */
export function kindOfRequest({ method, mode, url }: Asked, origin: string): RequestKind {
  const { origin: asked, pathname, search } = new URL(url)
  if (method !== 'GET' || asked !== origin) return 'other'
  if (/^\/(?:assets|icons)\//.test(pathname)) return search === '' ? 'asset' : 'other'
  if (mode !== 'navigate') return 'other'
  // Addresses of screens have no dot in their last part; documents and interfaces are not the worker's.
  return /^\/(?:api|mcp|a2a|ws|\.well-known|oauth)(?:\/|$)/.test(pathname) || /\.[^/]*$/.test(pathname)
    ? 'other'
    : 'page'
}
