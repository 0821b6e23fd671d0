import { hash } from 'node:crypto'

/** So many texts have a name at a time; what was asked for longest ago loses it. */
const mostNames = 500

/**
 * The name of a statement by its text, so that a connection reads and plans it once; undefined the first time it is
 * asked for. One text has one name in every process: behind a pooler that lends a connection to several, a name never
 * means another text.
 */
export function createStatementNames(most: number = mostNames): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    names.delete(text)
    const [oldest] = names.size >= most ? names.keys() : []
    if (oldest !== undefined) names.delete(oldest)
    names.set(text, known ?? `by-text-${hash('sha256', text).slice(0, 24)}`)
    return known
  }
}
