import { pass, pointOf, type Decide, type Fate, type FateKind, type Lost, type Passing } from './lines/passing.ts'
import { oneOf, wholeBetween, type Random } from './random.ts'

/** Every fate that can befall what passes a line, but that it passes. */
export const fateKinds = [
  'cut',
  'lose',
  'failover',
  'hold',
  'slow',
  'repeat',
  'refuse',
] as const satisfies readonly FateKind[]
export type BadFate = (typeof fateKinds)[number]

/** A fault that a test or the option `--faults` asks for by name: the next passings whose point holds these words. */
export type Order = {
  readonly at: string
  readonly fate: Fate
  times: number
  /** Nothing is struck before a point with these words has passed. */
  after?: string
}

/** What is known of one point: how often it passed, and what befell it. */
export type Point = { seen: number; readonly met: Map<BadFate, number> }

export type Struck = (fault: { readonly kind: BadFate; readonly point: string; readonly lastsMs: number }) => void

export type Aim = {
  readonly decide: Decide
  readonly lost: Lost
  /** Lets everything pass, or goes on; orders are carried out all the same. */
  calm(isCalm: boolean): void
  order(order: Order): void
  /** Every point with an effect that has passed, by name. */
  readonly points: ReadonlyMap<string, Point>
}

export type AimOptions = {
  readonly random: Random
  readonly kinds: ReadonlySet<BadFate>
  /** Words of which a point has to hold one; none means every point. */
  readonly only: readonly string[]
  /** The shortest time between two faults, so that each can be told from the next. */
  readonly gapMs: number
  readonly struck: Struck
}

/**
 * Chooses what goes wrong. The list of points is what passes: a statement or a call that is new is on it without
 * anybody writing it down. First every point loses its answer once, then chance decides.
 */
export function createAim(options: AimOptions): Aim {
  const { random, kinds, only, gapMs, struck } = options
  const points = new Map<string, Point>()
  const orders: Order[] = []
  let isCalm = true
  let nextAt = 0

  const known = (name: string): Point => {
    let point = points.get(name)
    if (point === undefined) points.set(name, (point = { seen: 0, met: new Map() }))
    return point
  }
  const choose = (passing: Passing, point: Point): Fate => {
    if (kinds.has('lose') && !point.met.has('lose')) return { kind: 'lose', ms: oneOf(random, [0, 0, 0, 1_500]) }
    if (kinds.has('failover') && passing.line === 'db' && !point.met.has('failover') && !isPoll(point))
      return fateOf(random, 'failover')
    // Past the first time a point is struck now and then, so that the work goes on; a poll that passes all day seldom.
    if (random() > 4 / (20 + point.seen)) return pass
    return fateOf(
      random,
      oneOf(
        random,
        [...kinds].filter((kind) => fits(kind, passing)),
      ),
    )
  }

  return {
    points,
    calm(next) {
      isCalm = next
    },
    order(order) {
      orders.push(order)
    },
    lost(passing, kind) {
      const { met } = known(pointOf(passing))
      for (const one of new Set<BadFate>(['lose', kind])) met.set(one, (met.get(one) ?? 0) + 1)
    },
    decide(passing) {
      const name = pointOf(passing)
      const ordered = orders.find((one) => one.times > 0 && one.after === undefined && name.includes(one.at))
      for (const one of orders) if (one.after !== undefined && name.includes(one.after)) delete one.after
      // What passes before the storm or after it cannot be struck, and so is not missed.
      const point = ordered !== undefined || (passing.hasEffect && !isCalm) ? known(name) : undefined
      if (point !== undefined) point.seen += 1
      if (ordered !== undefined) {
        ordered.times -= 1
        return strike(ordered.fate, name, point)
      }
      const now = performance.now()
      if (
        point === undefined ||
        kinds.size === 0 ||
        now < nextAt ||
        (only.length > 0 && !only.some((words) => name.includes(words)))
      )
        return pass
      const fate = choose(passing, point)
      if (fate.kind !== 'pass') nextAt = now + gapMs
      return strike(fate, name, point)
    },
  }

  function strike(fate: Fate, name: string, point: Point | undefined): Fate {
    if (fate.kind === 'pass') return fate
    // That an answer was lost is counted when it is: an error was no effect.
    if (fate.kind !== 'lose' && fate.kind !== 'failover') point?.met.set(fate.kind, (point.met.get(fate.kind) ?? 0) + 1)
    struck({ kind: fate.kind, point: name, lastsMs: 'ms' in fate ? (fate.ms ?? 0) : 0 })
    return fate
  }
}

/** A statement that passes all day has nothing to do with any job. */
const isPoll = ({ seen }: Point): boolean => seen > 60

function fits(kind: BadFate, { line, name }: Passing): boolean {
  if (kind === 'failover') return line === 'db'
  if (kind === 'refuse') return line === 'rpc'
  if (kind === 'repeat') return line !== 'db' && !name.includes('evm_mine')
  return true
}

function fateOf(random: Random, kind: BadFate | undefined): Fate {
  switch (kind) {
    case 'lose':
      return { kind, ms: oneOf(random, [0, 0, 3_000]) }
    case 'hold':
      // Longer than the caller of a settlement waits.
      return { kind, ms: oneOf(random, [500, 2_000, wholeBetween(random, 9_000, 13_000)]) }
    case 'failover':
      return { kind, graceMs: oneOf(random, [0, 30, 100, 300]), ms: wholeBetween(random, 200, 2_000) }
    case 'slow':
      return { kind, ms: wholeBetween(random, 200, 4_000) }
    case 'cut':
    case 'repeat':
    case 'refuse':
      return { kind }
    case undefined:
      return pass
  }
}
