import type { Mutant } from './mutants.ts'
import type { Folder } from './plan.ts'
import type { Tried } from './rounds.ts'

export type Survivor = { readonly line: number; readonly kind: string; readonly was: string; readonly now: string }
/** What a run found out about one file. */
export type FileReport = {
  /** A digest of the code that was measured, without its comments and types: of any other code this says nothing. */
  readonly text: string
  readonly mutants: number
  readonly killed: number
  /** For which the time was over. */
  readonly untried: number
  /** The files of the tests that killed: those that try it first, when it changes. */
  readonly tests: readonly string[]
  readonly survivors: readonly Survivor[]
}
/** By the paths of its files, from the root of the repository. */
export type FolderReport = Readonly<Record<string, FileReport>>
export type Report = Readonly<Record<Folder, FolderReport>>
export type Score = {
  /** Killed of all that compile, rounded down to a tenth. What no test meets, or was not tried, counts as alive. */
  readonly percent: number
  readonly mutants: number
  readonly killed: number
  readonly untried: number
}
/** The digest of the text of a file, whose path starts at the root. */
export type TextOf = (file: string) => string

/** What a run found out about these files of one folder: `killers` are the files of the tests. */
export function reportOf(
  paths: readonly string[],
  mutants: readonly Mutant[],
  { verdicts, killers }: Pick<Tried, 'verdicts' | 'killers'>,
  textOf: TextOf,
): FolderReport {
  const files = Map.groupBy(mutants, ({ file }) => file)
  return Object.fromEntries(
    paths.map((file): [string, FileReport] => {
      const own = files.get(file) ?? []
      // Of what has no verdict yet nothing is known.
      const verdictOf = ({ id }: Mutant): string => verdicts.get(id) ?? 'open'
      const untried = own.filter((mutant) => verdictOf(mutant) === 'open').length
      const survivors = own.filter((mutant) => !['open', 'killed'].includes(verdictOf(mutant)))
      const killed = own.length - survivors.length - untried
      const tests = [...new Set(own.flatMap(({ id }) => killers.get(id) ?? []))].toSorted()
      return [
        file,
        { text: textOf(file), mutants: own.length, killed, untried, tests, survivors: survivors.map(survivorOf) },
      ]
    }),
  )
}

function survivorOf({ line, kind, was, now }: Mutant): Survivor {
  return { line, kind, was: short(was), now: short(now) }
}

export function scoreOf(folder: FolderReport): Score {
  const files = Object.values(folder)
  const sum = (of: (file: FileReport) => number): number => files.reduce((total, file) => total + of(file), 0)
  const mutants = sum((file) => file.mutants)
  const killed = sum((file) => file.killed)
  return { percent: percentOf(killed, mutants), mutants, killed, untried: sum((file) => file.untried) }
}

const percentOf = (killed: number, mutants: number): number =>
  mutants === 0 ? 100 : Math.floor((killed * 1_000) / mutants) / 10

/** `{"core": 91.2, "dispatch": 87}`, and so on. */
export function scoresOf(report: Readonly<Record<string, FolderReport>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(report).map(([name, folder]) => [name, scoreOf(folder).percent]))
}

/** The files of which the report says nothing: they are new, moved, or have changed since. */
export function unmeasured(files: readonly string[], folder: FolderReport, textOf: TextOf): readonly string[] {
  return files.filter((file) => folder[file]?.text !== textOf(file))
}

/** The report of the files as they are: of another text nothing is known, so all of its mutants count as not tried. */
export function asTheyAre(files: readonly string[], folder: FolderReport, textOf: TextOf): FolderReport {
  const stale = new Set(unmeasured(files, folder, textOf))
  return Object.fromEntries(
    files.flatMap((file): [string, FileReport][] => {
      const known = folder[file]
      if (known === undefined) return []
      return [[file, stale.has(file) ? { ...known, killed: 0, untried: known.mutants, survivors: [] } : known]]
    }),
  )
}

/** Without the files for which the time was over. */
export function ended(folder: FolderReport): FolderReport {
  return Object.fromEntries(Object.entries(folder).filter(([, { untried }]) => untried === 0))
}

/**
 * The report with what was measured now. What is not among `files` any more leaves it; a run that was cut does not take
 * back what an earlier one had killed in the same text.
 */
export function merged(before: FolderReport, now: FolderReport, files: readonly string[]): FolderReport {
  const best = (file: string): FileReport | undefined => {
    const [old, fresh] = [before[file], now[file]]
    if (old === undefined || fresh === undefined) return fresh ?? old
    return fresh.untried > 0 && old.text === fresh.text && old.killed > fresh.killed ? old : fresh
  }
  return Object.fromEntries(
    files.toSorted().flatMap((file): [string, FileReport][] => {
      const one = best(file)
      return one === undefined ? [] : [[file, one]]
    }),
  )
}

export type NewSurvivor = Survivor & { readonly file: string }

/** Survivors that the report does not name in their file. Lines move, so a survivor is known by its text. */
export function newSurvivors(now: FolderReport, before: FolderReport): readonly NewSurvivor[] {
  return Object.entries(now).flatMap(([file, { survivors }]) => {
    const left = (before[file]?.survivors ?? []).map(keyOf)
    const added = survivors.filter((survivor) => {
      const at = left.indexOf(keyOf(survivor))
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
    return added.map((survivor) => ({ ...survivor, file }))
  })
}

/** How much is held of what the report did not already name as alive, in percent. */
export function heldOf(now: FolderReport, before: FolderReport): number {
  const { mutants, killed, untried } = scoreOf(now)
  const known = mutants - killed - untried - newSurvivors(now, before).length
  return percentOf(killed, mutants - known)
}

const keyOf = ({ kind, was, now }: Survivor): string => JSON.stringify([kind, was, now])

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/** The score of a folder, to be read. */
export function sentenceOf(folder: string, report: FolderReport): string {
  const { percent, mutants, killed, untried } = scoreOf(report)
  const rest = untried === 0 ? '' : `, ${String(untried)} not tried`
  return `${folder}: ${String(percent)} % (${String(killed)} of ${String(mutants)} killed${rest})`
}

/** A line for each survivor. */
export function survivorsTold(report: FolderReport): readonly string[] {
  return Object.entries(report).flatMap(([file, { survivors }]) =>
    survivors.map(({ line, kind, was, now }) => `  ${file}:${String(line)} ${kind}: ${was} → ${now}`),
  )
}
