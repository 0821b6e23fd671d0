import type { Store, Tx } from '@ergon/core'

type Lock = Extract<keyof Tx, `lock${string}`>
/** What a lock is of: nothing that a task has, a task, or a row that belongs to a task. */
const kinds = {
  lockRunChanges: 'other',
  lockLiveStreams: 'other',
  lockActiveListings: 'other',
  lockListing: 'other',
  lockAccount: 'task',
  lockTask: 'task',
  lockSubmission: 'part',
  lockDispute: 'part',
  lockDisputeOf: 'part',
  lockRulingOf: 'part',
  lockOffer: 'part',
  lockOffers: 'part',
  lockSettlement: 'part',
  lockChannel: 'part',
  lockRating: 'part',
} as const satisfies Record<Lock, 'other' | 'task' | 'part'>
type Taken = { readonly kind: (typeof kinds)[Lock]; readonly name: string }

/**
 * The same store; `broken` has each lock that two transactions could wait for in a circle: what belongs to a task is
 * locked under the lock of its task, or alone, and nothing else is waited for while a task is held (decision 0205).
 */
export function watchLocks(store: Store, broken: string[]): Store {
  const known: Partial<Record<PropertyKey, Taken['kind']>> = kinds
  const watch = (tx: Tx): Tx => {
    const taken: Taken[] = []
    return new Proxy(tx, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target)
        const kind = known[key]
        if (typeof value !== 'function' || kind === undefined) return value
        return (...given: unknown[]): unknown => {
          const name = `${String(key)}(${JSON.stringify(given)})`
          const fault = faultOf({ kind, name }, taken)
          if (fault !== undefined) broken.push(`${name} after ${fault}`)
          taken.push({ kind, name })
          return Reflect.apply(value, target, given)
        }
      },
    })
  }
  return { ...store, transaction: (work) => store.transaction((tx) => work(watch(tx))) }
}

/** The lock that should not have been taken before this one. */
function faultOf({ kind, name }: Taken, taken: readonly Taken[]): string | undefined {
  // What is locked already is locked again at once.
  if (taken.some((one) => one.name === name)) return undefined
  const isUnderTask = taken.some((one) => one.kind === 'task')
  if (kind === 'part') return isUnderTask ? undefined : taken.find((one) => one.kind === 'part')?.name
  return taken.find((one) => one.kind !== 'other')?.name
}
