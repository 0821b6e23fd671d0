/**
 * Acceptance criteria travel inside the instructions, as a list under a heading of their own: the fields of a task are
 * closed, and every worker, person or program, reads them where it reads the work.
 */
const heading = { en: 'Accepted when:', es: 'Se acepta cuando:' } as const
const opening = /^(?:Accepted when:|Se acepta cuando:)$/m

export function withCriteria(
  instructions: string,
  criteria: readonly string[],
  language: keyof typeof heading,
): string {
  const kept = criteria.map((one) => one.replace(/\s+/g, ' ').trim()).filter((one) => one !== '')
  return kept.length === 0
    ? instructions.trim()
    : `${instructions.trim()}\n\n${heading[language]}\n${kept.map((one) => `- ${one}`).join('\n')}`
}

/** The instructions and the criteria of a task; a task that was not written here has none. */
export function readCriteria(text: string): { readonly instructions: string; readonly criteria: readonly string[] } {
  const found = opening.exec(text)
  if (found === null) return { instructions: text, criteria: [] }
  const lines = text
    .slice(found.index + found[0].length)
    .trim()
    .split('\n')
  const criteria = lines.flatMap((line) => (line.startsWith('- ') ? [line.slice(2).trim()] : []))
  // Something that only looks like the heading is part of the instructions.
  return criteria.length === 0 || criteria.length !== lines.length
    ? { instructions: text, criteria: [] }
    : { instructions: text.slice(0, found.index).trim(), criteria }
}
