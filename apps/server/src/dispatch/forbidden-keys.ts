const bearer = /^\s*bearer(?:\s|$)/i

/**
 * Whether a request carries an API key or a bearer token, which this host refuses before anything else, even on
 * public operations (spec §5.4). Reads the flat raw list: Node's merged headers keep the first duplicate only.
 */
export function carriesForbiddenKey(rawHeaders: readonly string[]): boolean {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    // The two lengths spare a lowercase copy of every other name.
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') return true
    if (name.length === 13 && name.toLowerCase() === 'authorization' && bearer.test(rawHeaders[index + 1] ?? ''))
      return true
  }
  return false
}
