import type { Host, Life } from '../world/host.ts'
import type { Random } from '../world/random.ts'
import type { Universe } from '../world/universe.ts'

/**
 * The lock of the facilitators' account, as their database holds it (apps/facilitator/src/store/account-lease.ts): it
 * lives as long as its holder's connection, which may end although the process lives. Whoever takes it raises the
 * epoch.
 */
export type AccountLock = {
  /** Resolves with the epoch when this process holds the account. */
  take(life: Life): Promise<number>
  /** The connection of whoever holds it ends; another may be faster now. */
  cut(): void
}

export type AccountLockDeps = {
  readonly universe: Universe
  readonly random: Random
  readonly raise: () => number
  readonly crash: (host: Host, random: Random) => void
}

type Holder = { readonly life: Life; readonly epoch: number }

export function createAccountLock({ universe, random, raise, crash }: AccountLockDeps): AccountLock {
  let holder: Holder | undefined
  let newest = 0
  const waiting = new Set<() => void>()
  const isFree = (): boolean => holder === undefined || !holder.life.alive
  const askAgain = (life: Life, ask: () => void): void => {
    life.after(random.between(20, 400), ask, `${life.name} asks for the account`)
  }

  /** A connection that ended is made anew; a successor's epoch ends this process. */
  const regain = (before: Holder): void => {
    askAgain(before.life, () => {
      if (before.epoch !== newest) {
        universe.note(`   ${before.life.name} has lost the account`)
        crash(before.life.host, random)
      } else if (isFree()) holder = before
      else regain(before)
    })
  }
  return {
    take: (life) =>
      new Promise((resolve) => {
        const ask = (): void => {
          if (!isFree()) {
            // A free lock is seen within a moment, however it became free.
            const wake = (): void => {
              if (waiting.delete(wake)) askAgain(life, ask)
            }
            waiting.add(wake)
            holder?.life.onDeath(wake)
            return
          }
          newest = raise()
          holder = { life, epoch: newest }
          resolve(newest)
        }
        askAgain(life, ask)
      }),
    cut() {
      const before = holder
      if (before === undefined || !before.life.alive) return
      universe.note(`   the line that holds the account for ${before.life.name} is cut`)
      holder = undefined
      for (const wake of [...waiting]) wake()
      regain(before)
    },
  }
}
