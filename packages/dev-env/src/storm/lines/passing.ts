/** One thing that passes a line which the storm owns: a statement, a request, a call of the node. */
export type Passing = {
  readonly line: 'db' | 'http' | 'rpc' | 'api'
  /** The process that asks: `server-a`, `facilitator-b`. */
  readonly from: string
  /** What is asked, named so that the same thing has the same name in every run. */
  readonly name: string
  /** Whether something is different afterwards: a commit, a statement that commits by itself, a request that orders. */
  readonly hasEffect: boolean
}

/** What becomes of it. */
export type Fate =
  | { readonly kind: 'pass' }
  /** Lost on its way: the other side never sees it. */
  | { readonly kind: 'cut' }
  /** Carried out, and its answer is lost; the line breaks at once, or after it was silent for `ms`. */
  | { readonly kind: 'lose'; readonly ms?: number }
  /**
   * The same of a database that fails over: after `graceMs` every other connection of the process breaks too, and none
   * is made for `ms`.
   */
  | { readonly kind: 'failover'; readonly graceMs: number; readonly ms: number }
  /** Under way for `ms`, then delivered, whether or not anybody waits for the answer. */
  | { readonly kind: 'hold'; readonly ms: number }
  /** Carried out at once, answered after `ms`. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Delivered twice; the first answer counts. A database line has no such fate. */
  | { readonly kind: 'repeat' }
  /** Turned away by the other side before it was looked at: a node that takes no large batches. */
  | { readonly kind: 'refuse' }

export type FateKind = Fate['kind']

/** Decides at the moment of passing. */
export type Decide = (passing: Passing) => Fate

/** Told when an answer was lost whose question had been carried out without an error. */
export type Lost = (passing: Passing, kind: 'lose' | 'failover') => void

export const pass: Fate = { kind: 'pass' }

/** The role of a process: `server-a` is a `server`. */
export function roleOf(process: string): string {
  return process.replace(/-[a-z]$/, '')
}

/** How a report and the option `--faults` call it: `db:facilitator:intents-insert`. */
export function pointOf({ line, from, name }: Passing): string {
  return `${line}:${roleOf(from)}:${name}`
}
