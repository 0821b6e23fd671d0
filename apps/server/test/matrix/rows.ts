import type { OperationName } from '@ergon/contract'
import { channelRows } from './rows-channels.ts'
import { grantRows } from './rows-grants.ts'
import { hookRows } from './rows-hooks.ts'
import { houseRows } from './rows-house.ts'
import { peopleRows } from './rows-people.ts'
import { workRows } from './rows-work.ts'
import type { Role, Verdicts } from './roles.ts'
import type { Stage, Thing, World } from './world.ts'

/** What every operation is asked with, and what is right for whom. */
export type Row = Verdicts & {
  /** The stage of the task it is asked about; a fresh one for whoever may change it. */
  readonly on?: Stage
  /** Fields beyond the ids of the thing. */
  readonly fields?: (
    world: World,
    thing: Thing,
    role: Role,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>
  /** It ends the caller's own past, so callers without one ask it. */
  readonly fresh?: true
}
export type Rows = Readonly<Record<OperationName, Row>>

/** One row for every operation: a forgotten one does not compile. */
export const rows: Rows = { ...workRows, ...peopleRows, ...houseRows, ...hookRows, ...grantRows, ...channelRows }
