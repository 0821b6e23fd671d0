/** A link that data brought along, or undefined when following it could do anything but open a page. */
export function webLink(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === ''
    ? url.href
    : undefined
}
