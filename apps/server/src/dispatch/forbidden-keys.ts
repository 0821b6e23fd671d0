const bearer = /^\s*bearer(?:\s|$)/i

/**
 * The API key or else the bearer token that a request carries, which this host refuses before anything else, even on
 * public operations (spec §5.4); the tool endpoint alone reads tokens (decision 0003). Reads the flat raw list: Node's
 * merged headers keep the first duplicate only.
 */
export function forbiddenKeyOf(rawHeaders: readonly string[]): 'key' | 'bearer' | undefined {
  let found: 'bearer' | undefined
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    // The two lengths spare a lowercase copy of every other name.
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') return 'key'
    if (name.length === 13 && name.toLowerCase() === 'authorization' && bearer.test(rawHeaders[index + 1] ?? ''))
      found = 'bearer'
  }
  return found
}
