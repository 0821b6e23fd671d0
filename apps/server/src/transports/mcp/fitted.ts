type Json = Readonly<Record<string, unknown>>

/** Characters of an answer, some 20,000 tokens: hosts cut off, or give up on, what is longer (decision 0325). */
export const longestAnswer = 80_000
/** What is left of every text at least, so that a page of many rows still says what they are. */
const shortestText = 200

/**
 * The answer of a tool so that a model can read it, and so that no stranger's text takes the room of everything else:
 * the longest texts are cut, all to one length, and say so. A piece of evidence is cut as the text of its JSON.
 */
export function fitted(body: Json): Json {
  const excess = JSON.stringify(body).length - longestAnswer
  if (excess <= 0) return body
  const sizes: number[] = []
  walk(body, (_text, size) => {
    sizes.push(size)
    return undefined
  })
  const most = longestText(sizes, excess)
  // What a cut would make no shorter stays.
  return walk(body, (text, size) => (size > most + markSize ? cut(text, most) : undefined)) as Json // it was a record
}

/** A text, and what it takes of the answer that a cut could save. */
type Change = (text: string, size: number) => string | undefined

/** A link that was cut leads nowhere, so one of the length that browsers take stays. */
const isLink = (text: string): boolean => text.length <= 2_048 && /^https?:\/\/\S+$/.test(text)

/** As JSON, where a character may take six. */
const sizeOf = (text: string): number => JSON.stringify(text).length - 2

function cut(text: string, most: number): string {
  let left = text.slice(0, most)
  for (let size = sizeOf(left); size > most; size = sizeOf(left))
    left = left.slice(0, Math.floor((left.length * most) / size))
  const count = String(text.length - left.length)
  return `${left.toWellFormed()}… [${count} more characters are left out here; REST has them]`
}
/** The mark, and the quotes of evidence that becomes a text. */
const markSize = 70

/** The size to which texts are cut so that this much goes. */
function longestText(sizes: readonly number[], excess: number): number {
  const saved = (most: number): number =>
    sizes.reduce((sum, size) => sum + (size > most ? Math.max(0, size - most - markSize) : 0), 0)
  let [low, high] = [shortestText, sizes.reduce((most, size) => Math.max(most, size), shortestText)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (saved(middle) >= excess) low = middle
    else high = middle - 1
  }
  return low
}

/** A copy with what `change` makes of each text; undefined leaves the value as it is. */
function walk(value: unknown, change: Change, isEvidence = false): unknown {
  if (typeof value === 'string') return change(value, isLink(value) ? 0 : sizeOf(value)) ?? value
  if (typeof value !== 'object' || value === null) return value
  if (isEvidence) {
    const text = JSON.stringify(value)
    return change(text, text.length) ?? value
  }
  if (Array.isArray(value)) return value.map((one) => walk(one, change))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === 'evidence' ? pieces(one, change) : walk(one, change)]),
  )
}

function pieces(evidence: unknown, change: Change): unknown {
  if (typeof evidence !== 'object' || evidence === null || Array.isArray(evidence)) return walk(evidence, change)
  return Object.fromEntries(Object.entries(evidence).map(([type, one]) => [type, walk(one, change, true)]))
}
