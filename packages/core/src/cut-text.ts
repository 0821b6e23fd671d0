/**
 * At most `most` UTF-16 units of what a stranger wrote, in a form PostgreSQL can keep: no sign is cut in half, and a
 * half that came alone or a U+0000 becomes U+FFFD.
 */
export function cutText(text: string, most: number): string {
  const lastUnit = text.length > most ? text.charCodeAt(most - 1) : 0
  const isHalved = lastUnit >= 0xd800 && lastUnit <= 0xdbff
  return text
    .slice(0, isHalved ? most - 1 : most)
    .toWellFormed()
    .replaceAll('\u0000', '\uFFFD')
}
