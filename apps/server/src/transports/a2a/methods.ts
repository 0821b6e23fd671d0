import type { A2aMethodName, OperationName } from '@ergon/contract'
import type { A2aAnswers, Acted, Who } from '../../dispatch/a2a-answers.ts'
import type { Dispatch, Served } from '../../dispatch/dispatch.ts'
import { errorAnswer } from '../../dispatch/error-body.ts'
import type { AnyHandler } from '../../dispatch/handlers.ts'
import type { JsonObject } from '../../dispatch/json-text.ts'
import { headerOf } from '../../dispatch/plan.ts'
import type { RawRequest } from '../../dispatch/request.ts'
import { isLimit, type Handed } from '../../dispatch/wallet-actions.ts'
import type { StreamHolder } from '../../events/open-streams.ts'
import { RpcRefusal, type RpcId, type RpcRequest } from './json-rpc.ts'
import { failure, frames, hasFailed, outcome, success, type Opened, type Outcome } from './outcome.ts'
import type { MethodPlans, OperationPlans } from './plans.ts'

export type MethodDeps = {
  readonly dispatch: Dispatch
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly answers: A2aAnswers
  readonly operationPlans: OperationPlans
  readonly methodPlans: MethodPlans
  /** What is wrong with an address that updates shall be posted to, in words; null when it may be asked. */
  readonly faultOf: (url: string) => string | null
  /** Counts an open stream; answers what ends it. @throws RATE_LIMITED */
  readonly openStream: (holder: StreamHolder) => () => void
}

/** `leaving` fires when nobody waits for the answer any more. */
export type Reached = { readonly rpc: RpcRequest; readonly request: RawRequest; readonly leaving: AbortSignal }
export type Method = (reached: Reached) => Promise<Outcome>

/** A method that is an operation of the market, in the market's own words. */
export function marketMethod(
  deps: MethodDeps,
  operation: OperationName,
  fields: (params: JsonObject) => JsonObject = (params) => params,
): Method {
  return async ({ rpc, request }) => {
    const input = fields(rpc.params)
    const served = await operate(deps, operation, input, request)
    if (!hasFailed(served)) return success(rpc.id, served)
    const handed = await walletActionOf(deps, { action: rpc.method, operation, input }, served, request)
    return 'failed' in handed ? failure(rpc.id, handed.failed) : failure(rpc.id, served, null, handed.value ?? {})
  }
}

/** A method of the protocol's own; what it changes is no operation of the market. */
export function reading(
  deps: MethodDeps,
  name: A2aMethodName,
  read: (who: Who, params: JsonObject) => Promise<unknown>,
): Method {
  return async (reached) =>
    outcome(
      reached.rpc.id,
      await ask(deps, name, reached, async ({ caller, request }, params) => ({
        body: await read({ caller, request }, params),
      })),
    )
}

/** Cancels as the market does and answers the task as it then is. */
export function cancelling(deps: MethodDeps, check: (params: JsonObject) => void): Method {
  return async (reached) => {
    const { rpc, request } = reached
    check(rpc.params)
    const taskId = String(rpc.params['id'])
    const served = await operate(deps, 'tasks.cancel', { task_id: taskId }, request)
    if (hasFailed(served)) return failure(rpc.id, await orNotFound(deps, reached, taskId, served))
    const task = await afterwards(served, request, (who) => deps.answers.readTask(who, taskId, 0))
    return 'failed' in task ? failure(rpc.id, task.failed) : success(rpc.id, served, task.value)
  }
}

/** That there is no such task is said to whoever asks, before who may cancel it. */
async function orNotFound(
  deps: MethodDeps,
  reached: Reached,
  taskId: string,
  refused: Served & { readonly code: string },
): Promise<Served & { readonly code: string }> {
  if (refused.code !== 'UNAUTHORIZED') return refused
  const read = await ask(deps, 'tasks/get', reached, async ({ caller, request }) => ({
    body: await deps.answers.readTask({ caller, request }, taskId, 0),
  }))
  return hasFailed(read) && read.code === 'TASK_NOT_FOUND' ? read : refused
}

export const taskIds = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const noSuchTask = (id: RpcId): RpcRefusal =>
  new RpcRefusal('TaskNotFound', 'TASK_NOT_FOUND', 'no task has this id.', id)

/** An id that no task can have is one that no task has, whatever it looks like. @throws RpcRefusal */
export function ofKnownTask(field: string, method: Method): Method {
  return async (reached) => {
    const given = reached.rpc.params[field]
    if (typeof given === 'string' && !taskIds.test(given)) throw noSuchTask(reached.rpc.id)
    return method(reached)
  }
}

/** A method that streams a task. */
export function following(deps: MethodDeps, name: A2aMethodName): Method {
  return async (reached) => {
    demandId(reached.rpc)
    const served = await ask(deps, name, reached, async ({ caller, request }, params) => ({
      body: await openFollow(
        deps,
        { caller, request },
        String(params['id']),
        headerOf(request, 'last-event-id') ?? null,
        null,
      ),
    }))
    // The handler above answers this.
    return hasFailed(served) ? failure(reached.rpc.id, served) : streamed(reached.rpc, served, served.body as Opened)
  }
}

export function streamed(rpc: RpcRequest, served: Served, opened: Opened): Outcome {
  return { ...success(rpc.id, served, null), stream: { text: frames(rpc.id, opened), stop: opened.stop } }
}

/** Begins to follow a task; what refuses it refuses here, before anything is sent. */
export async function openFollow(
  { answers, openStream }: MethodDeps,
  who: Who,
  taskId: string,
  from: string | null,
  acted: Acted | null,
): Promise<Opened> {
  const release = openStream({
    key: who.caller.kind === 'wallet' ? who.caller.wallet : who.request.ip,
    request: who.request,
  })
  const leaving = new AbortController()
  const stop = (): void => {
    release()
    leaving.abort()
  }
  // A stream that never begins is ended by nobody but its connection.
  who.request.onEnd?.(stop)
  const rest = answers.follow(who, taskId, from, acted, leaving.signal)
  try {
    const first = await rest.next()
    return { first: first.done === true ? null : first.value, rest, stop }
  } catch (error) {
    stop()
    throw error
  }
}

/** Nobody could hear a stream without an id. */
export function demandId(rpc: RpcRequest): void {
  if (rpc.isNotification) throw new RpcRefusal('InvalidRequest', 'MALFORMED_BODY', `${rpc.method} answers to an id.`)
}

/** One call of an operation, through everything that REST passes. */
export function operate(
  deps: MethodDeps,
  operation: OperationName,
  input: JsonObject,
  request: RawRequest,
): Promise<Served> {
  const handler = deps.handlers[operation]
  if (handler === undefined) throw new Error(`${operation} has no handler`)
  return deps.dispatch(deps.operationPlans(operation, input, request.body), handler, request, {})
}

export function ask(
  deps: MethodDeps,
  name: A2aMethodName,
  { rpc, request }: Reached,
  handler: AnyHandler,
): Promise<Served> {
  return deps.dispatch(deps.methodPlans(name, rpc.params), handler, request, {})
}

/** Who it was, for what is read after dispatch; null when the call was refused before that was known. */
export function whoOf({ caller }: Served, request: RawRequest): Who | null {
  return caller === null ? null : { caller, request }
}

/** What is read after the call itself went through or was refused: its own refusal is an answer too. */
export async function afterwards<T>(
  served: Served,
  request: RawRequest,
  reading: (who: Who) => Promise<T>,
): Promise<{ readonly value: T } | { readonly failed: Served & { readonly code: string } }> {
  const who = whoOf(served, request)
  try {
    if (who === null) throw new Error('nobody was found to call')
    return { value: await reading(who) }
  } catch (thrown) {
    const error = errorAnswer(thrown, request.requestId)
    return { failed: { ...served, ...error, ...(error.code === 'INTERNAL' ? { fault: thrown } : {}) } }
  }
}

/**
 * What a refused call lacks that a wallet can sign. Why it cannot be handed out is an answer of its own: whether a
 * linked signer was asked may be unknown, and then nothing says that a signature is all that lacks. Only a limit that
 * was met is not hidden by it.
 */
export async function walletActionOf(
  { answers }: MethodDeps,
  refused: { readonly action: string; readonly operation: OperationName; readonly input: JsonObject },
  served: Served & { readonly code: string },
  request: RawRequest,
): Promise<{ readonly value: Handed | null } | { readonly failed: Served & { readonly code: string } }> {
  if (whoOf(served, request) === null) return { value: null }
  // A code of the catalogue: dispatch answers no other.
  const about = { ...refused, code: served.code as Parameters<A2aAnswers['walletAction']>[1]['code'] }
  const read = await afterwards(served, request, (who) => answers.walletAction(who, about))
  return 'failed' in read && isLimit(served.code) ? { value: null } : read
}
