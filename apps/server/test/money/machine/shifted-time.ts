import { rpc } from '../../adapters/rig.ts'

/** The clock of this process and of its chain, put ahead together. */
export type ShiftedTime = Disposable & {
  now(): number
  /** Moves both on; one of the chain's blocks marks it. */
  advance(seconds: number): Promise<void>
  /** Moves both on to this second, where it lies ahead. */
  reach(unixSec: number): Promise<void>
}

/**
 * Market, rail and facilitator of the machine run in one process and read its clock, so the clock is what has to move:
 * orders, leases and authorizations then run out for all of them at once. Timers keep their own time.
 */
export function shiftTime(rpcUrl: string): ShiftedTime {
  const real = globalThis.Date
  let aheadMs = 0
  const now = (): number => real.now() + aheadMs
  globalThis.Date = new Proxy(real, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(
        target,
        args.length === 0 ? [now()] : args,
        newTarget === globalThis.Date ? target : newTarget,
      ) as object,
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)) as unknown,
  })
  const time = {
    now: () => Math.floor(now() / 1_000),
    async advance(seconds: number) {
      await rpc(rpcUrl, 'evm_increaseTime', [seconds])
      aheadMs += seconds * 1_000
      await rpc(rpcUrl, 'evm_mine', [])
    },
    async reach(unixSec: number) {
      if (unixSec > time.now()) await time.advance(unixSec - time.now())
    },
    [Symbol.dispose]: () => {
      globalThis.Date = real
    },
  }
  return time
}
