import type { OperationName } from '@ergon/contract'
import type { Party } from '../http/live-market.ts'

export const transportNames = ['REST', 'tools', 'A2A'] as const
export type TransportName = (typeof transportNames)[number]

export type Fields = Readonly<Record<string, unknown>>

/** One call, whatever carries it; `as` is null for an unsigned one. */
export type Sent = {
  readonly as: Party | null
  readonly input: Fields
  /** Headers of the request, signed with it. */
  readonly headers?: Readonly<Record<string, string>>
  /** Seconds that the clock of the signature is off. */
  readonly clock?: number
  /** The very same signature twice; the second answer counts. */
  readonly twice?: true
  /** What this very call must answer, ids included. */
  readonly exactly?: Fields
}

/** How a call ended: the code of a refusal or null, and what was answered with it. */
export type Answer = { readonly code: string | null; readonly body: Fields }

/** One way to call an operation. */
export type Transport = {
  readonly name: TransportName
  offers(operation: OperationName): boolean
  call(operation: OperationName, sent: Sent): Promise<Answer>
}
