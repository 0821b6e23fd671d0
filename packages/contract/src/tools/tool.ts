import type { TSchema } from 'typebox'
import type { OperationName } from '../operations/index.ts'

/**
 * What a client may assume of a call: it reads; it reads and leaves a mark, once or each time; it writes, or it writes
 * and a repeat changes nothing more.
 */
export type ToolEffect = 'reads' | 'marks once' | 'marks' | 'writes' | 'writes once'

/**
 * One tool of the tool protocol (spec §4): an operation under a name that models know, with the operation's own fields,
 * checks and errors. Headers of REST are arguments here.
 */
export type Tool = {
  readonly operation: OperationName
  readonly title: string
  /** For a model that has to choose; the arguments say the rest. */
  readonly says: string
  readonly effect: ToolEffect
  /** Arguments that go by another name than the field: argument → field. */
  readonly named?: Readonly<Record<string, string>>
  /** Arguments whose values are narrower than the field's. */
  readonly narrowed?: Readonly<Record<string, TSchema>>
  /** Arguments that are shown by a shorter schema than the one that checks them. */
  readonly shown?: Readonly<Record<string, TSchema>>
  /** Accepted and not advertised: rarely of use to a model. */
  readonly quiet?: readonly string[]
  /** Fields that the tool always sends with a value of its own, unless they are given. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Headers of the request that fill a field (spec §4 tool protocol, decision 0063). */
  readonly headers?: Readonly<Record<string, string>>
}
