import type { Point } from './aim.ts'
import type { Played } from './jobs/job.ts'
import type { Finding } from './proof/verdict.ts'
import type { Openings } from './stage/watch-settlements.ts'

/** One fault as it happened, in milliseconds of this process. */
export type Fault = { readonly name: string; readonly from: number; to: number }

export type StormReport = {
  readonly ok: boolean
  readonly seed: number
  readonly jobs: number
  readonly completed: number
  readonly faults: number
  readonly kills: number
  readonly lost: number
  readonly doubled: number
  readonly unbooked: number
  readonly in_doubt: number
  readonly events: number
  /** Servers that ended though nobody killed them. */
  readonly deaths: number
  readonly recovery_seconds: { readonly median: number; readonly p99: number; readonly max: number }
  readonly points: { readonly seen: number; readonly answer_lost: number; readonly never: readonly string[] }
  readonly findings: readonly string[]
  /** What clients were refused, by code, and how often. */
  readonly refusals: Readonly<Record<string, number>>
  readonly seconds: number
}

export type Happened = {
  readonly seed: number
  readonly played: readonly Played[]
  readonly faults: readonly Fault[]
  readonly kills: number
  readonly deaths: number
  readonly findings: readonly Finding[]
  readonly points: ReadonlyMap<string, Point>
  readonly openings: Openings
  readonly seconds: number
}

export function reportOf(happened: Happened): StormReport {
  const { seed, played, faults, kills, deaths, findings, points, openings, seconds } = happened
  const of = (kind: Finding['kind']): number => findings.filter((one) => one.kind === kind).length
  const hit = [...points].filter(([, { met }]) => met.has('lose'))
  const completed = played.filter(({ isDone }) => isDone).length
  return {
    ok: findings.length === 0 && completed === played.length && played.length > 0 && deaths === 0,
    seed,
    jobs: played.length,
    completed,
    faults: faults.length,
    kills,
    lost: of('lost'),
    doubled: of('doubled'),
    unbooked: of('unbooked'),
    in_doubt: of('in doubt'),
    events: of('events'),
    deaths,
    recovery_seconds: spread(faults.map((fault) => recoveryOf(fault, openings)).filter((ms) => ms !== undefined)),
    points: {
      seen: points.size,
      answer_lost: hit.length,
      never: [...points]
        .filter(([, { met }]) => !met.has('lose'))
        .map(([name, { seen }]) => `${name} (${String(seen)})`)
        .sort(),
    },
    findings: findings.map(({ kind, text }) => `${kind}: ${text}`),
    refusals: Object.fromEntries([...sumOf(played)].toSorted(([, a], [, b]) => b - a)),
    seconds,
  }
}

/**
 * How long after a fault began the last settlement that was open during it had ended. Faults overlap, so this is more
 * than any one of them costs alone. Undefined where none was open.
 */
export function recoveryOf({ from, to }: Fault, openings: Openings): number | undefined {
  const touched = [...openings.values()].filter((one) => one.from <= to && (one.to ?? Infinity) >= from)
  return touched.length === 0 ? undefined : Math.max(...touched.map((one) => (one.to ?? performance.now()) - from))
}

export function spread(ms: readonly number[]): StormReport['recovery_seconds'] {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    Number(((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 1_000).toFixed(2))
  return { median: at(0.5), p99: at(0.99), max: at(1) }
}

function sumOf(played: readonly Played[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { codes } of played) for (const [code, times] of codes) sums.set(code, (sums.get(code) ?? 0) + times)
  return sums
}
