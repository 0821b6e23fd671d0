import type { AttackClass, Score } from './attack-class.ts'
import { startMeter, type Cost } from './costs.ts'
import type { Target } from './target.ts'

export type ClassReport = {
  readonly name: string
  readonly held: string
  readonly tried: number
  readonly stopped: number
  readonly through: readonly string[]
  readonly cost: Cost
  /** Of a minute of it. */
  readonly minute: Cost
}
export type AttackReport = {
  readonly classes: readonly ClassReport[]
  /** Left out, and why. */
  readonly notTried: readonly string[]
  readonly seconds: number
}

export type AttackRun = {
  readonly target: Target
  readonly classes: readonly AttackClass[]
  /** Whether the instance is the program's own. */
  readonly isOwn: boolean
  readonly narrate?: (line: string) => void
  /** When the whole run has to be over, in milliseconds of this process; what is left then counts as got through. */
  readonly until?: number
}

/** How long one class may take before it counts as one that got through. */
const classMs = 60_000
const mostMs = 150_000

/** Tries the classes one after the other, so that what each costs is its own. */
export async function runAttack({
  target,
  classes,
  isOwn,
  narrate = () => undefined,
  until = performance.now() + mostMs,
}: AttackRun): Promise<AttackReport> {
  const begun = performance.now()
  const reports: ClassReport[] = []
  for (const one of classes) {
    if (!isOwn && one.on === 'own') continue
    const meter = await startMeter(target)
    const score = await scoreOf(one, target, Math.min(classMs, until - performance.now()))
    const cost = await meter.read()
    reports.push({ name: one.name, held: one.held, ...score, cost, minute: minuteOf(one, cost) })
    narrate(`${one.name}: ${String(score.stopped)} of ${String(score.tried)} stopped, ${cost.seconds.toFixed(1)} s`)
  }
  const notTried = isOwn ? [] : classes.filter(({ on }) => on === 'own').map(({ name }) => name)
  return { classes: reports, notTried, seconds: Math.round((performance.now() - begun) / 1_000) }
}

/** What ends at a budget costs in a minute what it cost; what goes on costs so much CPU as the minute is longer. */
function minuteOf({ goesOn }: AttackClass, cost: Cost): Cost {
  const times = goesOn === true ? Math.max(1, 60 / Math.max(cost.seconds, 0.1)) : 1
  return { ...cost, cpuMs: cost.cpuMs * times, seconds: 60 }
}

/** A class that dies, does not end or tries nothing has shown nothing: it counts as one that got through. */
async function scoreOf({ attack }: AttackClass, target: Target, forMs: number): Promise<Score> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => {
      timeout.reject(new Error('it did not end in time'))
    },
    Math.max(1, forMs),
  )
  try {
    const score = await Promise.race([attack(target), timeout.promise])
    return score.tried > 0 ? score : { tried: 1, stopped: 0, through: ['nothing was tried'] }
  } catch (error) {
    return { tried: 1, stopped: 0, through: [error instanceof Error ? error.message : String(error)] }
  } finally {
    clearTimeout(timer)
  }
}

export function isHeld({ classes }: AttackReport): boolean {
  return classes.length > 0 && classes.every(({ tried, stopped }) => tried > 0 && stopped === tried)
}

/** The last line of `--json`. */
export function jsonOf({ classes }: AttackReport): object {
  const sum = (of: 'tried' | 'stopped'): number => classes.reduce((total, one) => total + one[of], 0)
  return {
    tried: sum('tried'),
    stopped: sum('stopped'),
    classes: classes.map(({ name, tried, stopped }) => ({ name, tried, stopped })),
  }
}
