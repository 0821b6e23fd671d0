import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'
import { hashOf, keyOf, root } from './plan.ts'
import type { Line } from './round.ts'

type Look = Exclude<Line, { is: 'passed' | 'killed' }>
/**
 * What the tests of a file met, while its text was this; `mutants` names them by their text: they are numbered anew.
 */
type Kept = {
  readonly mutants: Readonly<Record<number, string>>
  readonly files: Record<string, { readonly hash: string; readonly lines: readonly Look[] }>
}

const path = join(root, '.cache/mutation-looks.json')

/**
 * What earlier looks found that is as good as new: neither the file of the tests nor a mutated file they met changed.
 */
export function keptLooks(mutants: readonly Mutant[], files: readonly string[]): readonly Look[] {
  const kept = read()
  const numbers = new Map(mutants.map((mutant) => [keyOf(mutant), mutant.id]))
  const renumbered = (line: Look): Look | null => {
    if (!('saw' in line)) return line
    const saw = line.saw.map((id) => numbers.get(kept.mutants[id] ?? ''))
    return saw.includes(undefined) ? null : { ...line, saw: saw.filter((id) => id !== undefined) }
  }
  return files
    .map((file) => join(root, file))
    .flatMap((file) => {
      const look = kept.files[file]
      const lines = look?.hash === hashOf(file) ? look.lines.map(renumbered) : []
      return lines.includes(null) ? [] : lines.filter((line) => line !== null)
    })
}

export function keepLooks(mutants: readonly Mutant[], lines: readonly Look[]): void {
  const files: Kept['files'] = {}
  for (const { is, file } of lines) {
    if (is === 'ended') files[file] = { hash: hashOf(file), lines: lines.filter((line) => line.file === file) }
  }
  const known = Object.fromEntries(mutants.map((mutant) => [mutant.id, keyOf(mutant)]))
  writeFileSync(path, JSON.stringify({ mutants: known, files } satisfies Kept))
}

function read(): Kept {
  // Written above.
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : { mutants: {}, files: {} }
}
