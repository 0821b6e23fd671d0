/**
 * Every write and every call of the three processes, and what a lost answer of each means (decision 0220). A test holds
 * the names against the code: one that has no row, or a row whose name is gone, is red.
 */
export type LostAnswer = {
  readonly what: string
  /** `process:table` of a write, `Interface.method` of a port, or the file from which something leaves. */
  readonly names: readonly string[]
  /** What is so when the answer does not come. */
  readonly means: string
  /** Who finds out, and by what. */
  readonly ends: string
  /** What loses the answer, or stops the process there; none where nobody aims at it yet. */
  readonly tests: readonly string[]
}

export const market = 'apps/server/test/market'
export const keyed = `${market}/keyed-stops.long.test.ts`
/** The whole path under a seed; the build runs ten thousand of them. */
export const simulated = 'simulation/src/main.ts'
export const stops = `${market}/simulation.long.test.ts`
export const storm = 'packages/dev-env/src/storm/exactly-once.long.test.ts'
export const commits = 'apps/server/test/lines/lost-commit.long.test.ts'
export const decided = 'apps/server/test/lines/lost-decisions.long.test.ts'
/** One by one, beside all money. */
export const lostRows = 'apps/server/test/lines/lost-rows.test.ts'
export const channelStops = `${market}/channel-stops.long.test.ts`
export const lostOfFacilitator = 'apps/facilitator/test/lost-answers.long.test.ts'
/** What it counts beside payments. */
export const lostCounts = 'apps/facilitator/test/lost-counts.test.ts'
export const solanaCrash = 'apps/facilitator/test/solana-crash.long.test.ts'
export const gatewayCrash = 'apps/gateway/test/crash.long.test.ts'

export const of = (process: string, tables: string): readonly string[] =>
  tables.split(' ').map((table) => `${process}:${table}`)
export const port = (name: string, methods: string): readonly string[] =>
  methods.split(' ').map((method) => `${name}.${method}`)
