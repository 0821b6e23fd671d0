import type { Random } from './random.ts'
import type { Trace } from './trace.ts'

export type FaultRecord = {
  readonly index: number
  readonly atMs: number
  readonly place: string
  readonly kind: string
}

/** Which faults of a seed are let happen: all, the first few, or all but some. */
export type FaultFilter = { readonly first?: number; readonly without?: ReadonlySet<number> }

/** One fault that was drawn, with numbers of its own: leaving another one out does not change them. */
export type Fault<K extends string> = { readonly kind: K; readonly random: Random }

export type Menu<K extends string> = { readonly share: number; readonly kinds: readonly [K, ...K[]] }

/** Decides what goes wrong, where and when; everything it lets happen is on its list. */
export type Faults = {
  /** Draws whether something goes wrong here. */
  at<K extends string>(place: string, menu: Menu<K>): Fault<K> | undefined
  /** One that is aimed here, whatever the shares are. */
  aimed<K extends string>(place: string, kind: K): Fault<K> | undefined
  /** From now on nothing goes wrong any more. */
  stop(): void
  readonly list: readonly FaultRecord[]
}

export function createFaults(options: {
  readonly random: Random
  readonly now: () => number
  readonly trace: Trace
  readonly filter: FaultFilter
  readonly level: number
}): Faults {
  const { random, now, trace, filter, level } = options
  const list: FaultRecord[] = []
  let drawn = 0
  let stopped = false
  const happen = <K extends string>(place: string, choose: (own: Random) => K): Fault<K> | undefined => {
    const index = drawn
    drawn += 1
    const own = random.fork(`fault ${String(index)}`)
    const kind = choose(own)
    if (index >= (filter.first ?? Infinity) || filter.without?.has(index) === true) return undefined
    list.push({ index, atMs: now(), place, kind })
    trace.line(now(), `!! fault ${String(index)}: ${kind} at ${place}`)
    return { kind, random: own }
  }
  return {
    list,
    stop() {
      stopped = true
    },
    at(place, menu) {
      if (stopped || menu.share === 0) return undefined
      if (random.next() >= menu.share * level) return undefined
      return happen(place, (own) => own.pick(menu.kinds))
    },
    aimed: (place, kind) => (stopped ? undefined : happen(place, () => kind)),
  }
}
