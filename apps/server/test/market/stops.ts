import type { Store, Tx } from '@ergon/core'
import type { Pool } from 'pg'

/** A process that stops for good at its n-th await: before an effect, after it, and at both ends of a transaction. */
export type Stopper = {
  /** Wraps a port so that every call may be the last. */
  wrap<T extends object>(port: T): T
  wrapStore(store: Store): Store
  /** Every statement may be the last. */
  wrapPool(pool: Pool): Pool
  /** Resolves when the process has stopped. */
  readonly stopped: Promise<void>
  /** How many awaits it came by. */
  readonly passed: number
}

export function createStopper(stopAt: number): Stopper {
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>()
  let passed = 0

  /** Past the stop nothing goes on: whoever waits here waits for good. */
  const point = async (): Promise<void> => {
    passed += 1
    if (passed < stopAt) return
    resolve(undefined)
    await new Promise(() => undefined)
  }

  const wrapCalls = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name, receiver): unknown {
        const member: unknown = Reflect.get(target, name, receiver)
        if (typeof member !== 'function') return member
        return (...args: unknown[]): unknown => {
          const call = (): unknown => Reflect.apply(member, target, args)
          return synchronous.has(String(name)) ? call() : guarded(call)
        }
      },
    })

  const guarded = async (call: () => unknown): Promise<unknown> => {
    await point()
    const result = await call()
    await point()
    return result
  }

  return {
    wrap: wrapCalls,
    wrapStore(store) {
      const wrapped = wrapCalls(store)
      return new Proxy(wrapped, {
        get(target, name, receiver): unknown {
          if (name !== 'transaction') return Reflect.get(target, name, receiver)
          return async (work: (tx: Tx) => Promise<unknown>): Promise<unknown> => {
            await point()
            const result = await store.transaction(async (tx) => {
              const answer = await work(wrapCalls(tx))
              await point()
              return answer
            })
            await point()
            return result
          }
        },
      })
    },
    wrapPool(pool) {
      return new Proxy(wrapCalls(pool), {
        get(target, name, receiver): unknown {
          if (name !== 'connect') return Reflect.get(target, name, receiver)
          return async () => wrapCalls(await pool.connect())
        },
      })
    },
    stopped,
    get passed() {
      return passed
    },
  }
}

/** Methods of the ports that answer at once; every other one is awaited. */
const synchronous = new Set([
  'escrowChallenge',
  'receiverOf',
  'releaseChallenge',
  'directChallenge',
  'reclaimCall',
  'releaseApproval',
  'document',
  'freshNonce',
  'offerDocument',
  'rulingDocument',
  'now',
  'next',
  'sign',
  'isSigned',
  'ownerOf',
  'settlements',
  'release',
])
