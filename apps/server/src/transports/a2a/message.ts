import { a2aActions, type A2aAction, type OperationName } from '@ergon/contract'
import type { JsonObject } from '../../dispatch/json-text.ts'
import { isObject, RpcRefusal, type RpcId } from './json-rpc.ts'

/** What a message asks for: something the market does, or an answer in words. */
export type Asked =
  | {
      readonly kind: 'action'
      readonly action: A2aAction
      readonly operation: OperationName
      readonly params: JsonObject
      readonly taskId: string | null
      readonly messageId: string
    }
  | { readonly kind: 'words'; readonly text: string; readonly taskId: string | null }

/** Reads a message whose shape was checked. @throws RpcRefusal */
export function readMessage(message: JsonObject, id: RpcId): Asked {
  const parts = Array.isArray(message['parts']) ? message['parts'].filter(isObject) : []
  if (parts.some((part) => part['kind'] === 'file'))
    throw new RpcRefusal(
      'ContentTypeNotSupported',
      'VALIDATION_FAILED',
      'files travel over GET /api/v1/evidence/presign-upload; send text or data parts.',
      id,
    )
  const orders = parts.flatMap((part) =>
    part['kind'] === 'data' && isObject(part['data']) && 'action' in part['data'] ? [part['data']] : [],
  )
  const [order, ...more] = orders
  if (more.length > 0) throw invalid('one message carries one action.', id)
  const taskId = typeof message['taskId'] === 'string' ? message['taskId'] : null
  if (order === undefined) {
    const text = parts.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : [])).join('\n')
    if (text.trim() === '') throw invalid('a message carries text, or a data part {action, params}.', id)
    return { kind: 'words', text, taskId }
  }
  const { action, params = {} } = order
  const known = Object.entries(a2aActions).find(([name]) => name === action)
  if (known === undefined)
    throw new RpcRefusal('UnsupportedOperation', 'NOT_FOUND', `actions are ${Object.keys(a2aActions).join(', ')}.`, id)
  if (!isObject(params)) throw invalid('params of an action is an object.', id)
  const { task_id: named = taskId } = params
  if (taskId !== null && named !== taskId)
    throw invalid('taskId of the message and task_id of the action name two tasks; name one.', id)
  return {
    kind: 'action',
    action: known[0] as A2aAction,
    operation: known[1],
    params,
    taskId,
    messageId: String(message['messageId']),
  } // a key of the table
}

function invalid(message: string, id: RpcId): RpcRefusal {
  return new RpcRefusal('InvalidParams', 'VALIDATION_FAILED', message, id)
}
