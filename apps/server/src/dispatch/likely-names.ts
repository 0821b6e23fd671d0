/** The known names that unknown ones were probably meant to be, each once and in the order of the unknown. */
export function likelyNames(unknown: readonly string[], known: readonly string[]): readonly string[] {
  return [...new Set(unknown.flatMap((name) => likeliest(name, known) ?? []))]
}

/** Long names are told apart by their beginnings: no body makes its refusal dear (decision 0090). */
const comparedLetters = 40

function likeliest(name: string, known: readonly string[]): string | undefined {
  const given = plain(name)
  const ranked = known
    .map((one) => ({ one, far: distance(given, plain(one)), shared: sharedWords(name, one) }))
    .filter(({ one, far, shared }) => far <= mostOff(plain(one).length) || shared > 0)
    .sort((first, second) => second.shared - first.shared || first.far - second.far)
  return ranked[0]?.one
}

/** Two letters are off when two changed places; of a short name that would be all of it. */
const mostOff = (letters: number): number => (letters < 5 ? 1 : Math.max(2, Math.floor(letters / 4)))

const plain = (name: string): string =>
  name
    .slice(0, comparedLetters)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, comparedLetters)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && !/^(?:usd|the)$/.test(word))

/** Whole words in common: `bounty` and `bounty_usd`, `taskTitle` and `title`. */
function sharedWords(given: string, known: string): number {
  const words = new Set(wordsOf(known))
  return wordsOf(given).filter((word) => words.has(word)).length
}

/** How many letters differ (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_none, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (let column = 1; column <= other.length; column += 1)
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[other.length] ?? 0
}
