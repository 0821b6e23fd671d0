import type { Kept } from '../machine/close-platform.ts'
import type { FaultFilter, FaultRecord } from '../world/faults.ts'
import type { Universe, UniverseOptions } from '../world/universe.ts'

/** A universe with people in it. */
export type World = {
  readonly universe: Universe
  /** Everybody is through and everything has come to rest. */
  isOver(): boolean
  /** Asks what must hold after every step. */
  check(): void
}
export type OpenWorld = (options: UniverseOptions) => World

export type Run = {
  readonly seed: number
  readonly violation: string | null
  readonly faults: readonly FaultRecord[]
  readonly steps: number
  readonly lines: readonly string[]
}

/** More than any seed needs: what has not come to rest by then never will. */
const maxSteps = 60_000

// Whose step it is: what is thrown into nowhere meanwhile is its fault.
let current: Universe | null = null

process.on('unhandledRejection', (reason) => {
  if (current === null) throw reason
  current.violate(`a rejection that nobody handles: ${reason instanceof Error ? String(reason.stack) : String(reason)}`)
})

/**
 * Runs one seed to its end. `abreast`: in turns of the event loop, so that other seeds have their steps between its
 * own;
 * otherwise it has the thread to itself.
 */
export function drive(world: World, kept: Pick<Kept, 'nextTurn' | 'afterReady'>, abreast = false): Promise<Run> {
  const { universe } = world
  const { scheduler, violations } = universe
  return new Promise((resolve) => {
    const end = (): void => {
      // What nobody handled is told at the end of the turn, and is this seed's fault.
      kept.nextTurn(() => {
        current = null
        resolve(result())
      })
    }
    const result = (): Run => ({
      seed: universe.seed,
      violation: violations[0] ?? null,
      faults: universe.faults.list,
      steps: scheduler.steps,
      lines: universe.trace.lines,
    })
    const turn = (): void => {
      // Whatever the step before has set free has run: nothing but the scheduler can go on from here.
      current = universe
      if (violations.length === 0) world.check()
      if (violations.length > 0) {
        end()
        return
      }
      if (world.isOver()) {
        end()
        return
      }
      if (scheduler.steps > maxSteps) universe.violate(`not at rest after ${String(maxSteps)} steps`)
      else if (!scheduler.step()) universe.violate('nothing can happen any more, and not everybody is through')
      if (abreast) kept.nextTurn(turn)
      else kept.afterReady(turn)
    }
    kept.nextTurn(turn)
  })
}

export type Batch = {
  readonly seeds: number
  readonly failures: readonly Run[]
  readonly faults: number
  readonly steps: number
  readonly kinds: ReadonlyMap<string, number>
}

export type BatchOptions = {
  readonly abreast?: number
  readonly keepsTraces?: boolean
  readonly onRun?: (run: Run) => void
  readonly maxFailures?: number
}

/** Runs many seeds, one after another or some abreast. */
export async function runSeeds(
  seeds: Iterable<number>,
  open: OpenWorld,
  kept: Kept,
  options: BatchOptions = {},
): Promise<Batch> {
  const failures: Run[] = []
  const kinds = new Map<string, number>()
  let [count, faults, steps] = [0, 0, 0]
  const waiting = seeds[Symbol.iterator]()
  const abreast = options.abreast ?? 1
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const run = await drive(
        open({ seed: next.value, keepsTrace: options.keepsTraces ?? false, filter: {} }),
        kept,
        abreast > 1,
      )
      count += 1
      faults += run.faults.length
      steps += run.steps
      for (const { kind } of run.faults) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      if (run.violation !== null) failures.push(run)
      options.onRun?.(run)
      if (failures.length >= (options.maxFailures ?? 20)) return
    }
  }
  await Promise.all(Array.from({ length: abreast }, lane))
  return { seeds: count, failures: failures.toSorted((one, other) => one.seed - other.seed), faults, steps, kinds }
}

/** The same seed again, with only these of its faults. */
export function replay(
  seed: number,
  open: OpenWorld,
  kept: Kept,
  filter: FaultFilter,
  keepsTrace: boolean,
): Promise<Run> {
  return drive(open({ seed, keepsTrace, filter }), kept)
}
