/** A name that is set and that nothing reads, and the name that was probably meant. */
export type UnknownName = { readonly name: string; readonly meant: string | undefined }

/** The name of a setting that is written with what belongs to a shell, or to the start of a file, around it. */
export function meantName(written: string): string {
  // Trimming takes the mark that some editors put in front of a file as well.
  return written.trim().replace(/^export\s+/, '')
}

/**
 * The first of the given names that is none of the known ones; undefined when all are. `meant` is the nearest known
 * name, within a third of its letters.
 */
export function firstUnknownName(given: readonly string[], known: readonly string[]): UnknownName | undefined {
  const name = given.find((one) => !known.includes(one))
  if (name === undefined) return undefined
  const near = known
    .map((one) => ({ one, edits: editsBetween(name, one) }))
    .filter(({ one, edits }) => edits <= one.length / 3)
    .toSorted((left, right) => left.edits - right.edits)
  return { name, meant: near[0]?.one }
}

/** One sentence for whoever set it. */
export function sayUnknownName({ name, meant }: UnknownName): string {
  return meant === undefined
    ? `${name} is none of the settings; remove it`
    : `${name} is none of the settings; did you mean ${meant}?`
}

/** How many letters must be added, removed, replaced or swapped with their neighbour (optimal string alignment). */
function editsBetween(left: string, right: string): number {
  let before: readonly number[] = []
  let above: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = row > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      line.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (line[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = above
    above = line
  }
  return above[right.length] ?? 0
}
