import { a2aLimits, operations, type ErrorCode, type Operation } from '@ergon/contract'
import type { Acted, Who } from '../../dispatch/a2a-answers.ts'
import type { JsonObject } from '../../dispatch/json-text.ts'
import { isObject, RpcRefusal, type RpcRequest } from './json-rpc.ts'
import { keyedByMessage } from './message-key.ts'
import { readMessage, type Asked } from './message.ts'
import {
  afterwards,
  ask,
  demandId,
  openFollow,
  operate,
  noSuchTask,
  streamed,
  taskIds,
  walletActionOf,
  type Method,
  type MethodDeps,
  type Reached,
} from './methods.ts'
import { failure, hasFailed, oneFrame, success, type Outcome } from './outcome.ts'
import { waitForTask } from './wait-for-task.ts'

type Action = Extract<Asked, { kind: 'action' }>

/** `message/send`, and with `streams` `message/stream`: words are answered with words, an action acts. */
export function sending(deps: MethodDeps, check: (params: JsonObject) => void, streams: boolean): Method {
  return async (reached) => {
    const { rpc } = reached
    if (streams) demandId(rpc)
    check(rpc.params)
    // The check above admits an object alone.
    const asked = readMessage(rpc.params['message'] as JsonObject, rpc.id)
    if (asked.kind === 'words') return talk(deps, reached, asked, streams)
    return act(deps, reached, asked, streams)
  }
}

/** Words about a task presuppose one that the caller may read, as the protocol has it. */
async function talk(
  deps: MethodDeps,
  reached: Reached,
  { text, taskId }: Extract<Asked, { kind: 'words' }>,
  streams: boolean,
): Promise<Outcome> {
  if (taskId !== null && !taskIds.test(taskId)) throw noSuchTask(reached.rpc.id)
  const served = await ask(deps, streams ? 'message/stream' : 'message/send', reached, async ({ caller, request }) => {
    if (taskId !== null) await deps.answers.readTask({ caller, request }, taskId, 0)
    return { body: await deps.answers.concierge({ caller, request }, text) }
  })
  return hasFailed(served) ? failure(reached.rpc.id, served) : atOnce(success(reached.rpc.id, served), streams)
}

async function act(
  deps: MethodDeps,
  { rpc, request: received, leaving }: Reached,
  asked: Action,
  streams: boolean,
): Promise<Outcome> {
  const { action, operation } = asked
  demandAddress(deps, rpc)
  const input = inputOf(deps, asked)
  const request = keyedByMessage(received, asked.messageId)
  const served = await operate(deps, operation, input, request)
  if (served.code === 'UNAUTHORIZED' || (served.code === 'SIGNATURE_REQUIRED' && served.caller === null)) {
    const taskId = typeof input['task_id'] === 'string' && taskIds.test(input['task_id']) ? input['task_id'] : null
    return atOnce(success(rpc.id, served, deps.answers.awaitsSignature(action, taskId)), streams)
  }
  if (hasFailed(served)) {
    const handed = await walletActionOf(deps, { action, operation, input }, served, request)
    if ('failed' in handed) return failure(rpc.id, handed.failed)
    const { value } = handed
    if (value === null) return failure(rpc.id, served)
    const waiting = await afterwards(served, request, (who) =>
      deps.answers.awaitsWallet(who, { action, operation, code: served.code as ErrorCode, input }, value),
    ) // dispatch answers no other code
    return 'failed' in waiting
      ? failure(rpc.id, waiting.failed)
      : atOnce(success(rpc.id, served, waiting.value), streams)
  }
  const acted: Acted = { action, operation, input, body: served.body }
  const taskId = deps.answers.taskOf(acted)
  const pushed = await afterwards(served, request, (who) => pushTo(deps, who, taskId, rpc.params['configuration']))
  if ('failed' in pushed) return failure(rpc.id, pushed.failed, null, { result: served.body })
  if (streams && taskId !== null) {
    const opened = await afterwards(served, request, (who) => openFollow(deps, who, taskId, null, acted))
    return 'failed' in opened ? failure(rpc.id, opened.failed) : streamed(rpc, served, opened.value)
  }
  if (taskId !== null && isObject(rpc.params['configuration']) && rpc.params['configuration']['blocking'] === true) {
    // Where no place is left to wait, or the task cannot be followed, the answer is given at once.
    const opened = await afterwards(served, request, (who) => openFollow(deps, who, taskId, null, null))
    if ('value' in opened) await waitForTask(opened.value, a2aLimits.blockingMs, leaving)
  }
  const told = await afterwards(served, request, (who) =>
    deps.answers.acted(who, acted, historyOf(rpc.params['configuration'])),
  )
  return 'failed' in told ? failure(rpc.id, told.failed) : atOnce(success(rpc.id, served, told.value), streams)
}

/** An address that is never asked is refused before the action, which cannot be taken back. @throws RpcRefusal */
function demandAddress({ faultOf }: MethodDeps, { id, params: { configuration } }: RpcRequest): void {
  const config = isObject(configuration) ? configuration['pushNotificationConfig'] : undefined
  const fault = isObject(config) ? faultOf(String(config['url'])) : null
  if (fault === null) return
  throw new RpcRefusal('InvalidParams', 'VALIDATION_FAILED', `pushNotificationConfig.url: ${fault}`, id)
}

/** Where a message wants the updates of its task; the action itself has gone through by then. */
async function pushTo({ answers }: MethodDeps, who: Who, taskId: string | null, configuration: unknown): Promise<void> {
  const config = isObject(configuration) ? configuration['pushNotificationConfig'] : undefined
  if (taskId !== null && isObject(config)) await answers.push.set(who, taskId, config)
}

/** A message about a task need not name it again among the fields. */
function inputOf({ answers }: MethodDeps, { action, operation, params, taskId }: Action): JsonObject {
  if (action === 'tasks/create') return answers.createFields(params)
  const definition: Operation = operations[operation]
  return taskId !== null && 'task_id' in definition.input.properties && !('task_id' in params)
    ? { ...params, task_id: taskId }
    : params
}

export function historyOf(value: unknown): number {
  return isObject(value) && typeof value['historyLength'] === 'number' ? value['historyLength'] : 0
}

/** What is said at once is a stream of one event, where a stream was asked for. */
function atOnce(outcome: Outcome, streams: boolean): Outcome {
  return streams && outcome.status === 200 ? { ...outcome, stream: oneFrame(outcome.text) } : outcome
}
