import type { Mutant } from './mutants.ts'
import type { Tried } from './rounds.ts'

export type Survivor = {
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly was: string
  readonly now: string
}
export type FolderReport = {
  /**
   * Killed of all that compile, in percent, rounded down to a tenth. What no test meets, or was not tried, counts as
   * alive.
   */
  readonly percent: number
  readonly mutants: number
  readonly killed: number
  /** For which the time was over. */
  readonly untried: number
  readonly survivors: readonly Survivor[]
}
export type Report = { readonly core: FolderReport; readonly dispatch: FolderReport }

/** What a run found out about one folder. */
export function reportOf(mutants: readonly Mutant[], { verdicts }: Pick<Tried, 'verdicts'>): FolderReport {
  const untried = mutants.filter(({ id }) => verdicts.get(id) === 'open').length
  const survivors = mutants.filter(({ id }) => !['open', 'killed'].includes(verdicts.get(id) ?? ''))
  const killed = mutants.length - survivors.length - untried
  const percent = mutants.length === 0 ? 100 : Math.floor((killed * 1_000) / mutants.length) / 10
  return { percent, mutants: mutants.length, killed, untried, survivors: survivors.map(survivorOf) }
}

function survivorOf({ file, line, kind, was, now }: Mutant): Survivor {
  return { file, line, kind, was: short(was), now: short(now) }
}

/** `{"core": 91.2, "dispatch": 87}`, of a whole run. */
export function scoresOf({ core, dispatch }: Report): { readonly core: number; readonly dispatch: number } {
  return { core: core.percent, dispatch: dispatch.percent }
}

/** Survivors that an earlier report does not name. Lines move, so a survivor is known by its text. */
export function newSurvivors(now: FolderReport, before: FolderReport): readonly Survivor[] {
  const left = before.survivors.map(keyOf)
  return now.survivors.filter((survivor) => {
    const at = left.indexOf(keyOf(survivor))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const keyOf = ({ file, kind, was, now }: Survivor): string => JSON.stringify([file, kind, was, now])

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/** The survivors of a folder and its score, to be read. */
export function sentenceOf(folder: string, { percent, mutants, killed, untried, survivors }: FolderReport): string {
  const lines = survivors.map(({ file, line, kind, was, now }) => `  ${file}:${String(line)} ${kind}: ${was} → ${now}`)
  const rest = untried === 0 ? '' : `, ${String(untried)} not tried`
  return [...lines, `${folder}: ${String(percent)} % (${String(killed)} of ${String(mutants)} killed${rest})`].join(
    '\n',
  )
}
