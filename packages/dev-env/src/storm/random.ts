/** Numbers from 0 to below 1; the same seed gives the same ones (mulberry32). */
export type Random = () => number

export function seededRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number from `from` to `to`, both included. */
export function wholeBetween(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1))
}

/** One of several. @throws when there is none */
export function oneOf<T>(random: Random, several: readonly T[]): T {
  const one = several[Math.floor(random() * several.length)]
  if (one === undefined) throw new Error('there is nothing to choose from')
  return one
}
