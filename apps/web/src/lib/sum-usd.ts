/** In millionths, the smallest unit of every token here: sums of decimals must not drift. */
export function sumUsd(amounts: readonly number[]): number {
  return amounts.reduce((sum, usd) => sum + Math.round(usd * 1e6), 0) / 1e6
}
