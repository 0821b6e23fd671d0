/**
 * How far a town reaches in kilometres, told from its place among all by the number of its inhabitants: the natural
 * logarithm of that place, and the radius there.
 */
export const townReach = [
  [0, 24],
  [4.6, 14],
  [6.9, 6],
  [9.2, 2.2],
  [10.4, 1.2],
] as const

/** The radius of the town at a place among all, the largest being 0. */
export function reachOf(rank: number): number {
  const at = Math.log(1 + rank)
  const next = townReach.findIndex(([to]) => to >= at)
  const [to, right] = townReach[next] ?? townReach[4]
  const [from, left] = townReach[next - 1] ?? townReach[0]
  return to <= from || at >= to ? right : left + ((right - left) * (at - from)) / (to - from)
}
