import type { Hex } from '@ergon/protocols'

/** The seconds that an operator let pass for payments on the local chain; kept by this process alone. */
export type Elapsed = { add(paymentHash: Hex, seconds: number): number; of(paymentHash: Hex): number }

/** Payments whose clock is kept: the oldest is forgotten first. */
const kept = 1_000

export function createElapsed(): Elapsed {
  const clocks = new Map<Hex, number>()
  return {
    add(paymentHash, seconds) {
      const ahead = (clocks.get(paymentHash) ?? 0) + seconds
      clocks.delete(paymentHash)
      clocks.set(paymentHash, ahead)
      const [oldest] = clocks.keys()
      if (clocks.size > kept && oldest !== undefined) clocks.delete(oldest)
      return ahead
    },
    of: (paymentHash) => clocks.get(paymentHash) ?? 0,
  }
}
