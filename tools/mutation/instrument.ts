import type { Mutant } from './mutants.ts'

/** Mutants of the very same characters. */
type Group = readonly [Mutant, ...Mutant[]]

/**
 * The text of a file with all of its mutants in it: each asks `$m(id)` whether it is the one that is switched on, so
 * that one load of a module serves every mutant. Line numbers stay.
 */
export function instrument(text: string, mutants: readonly Mutant[]): string {
  const spots = new Map<string, Mutant[]>()
  for (const mutant of mutants) {
    // A statement and its expression may be the same characters: without semicolons they often are.
    const key = `${String(mutant.start)}:${String(mutant.end)}:${String(mutant.isStatement)}`
    spots.set(key, [...(spots.get(key) ?? []), mutant])
  }
  const groups = [...spots.values()].flatMap(([first, ...rest]): Group[] =>
    first === undefined ? [] : [[first, ...rest]],
  )
  groups.sort(([a], [b]) => a.start - b.start || b.end - a.end || Number(b.isStatement) - Number(a.isStatement))
  let next = 0
  const upTo = (from: number, end: number): string => {
    let at = from
    let out = ''
    for (let group = groups[next]; group !== undefined && group[0].end <= end; group = groups[next]) {
      const [{ start, end: stop, isStatement }] = group
      next += 1
      out += text.slice(at, start) + wrapped(group, upTo(start, stop), isStatement)
      at = stop
    }
    return out + text.slice(at, end)
  }
  return upTo(0, text.length)
}

function wrapped(group: Group, original: string, isStatement: boolean): string {
  if (isStatement) return `{if($m(${String(group[0].id)})){}else{${original}}}`
  return `(${group.map(({ id, now }) => `$m(${String(id)})?(${now}):`).join('')}(${original}))`
}
