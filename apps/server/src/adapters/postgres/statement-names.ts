import { hash } from 'node:crypto'

/** Each connection keeps the plans of what has a name: so many texts have one. */
const mostNames = 500

/**
 * The name of a statement by its text, so that a connection reads and plans it once; undefined the first time it is
 * asked for, and for new texts once there are too many. One text has one name in every process: behind a pooler that
 * lends a connection to several, a name never means another text.
 */
export function createStatementNames(most: number = mostNames): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known === undefined && names.size < most) names.set(text, `by-text-${hash('sha256', text).slice(0, 24)}`)
    return known
  }
}
