import type { Target } from './target.ts'

/** What a class of attacks came to: `through` names what was not stopped. */
export type Score = { readonly tried: number; readonly stopped: number; readonly through: readonly string[] }

/** One class of attacks on a running service. */
export type AttackClass = {
  readonly name: string
  /** The settings and rules that hold it, for the table. */
  readonly held: string
  /**
   * `own` needs the instance that the program starts, with its settings; `any` may be tried on every local instance.
   * A class ends within a minute, or it counts as one that got through.
   */
  readonly on: 'any' | 'own'
  /**
   * Whether no budget ends it: whoever goes on for a minute costs so much more CPU. Others end at a budget, and cost in
   * a minute what they cost here.
   */
  readonly goesOn?: true
  readonly attack: (target: Target) => Promise<Score>
}

/** Counts tries; one is stopped only when the answer and the state afterwards show it. */
export type Tally = {
  attempt(what: string, isStopped: boolean): void
  /** So many tries at once, of which all but `through` were stopped. */
  many(what: string, tried: number, through: number): void
  score(): Score
}

const mostNamed = 8

export function createTally(): Tally {
  let tried = 0
  let stopped = 0
  const through: string[] = []
  const name = (what: string): void => {
    if (through.length < mostNamed) through.push(what)
  }
  return {
    attempt(what, isStopped) {
      tried += 1
      if (isStopped) stopped += 1
      else name(what)
    },
    many(what, count, passed) {
      const lost = Math.min(count, Math.max(0, passed))
      tried += count
      stopped += count - lost
      if (lost > 0) name(`${String(lost)} of ${String(count)}: ${what}`)
    },
    score: () => ({ tried, stopped, through }),
  }
}
