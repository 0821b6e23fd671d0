/** A score of 0 to 100 as stars of five. */
export const starsOf = (score: number): number => score / 20

type Count = { readonly stars: number; readonly count: number }

/** The mean of some scores, and how many of them are nearest to each number of stars; most stars first. */
export function spreadOf(scores: readonly number[]): { readonly mean: number; readonly counts: readonly Count[] } {
  const nearest = scores.map((score) => Math.min(5, Math.max(1, Math.round(starsOf(score)))))
  const sum = scores.reduce((total, score) => total + score, 0)
  return {
    mean: scores.length === 0 ? 0 : sum / scores.length,
    counts: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: nearest.filter((one) => one === stars).length })),
  }
}
