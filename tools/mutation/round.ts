/** What the stages of the tests keep their market in: PostgreSQL, or the store in memory that is held equal to it. */
export type Bed = 'memory' | 'postgres'

/** What one run of the tests is to do: find out which test meets which mutants, or try them. */
export type Round = {
  readonly does: 'look' | 'kill'
  /** A file of lines, added to while it runs: whatever ends a round, what it found is kept. */
  readonly journal: string
  /** Where it says which mutant it tries now, as the line that holds if it never comes back. */
  readonly trying: string
  /** When it has to end, in milliseconds since 1970. */
  readonly until: number
  /** The mutants each test tries, by the test's key. */
  readonly tests: Readonly<Record<string, readonly number[]>>
  /** The tests that try a mutant of something that runs once, when its module loads. */
  readonly statics: Readonly<Record<number, readonly string[]>>
}

/** A line of the journal. */
export type Line =
  | { readonly is: 'loaded'; readonly file: string; readonly saw: readonly number[] }
  | {
      readonly is: 'looked'
      readonly test: string
      readonly name: string
      readonly file: string
      readonly ms: number
      readonly isGreen: boolean
      readonly saw: readonly number[]
    }
  | { readonly is: 'ended'; readonly file: string }
  | { readonly is: 'passed'; readonly mutant: number; readonly test: string }
  | { readonly is: 'killed'; readonly mutant: number; readonly test: string }
