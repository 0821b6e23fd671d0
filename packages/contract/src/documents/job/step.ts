import type { OperationName } from '../../operations/index.ts'

/** A condition on a value: at a JSON Pointer of the answer, or kept under a name. */
type Among = { readonly at: string; readonly oneOf: readonly string[] }

/**
 * One request of a job and what to do with its answer. Texts such as `{task_id}` name values that the caller has
 * or kept; `docs/decisions/0153` says how the notation is read.
 */
export type Step = {
  readonly name: string
  /** Why it is sent, in one or two sentences. */
  readonly what: string
  readonly request: OperationRequest | FileRequest
  readonly unsigned?: true
  /** Sent only where a kept value is one of these; `at` is its name. */
  readonly onlyIf?: Among
  /** Sent again until the value is one of these; with none, until there is a value. */
  readonly until?: Among
  /** Given up where the value is one of these. */
  readonly unless?: Among
  /** What must be so before anything is signed: the value at each pointer equals the value that the text names. */
  readonly checks?: Readonly<Record<string, string>>
  /** Names for values of the answer, by their pointer. */
  readonly keep?: Readonly<Record<string, string>>
  /** Names for signatures over typed data of the answer, by its pointer. */
  readonly sign?: Readonly<Record<string, string>>
  readonly build?: readonly Build[]
  /** What the example of the answer shows in place of the schema's first word. */
  readonly shows?: Readonly<Record<string, unknown>>
  /** Printed behind the fields. */
  readonly more?: readonly string[]
}

/** An operation of the contract, with what is given to it. */
export type OperationRequest = {
  readonly operation: OperationName
  readonly give?: Readonly<Record<string, unknown>>
}

/** A file sent to a link of an earlier answer. */
export type FileRequest = {
  readonly put: string
  readonly headers: Readonly<Record<string, string>>
  readonly file: string
  readonly success: number
}

/** A part of the answer with some places filled. */
export type Build = {
  readonly name: string
  readonly from: string
  readonly set: Readonly<Record<string, string>>
  /** The field that takes it is a text that holds JSON. */
  readonly asText?: true
}

/** How a job goes: the steps of each side, in order. */
export type Route = {
  readonly name: string
  readonly what: string
  readonly publisher: readonly string[]
  readonly executor: readonly string[]
}
