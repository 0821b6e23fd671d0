import type { Faults } from '../world/faults.ts'
import type { Host, Life } from '../world/host.ts'
import type { Random } from '../world/random.ts'

const storeFaults = [
  'lost before',
  'lost after',
  'lost, and done later',
  'slow',
  'slow answer',
  'crash before',
  'crash after',
] as const

export type StoreLineDeps = {
  readonly life: Life
  readonly random: Random
  readonly faults: Faults
  readonly share: number
  readonly crash: (host: Host, random: Random) => void
  /** What the store's own adapter throws when its database does not answer. */
  readonly lost: () => Error
  /** Runs although the process that asked may be dead by then: the database does not know that. */
  readonly later: (ms: number, label: string, run: () => void) => void
}

type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/**
 * A store whose every method is one statement over a line to a database: it may be lost before it is done, done and its
 * answer lost, or done long after the caller was told that the line is gone.
 */
export function overLine<S extends object>(store: S, name: string, deps: StoreLineDeps): S {
  // Each method keeps its own type; the wrapper only says when it runs.
  const methods = store as unknown as Methods
  const wrapped = Object.entries(methods).map(([method, run]) => [
    method,
    (...args: never[]) => statement(`${deps.life.name} ${name}.${method}`, () => run(...args), deps),
  ])
  return Object.fromEntries(wrapped) as S
}

function statement(label: string, run: () => Promise<unknown>, deps: StoreLineDeps): Promise<unknown> {
  const { life, random, faults, share } = deps
  return new Promise((resolve, reject) => {
    const fault = faults.at(label, { share, kinds: storeFaults })
    const settle = (): void => {
      run().then(resolve, reject)
    }
    const done = (ms: number, then: () => void): void => {
      deps.later(ms, label, then)
    }
    const lose = (): void => {
      reject(deps.lost())
    }
    const soon = random.between(0.1, 1.5)
    switch (fault?.kind) {
      case 'lost before':
        life.after(soon, lose)
        return
      case 'lost after':
        done(soon, () => {
          run().then(lose, lose)
        })
        return
      case 'lost, and done later':
        life.after(soon, lose)
        done(fault.random.between(50, 20_000), () => {
          void run().catch(() => undefined)
        })
        return
      case 'slow':
        done(fault.random.between(100, 12_000), settle)
        return
      case 'slow answer':
        done(soon, () => {
          void run().then((value) => {
            life.after(fault.random.between(100, 12_000), () => {
              resolve(value)
            })
          }, reject)
        })
        return
      case 'crash before':
        deps.crash(life.host, fault.random)
        return
      case 'crash after':
        done(soon, () => {
          void run().catch(() => undefined)
        })
        deps.crash(life.host, fault.random)
        return
      default:
        done(soon, settle)
    }
  })
}
