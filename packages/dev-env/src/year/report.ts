import type { Fault } from '../storm/report.ts'
import { recoveryOf, spread, type StormReport } from '../storm/report.ts'
import type { Played } from '../storm/jobs/job.ts'
import type { Finding } from '../storm/proof/verdict.ts'
import type { Openings } from '../storm/stage/watch-settlements.ts'

/** One part of the year: what was done in it, what broke, and what was seen. */
export type Part = {
  readonly name: string
  readonly what: string
  /** Undefined where nothing broke. */
  readonly fault: Fault | undefined
  readonly played: readonly Played[]
  readonly seconds: number
  /** What servers said about themselves in their probes, each once. */
  readonly said: readonly string[]
  readonly findings: readonly Finding[]
  /** Why it says nothing, where it does not. */
  readonly failure: string | undefined
}

export type YearHappened = {
  readonly history: number
  readonly historySeconds: number
  readonly parts: readonly Part[]
  /** What the audit of the service says in the end; empty means that everything agrees. */
  readonly audit: readonly string[]
  readonly findings: readonly Finding[]
  readonly openings: Openings
  readonly deaths: number
  readonly seconds: number
}

export type Row = {
  readonly part: string
  readonly what: string
  readonly jobs: number
  readonly completed: number
  readonly refusals: number
  /** Until the last settlement that was open during the fault had ended; null where none was. */
  readonly recovery_seconds: number | null
  readonly said: readonly string[]
  readonly wrong: readonly string[]
  readonly seconds: number
}

export type YearReport = {
  readonly ok: boolean
  readonly history_jobs: number
  readonly history_seconds: number
  readonly jobs: number
  readonly completed: number
  readonly jobs_per_second: number
  readonly faults: number
  readonly lost: number
  readonly doubled: number
  readonly unbooked: number
  readonly in_doubt: number
  readonly events: number
  /** Servers that ended though nobody killed them. */
  readonly deaths: number
  readonly recovery_seconds: StormReport['recovery_seconds']
  readonly audit: readonly string[]
  readonly findings: readonly string[]
  readonly rows: readonly Row[]
  readonly seconds: number
}

/** All of a year in figures. It is well only when every part was reached and nothing at all is wrong. */
export function yearReportOf(happened: YearHappened): YearReport {
  const { history, historySeconds, parts, audit, findings, openings, deaths, seconds } = happened
  const played = parts.flatMap((part) => part.played)
  const of = (kind: Finding['kind']): number => findings.filter((one) => one.kind === kind).length
  const completed = played.filter(({ isDone }) => isDone).length
  const faults = parts.map(({ fault }) => fault).filter((fault) => fault !== undefined)
  const load = parts.find(({ fault, failure }) => fault === undefined && failure === undefined)
  const rows = parts.map((part) => rowOf(part, openings))
  return {
    ok:
      played.length > 0 &&
      completed === played.length &&
      findings.length === 0 &&
      audit.length === 0 &&
      deaths === 0 &&
      rows.every(({ wrong }) => wrong.length === 0),
    history_jobs: history,
    history_seconds: historySeconds,
    jobs: played.length,
    completed,
    jobs_per_second: load === undefined ? 0 : Number((load.played.length / Math.max(load.seconds, 0.1)).toFixed(2)),
    faults: faults.length,
    lost: of('lost'),
    doubled: of('doubled'),
    unbooked: of('unbooked'),
    in_doubt: of('in doubt'),
    events: of('events'),
    deaths,
    recovery_seconds: spread(faults.map((fault) => recoveryOf(fault, openings)).filter((ms) => ms !== undefined)),
    audit,
    findings: findings.map(textOf),
    rows,
    seconds,
  }
}

const textOf = ({ kind, text }: Finding): string => `${kind}: ${text}`

function rowOf({ name, what, fault, played, seconds, said, findings, failure }: Part, openings: Openings): Row {
  const recovery = fault === undefined ? undefined : recoveryOf(fault, openings)
  return {
    part: name,
    what,
    jobs: played.length,
    completed: played.filter(({ isDone }) => isDone).length,
    refusals: played.reduce((sum, { codes }) => sum + [...codes.values()].reduce((one, times) => one + times, 0), 0),
    recovery_seconds: recovery === undefined ? null : Number((recovery / 1_000).toFixed(1)),
    said,
    wrong: [...(failure === undefined ? [] : [failure]), ...findings.map(textOf)],
    seconds,
  }
}

/** The table for people. */
export function linesOf({ rows, audit, findings, ...figures }: YearReport): readonly string[] {
  const width = Math.max(...rows.map(({ part }) => part.length), 4)
  return [
    line(width, 'part', ['jobs', 'done', 'refused', 'recovery', 'seconds'], 'what happened, and what servers said'),
    ...rows.map((row) =>
      line(
        width,
        row.part,
        [
          String(row.jobs),
          String(row.completed),
          String(row.refusals),
          row.recovery_seconds === null ? '–' : `${String(row.recovery_seconds)} s`,
          String(row.seconds),
        ],
        [row.what, ...row.said].join('; '),
      ),
    ),
    ...rows.flatMap(({ part, wrong }) => wrong.map((text) => `  ${part}: ${text}`)),
    ...audit.map((text) => `  audit: ${text}`),
    ...findings.map((text) => `  in the end: ${text}`),
    `  ${JSON.stringify(figures)}`,
  ]
}

function line(width: number, part: string, figures: readonly string[], text: string): string {
  return `  ${part.padEnd(width)} ${figures.map((figure) => figure.padStart(8)).join(' ')}  ${text}`.trimEnd()
}
