/** A link that came with data: only http and https, whatever it looks like; undefined for anything else. */
export function safeLink(text: unknown, base?: string): string | undefined {
  if (typeof text !== 'string' || !URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}
