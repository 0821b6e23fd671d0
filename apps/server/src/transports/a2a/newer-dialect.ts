import { isObject, RpcRefusal, type RpcId, type RpcRequest } from './json-rpc.ts'
import type { JsonObject } from '../../dispatch/json-text.ts'
import type { Outcome, TextStream } from './outcome.ts'

/** A method of A2A 1.x: which of ours it is, how its parameters read there, and how our result reads in its words. */
type Said = {
  readonly method: string
  readonly params: (given: JsonObject) => JsonObject
  /** @throws RpcRefusal for what 0.3.0 admits */
  readonly check?: (given: JsonObject, id: RpcId) => void
  readonly result: (ours: JsonObject) => unknown
}

const asIs = (given: JsonObject): JsonObject => given
const configOf = ({ taskId, id }: JsonObject): JsonObject => ({
  id: taskId,
  ...(id === undefined ? {} : { pushNotificationConfigId: id }),
})

const methods: Readonly<Record<string, Said>> = {
  SendMessage: { method: 'message/send', params: sendOf, check: demandOwnContext, result: payload },
  SendStreamingMessage: { method: 'message/stream', params: sendOf, check: demandOwnContext, result: payload },
  GetTask: { method: 'tasks/get', params: taskOf, result: task },
  CancelTask: { method: 'tasks/cancel', params: taskOf, result: task },
  SubscribeToTask: { method: 'tasks/resubscribe', params: taskOf, result: payload },
  CreateTaskPushNotificationConfig: {
    method: 'tasks/pushNotificationConfig/set',
    params: ({ taskId, ...config }) => ({ taskId, pushNotificationConfig: pushOf(config) }),
    result: pushConfig,
  },
  GetTaskPushNotificationConfig: {
    method: 'tasks/pushNotificationConfig/get',
    params: configOf,
    result: pushConfig,
  },
  ListTaskPushNotificationConfigs: {
    method: 'tasks/pushNotificationConfig/list',
    params: configOf,
    result: (configs) => ({ configs: listOf(configs).map(pushConfig) }),
  },
  DeleteTaskPushNotificationConfig: {
    method: 'tasks/pushNotificationConfig/delete',
    params: configOf,
    result: () => ({}),
  },
  GetExtendedAgentCard: { method: 'agent/getAuthenticatedExtendedCard', params: () => ({}), result: asIs },
}

/** A request in the words of 0.3.0, and the way back of its answer; what is said in those already stays as it is. */
export function readDialect(rpc: RpcRequest): {
  readonly rpc: RpcRequest
  /** @throws RpcRefusal */
  readonly check: () => void
  readonly answered: (outcome: Outcome) => Outcome
} {
  const said = Object.hasOwn(methods, rpc.method) ? methods[rpc.method] : undefined
  if (said === undefined) return { rpc, check: () => undefined, answered: (outcome) => outcome }
  return {
    rpc: { ...rpc, method: said.method, params: said.params(rpc.params) },
    check: () => said.check?.(rpc.params, rpc.id),
    answered: (outcome) => ({
      ...outcome,
      text: translated(outcome.text, said.result),
      ...(outcome.stream === undefined ? {} : { stream: translatedStream(outcome.stream, said.result) }),
    }),
  }
}

/** One JSON-RPC answer; a refusal is the same in both. */
function translated(text: string, result: Said['result']): string {
  const answer = JSON.parse(text) as JsonObject // our own text
  return 'result' in answer
    ? JSON.stringify({ ...answer, result: result((answer['result'] ?? {}) as JsonObject) })
    : text
}

function translatedStream(stream: TextStream, result: Said['result']): TextStream {
  const text = async function* frames(): AsyncGenerator<string> {
    for await (const frame of stream.text)
      yield frame.replace(/^data: (.*)$/m, (_line, json: string) => `data: ${translated(json, result)}`)
  }
  return { text: text(), stop: () => stream.stop() }
}

/** Nobody rents this service out, so `tenant` says nothing. */
function taskOf({ tenant: _tenant, ...given }: JsonObject): JsonObject {
  return given
}

function sendOf({ message: said, configuration, metadata }: JsonObject): JsonObject {
  return {
    message: isObject(said)
      ? {
          ...said,
          role: said['role'] === 'ROLE_AGENT' ? 'agent' : 'user',
          parts: Array.isArray(said['parts']) ? said['parts'].map(partOf) : said['parts'],
        }
      : said,
    ...(isObject(configuration) ? { configuration: configurationOf(configuration) } : {}),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

/** A2A 1.0 §3.4.3: a message is refused whose context is not that of its task; here each task is its own. */
function demandOwnContext({ message: said }: JsonObject, id: RpcId): void {
  const { taskId, contextId } = objectOf(said)
  if (typeof taskId !== 'string' || typeof contextId !== 'string' || taskId === contextId) return
  const why = 'contextId of the message is not that of its task; leave it out, or send the one that the task carries.'
  throw new RpcRefusal('InvalidParams', 'VALIDATION_FAILED', why, id)
}

/** There a caller waits unless it says otherwise. */
function configurationOf({ returnImmediately, taskPushNotificationConfig: push, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    blocking: returnImmediately !== true,
    ...(isObject(push) ? { pushNotificationConfig: pushOf(push) } : {}),
  }
}

function partOf(given: unknown): unknown {
  if (!isObject(given)) return given
  const { text, data, metadata } = given
  const more = metadata === undefined ? {} : { metadata }
  if (typeof text === 'string') return { kind: 'text', text, ...more }
  if ('data' in given) return { kind: 'data', data, ...more }
  return { kind: 'file', file: {}, ...more }
}

function pushOf({ id, url, token, authentication }: JsonObject): JsonObject {
  return {
    ...(id === undefined ? {} : { id }),
    url,
    ...(token === undefined ? {} : { token }),
    ...(isObject(authentication)
      ? { authentication: { schemes: [authentication['scheme']], credentials: authentication['credentials'] } }
      : {}),
  }
}

function pushConfig({ taskId, pushNotificationConfig: config }: JsonObject): JsonObject {
  const { authentication, ...rest } = objectOf(config)
  if (!isObject(authentication)) return { taskId, ...rest }
  const { schemes, ...more } = authentication
  return { taskId, ...rest, authentication: { scheme: Array.isArray(schemes) ? String(schemes[0]) : '', ...more } }
}

/** What a stream or an answer carries, under its own name. */
function payload(ours: JsonObject): JsonObject {
  const { kind, final: _final, ...rest } = ours
  switch (kind) {
    case 'task':
      return { task: task(ours) }
    case 'status-update':
      return { statusUpdate: { ...rest, status: status(rest['status']) } }
    case 'artifact-update':
      return { artifactUpdate: { ...rest, artifact: artifact(objectOf(rest['artifact'])) } }
    default:
      return { message: message(ours) }
  }
}

function task({ kind: _kind, ...ours }: JsonObject): JsonObject {
  return {
    ...ours,
    status: status(ours['status']),
    ...(Array.isArray(ours['artifacts']) ? { artifacts: listOf(ours['artifacts']).map(artifact) } : {}),
    ...(Array.isArray(ours['history']) ? { history: listOf(ours['history']).map(message) } : {}),
  }
}

function status(ours: unknown): JsonObject {
  const { state, message: said, ...rest } = objectOf(ours)
  return {
    ...rest,
    state: `TASK_STATE_${String(state).toUpperCase().replaceAll('-', '_')}`,
    ...(isObject(said) ? { message: message(said) } : {}),
  }
}

function message({ kind: _kind, role, ...rest }: JsonObject): JsonObject {
  return { ...rest, role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', parts: listOf(rest['parts']).map(part) }
}

function artifact(ours: JsonObject): JsonObject {
  return { ...ours, parts: listOf(ours['parts']).map(part) }
}

function part({ kind: _kind, file, ...rest }: JsonObject): JsonObject {
  if (!isObject(file)) return rest
  const { uri, name, mimeType } = file
  return { ...rest, url: uri, filename: name, mediaType: mimeType }
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
