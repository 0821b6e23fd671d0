import { AsyncLocalStorage } from 'node:async_hooks'
import type { MarketDeps, Store } from '@ergon/core'

/** Rule of money 2: no database transaction is open across a network call. */
export type Apart = {
  readonly store: Store
  /** The same port, whose calls fail while a transaction is open where they come from; `pure` ones ask no network. */
  watch<T extends object>(port: T, pure?: readonly (keyof T)[]): T
  /** What was asked all the same, for a flow may catch the failure. */
  readonly asked: readonly string[]
}

export function createApart(store: Store): Apart {
  const open = new AsyncLocalStorage<true>()
  const asked: string[] = []
  const watch = <T extends object>(port: T, pure: readonly PropertyKey[] = [], name = ''): T =>
    new Proxy(port, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target)
        const path = `${name}.${String(key)}`
        if (typeof value === 'object' && value !== null) return watch(value, pure, path)
        if (typeof value !== 'function' || pure.includes(key)) return value
        return (...given: unknown[]): unknown => {
          if (open.getStore() === undefined) return Reflect.apply(value, target, given)
          asked.push(path)
          throw new Error(`${path} is called while a transaction is open`)
        }
      },
    })
  const transaction: MarketDeps['store']['transaction'] = (work) => open.run(true, () => store.transaction(work))
  return { store: { ...store, transaction }, watch, asked }
}
