import type { ExecutorReputation } from '../tasks/task.ts'

export type ScoreFacts = { readonly onchain: number | null; readonly tasksCompleted: number }

/** What the database alone thinks of a worker: null until a task is completed, then 60 and up, 100 at most. */
export function heuristicScore(tasksCompleted: number): number | null {
  return tasksCompleted === 0 ? null : Math.min(100, 50 + 10 * tasksCompleted)
}

/** All scores of a worker; null means unrated, never 0 (spec §2). */
export function executorReputation(facts: ScoreFacts): ExecutorReputation {
  const heuristic = heuristicScore(facts.tasksCompleted)
  return {
    onchain: facts.onchain,
    heuristic,
    effective: facts.onchain ?? heuristic,
    avgRating: facts.onchain === null ? null : Math.round(facts.onchain * 5) / 100,
    tasksCompleted: facts.tasksCompleted,
  }
}

/** The floor a worker without any score still clears, so that newcomers find work. */
export const coldStartFloor = 50

/** Every min_reputation gate compares against the effective score (spec §2). */
export function meetsReputation(minimum: number, effective: number | null): boolean {
  return effective === null ? minimum <= coldStartFloor : effective >= minimum
}
