import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'
import { hashOf, keyOf, root } from './plan.ts'
import type { Bed, Line } from './round.ts'

type Look = Exclude<Line, { is: 'passed' | 'killed' }>
/** What the tests of one file met, while its text was this and the mutants were those `over` these files. */
type Kept = {
  readonly hash: string
  readonly over: readonly string[]
  /** The ones they met, by their text: they are numbered anew in each run. */
  readonly mutants: Readonly<Record<number, string>>
  readonly lines: readonly Look[]
}

const folder = join(root, '.cache/mutation-looks')

/**
 * What earlier looks found that is as good as new: they looked for mutants of the same files, and neither the file of
 * the tests nor a mutated file they met has changed.
 */
export function keptLooks(mutants: readonly Mutant[], files: readonly string[], bed: Bed): readonly Look[] {
  const numbers = new Map(mutants.map((mutant) => [keyOf(mutant), mutant.id]))
  const mutated = sourcesOf(mutants)
  return files.map((file) => join(root, file)).flatMap((file) => linesOf(file, bed, numbers, mutated) ?? [])
}

function linesOf(
  file: string,
  bed: Bed,
  numbers: ReadonlyMap<string, number>,
  mutated: readonly string[],
): readonly Look[] | null {
  const path = pathOf(file, bed)
  if (!existsSync(path)) return null
  // Written below.
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Kept
  const over = new Set(kept.over)
  if (kept.hash !== bedHashOf(file, bed) || mutated.some((source) => !over.has(source))) return null
  const isHere = new Set(mutated)
  // A mutant is unknown because its file changed, or because this run is over fewer files.
  const gone = Object.values(kept.mutants).filter((key) => !numbers.has(key.slice(key.indexOf(' ') + 1)))
  if (gone.some((key) => isHere.has(key.slice(0, key.indexOf(' '))))) return null
  const numberOf = (id: number): number | undefined => {
    const key = kept.mutants[id] ?? ''
    return numbers.get(key.slice(key.indexOf(' ') + 1))
  }
  const renumbered = (line: Look): Look =>
    'saw' in line ? { ...line, saw: line.saw.map(numberOf).filter((id) => id !== undefined) } : line
  return kept.lines.map(renumbered)
}

/** Keeps what was found of the files that were looked at to their end. */
export function keepLooks(mutants: readonly Mutant[], lines: readonly Look[], bed: Bed): void {
  mkdirSync(folder, { recursive: true })
  const known = new Map(mutants.map((mutant) => [mutant.id, `${mutant.file} ${keyOf(mutant)}`]))
  const over = sourcesOf(mutants)
  for (const [file, own] of Map.groupBy(lines, (line) => line.file)) {
    if (own.every(({ is }) => is !== 'ended')) continue
    const met = new Set(own.flatMap((line) => ('saw' in line ? line.saw : [])))
    const kept: Kept = {
      hash: bedHashOf(file, bed),
      over,
      mutants: Object.fromEntries([...met].map((id) => [id, known.get(id) ?? ''])),
      lines: own,
    }
    writeFileSync(pathOf(file, bed), JSON.stringify(kept))
  }
}

/** In memory a test depends on what answers its statements, too. */
function bedHashOf(file: string, bed: Bed): string {
  const own = bed === 'memory' ? ['stage-database', 'stage-statements'] : []
  return [hashOf(file), ...own.map((name) => hashOf(join(root, `simulation/test/mutation/${name}.ts`)))].join(' ')
}

const sourcesOf = (mutants: readonly Mutant[]): readonly string[] => [...new Set(mutants.map(({ file }) => file))]

const pathOf = (file: string, bed: Bed): string =>
  join(folder, `${createHash('sha256').update(`${bed} ${file}`).digest('base64url').slice(0, 16)}.json`)
