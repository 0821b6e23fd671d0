import type { Operation, OperationName, Operations, OutputOf, InputOf } from '@ergon/contract'
import type { AdminCaller, Caller, WalletCaller } from '@ergon/core'
import type { RawRequest } from './request.ts'

/** Who may be calling: a wallet wherever the operation's access demands one, or the admin where it says so. */
export type CallerOf<O extends Operation> =
  | (O['access'] extends { readonly by: 'wallet'; readonly unsigned: 401 | 403 } | { readonly by: 'session' }
      ? WalletCaller
      : Caller)
  | (O['access'] extends { readonly by: 'wallet'; readonly admin: true } ? AdminCaller : never)

/** What a handler knows beside the fields of its operation. */
export type Call<C = Caller> = {
  readonly caller: C
  readonly request: RawRequest
  /** Exact source text of a decimal field (decision 0009), or undefined when it was not sent. */
  exact(field: string): string | undefined
}

/** What a handler answers; `status` only where it differs from the operation's success. */
export type Answer<T> = {
  readonly body: T
  readonly status?: 200 | 202
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The body shows a secret, which is not kept with the key of the call: a resend makes the answer again from these
   * ids.
   */
  readonly remade?: Readonly<Record<string, string>>
}
/** Bytes as they are, for operations marked `raw`. */
export type RawBytes = { readonly bytes: Uint8Array; readonly contentType: string }

/** Text that goes on for as long as the caller listens; ended with the connection. */
export type RawStream = { readonly stream: AsyncIterable<string>; readonly contentType: string }

export type AnswerOf<O extends Operation> = O extends { readonly raw: true }
  ? Answer<RawBytes | RawStream>
  : Answer<OutputOf<O>>
export type Handler<O extends Operation> = (
  call: Call<CallerOf<O>>,
  input: InputOf<O>,
) => Promise<AnswerOf<O>> | AnswerOf<O>

/** One handler for every operation: a forgotten one does not compile. */
export type Handlers = { readonly [N in OperationName]: Handler<Operations[N]> }

/** What the operations of one file have in common: the first part of their names. */
export type Prefix = OperationName extends `${infer P}.${string}` ? P : never

/** The handlers of one prefix, written in one file. */
export type HandlersOf<P extends Prefix> = Pick<Handlers, Extract<OperationName, `${P}.${string}`>>

/** A handler as dispatch calls it, when types have done their work. */
export type AnyHandler = (
  call: Call<Caller | AdminCaller>,
  input: Readonly<Record<string, unknown>>,
) => Promise<Answer<unknown>> | Answer<unknown>

export const done = <T>(body: T): Answer<T> => ({ body })

/** Accepted and still on its way: the caller polls and never resends (spec §7). */
export const inFlight = <T>(body: T): Answer<T> => ({ body, status: 202, headers: { 'retry-after': '2' } })
