/**
 * Reads `2026-11-21 12:00:00.123456+00`, which PostgreSQL writes of a timestamptz while the session's time zone is
 * UTC; undefined for any other form, which the driver reads at its leisure. A page of tasks holds sixty of them.
 */
export function parseUtcInstant(text: string): Date | undefined {
  const { length } = text
  if (length < 22 || length > 29 || !text.endsWith('+00') || text[4] !== '-' || text[10] !== ' ') return undefined
  const ms = length < 24 ? 0 : digits(`${text.slice(20, -3)}00`, 0, 3)
  return new Date(
    Date.UTC(
      digits(text, 0, 4),
      digits(text, 5, 7) - 1,
      digits(text, 8, 10),
      digits(text, 11, 13),
      digits(text, 14, 16),
      digits(text, 17, 19),
      ms,
    ),
  )
}

function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) value = value * 10 + text.charCodeAt(at) - 48
  return value
}

const mostKept = 1_000

/**
 * Reads arrays of plain words and keeps what it read: the lists of evidence repeat. Undefined where the driver must
 * look.
 */
export function createWordsParser(): (text: string) => readonly string[] | undefined {
  const kept = new Map<string, readonly string[]>([['{}', Object.freeze([])]])
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined || !/^\{[a-z0-9_,]+\}$/.test(text)) return known
    const words = Object.freeze(text.slice(1, -1).split(','))
    if (kept.size < mostKept) kept.set(text, words)
    return words
  }
}
