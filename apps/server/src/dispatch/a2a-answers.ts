import type { ErrorCode, OperationName } from '@ergon/contract'
import type { AdminCaller, Caller } from '@ergon/core'
import type { RawRequest } from './request.ts'
import type { Handed } from './wallet-actions.ts'

type Fields = Readonly<Record<string, unknown>>
type Json = Readonly<Record<string, unknown>>

/** Who called, as dispatch found out. */
export type Who = { readonly caller: Caller | AdminCaller; readonly request: RawRequest }
/** An action that went through. */
export type Acted = {
  readonly action: string
  readonly operation: OperationName
  readonly input: Fields
  readonly body: unknown
}
export type Refused = {
  readonly action: string
  readonly operation: OperationName
  readonly code: ErrorCode
  readonly input: Fields
}
/** One step of a stream, with the place where a reconnecting reader goes on; null says only that the line is alive. */
export type Step = { readonly place: string; readonly update: Json } | null

/** Addresses of the caller that updates of a task are posted to. */
export type PushAnswers = {
  /** @throws TASK_NOT_FOUND, TASK_GONE, FORBIDDEN, VALIDATION_FAILED for an address that is not asked */
  set(who: Who, taskId: string, config: Json): Promise<Json>
  /** @throws TASK_NOT_FOUND */
  get(who: Who, taskId: string, id: string | null): Promise<Json>
  list(who: Who, taskId: string): Promise<readonly Json[]>
  /** @throws TASK_NOT_FOUND */
  remove(who: Who, taskId: string, id: string): Promise<void>
}

/** What the API says in the words of the agent-to-agent protocol, as its transport asks for it. */
export type A2aAnswers = {
  readonly push: PushAnswers
  /**
   * The fields of a publish; the method names no instructions (spec §4), so the title and the evidence stand in for
   * them.
   */
  createFields(params: Fields): Fields
  /** @throws TASK_NOT_FOUND, TASK_GONE, FORBIDDEN */
  readTask(who: Who, taskId: string, historyLength: number): Promise<Json>
  /** Answers words; reads only. */
  concierge(who: Who, text: string): Promise<Json>
  /** The task that an action was about, or else what came of it. */
  acted(who: Who, acted: Acted, historyLength: number): Promise<Json>
  /** The task that an action was about; null where it was about none. */
  taskOf(acted: Acted): string | null
  /** What a wallet has to sign for a refused call to go through; null where that is not what it lacked. */
  walletAction(who: Who, refused: Refused): Promise<Handed | null>
  /** The task, waiting for such a signature. */
  awaitsWallet(who: Who, refused: Refused, handed: Handed): Promise<Json>
  /** What an unsigned caller hears that asks for a change. */
  awaitsSignature(action: string, taskId: string | null): Json
  /** A task, then what happens to it, until the signal fires; `acted` is told with the first step. */
  follow(who: Who, taskId: string, from: string | null, acted: Acted | null, signal: AbortSignal): AsyncGenerator<Step>
  /** The card, with every action. */
  extendedCard(who: Who): Promise<Json>
}
