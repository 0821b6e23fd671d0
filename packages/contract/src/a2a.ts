import * as Type from 'typebox'
import type { TObject } from 'typebox'
import { errorCatalogue, type ErrorCode } from './errors.ts'
import type { EventName } from './events.ts'
import type { OperationName } from './operations/index.ts'
import { closed, id, open, optional } from './schema.ts'
import { limits, type TaskStatus } from './vocabulary.ts'

/** The version of the agent-to-agent protocol that is spoken (spec §9.3). */
export const a2aVersion = '0.3.0'
export const a2aPath = '/a2a'

/** The states of a task in that protocol. */
export const a2aTaskStates = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'auth-required',
  'unknown',
] as const
export type A2aTaskState = (typeof a2aTaskStates)[number]

/** Who looks at a task; a state that waits for a decision asks for input of the one who decides. */
export type A2aViewer = 'publisher' | 'other'

const states: Readonly<Record<TaskStatus, A2aTaskState | Readonly<Record<A2aViewer, A2aTaskState>>>> = {
  draft: 'submitted',
  published: 'submitted',
  assigning: 'working',
  accepted: 'working',
  in_progress: 'working',
  submitted: { publisher: 'input-required', other: 'working' },
  verifying: { publisher: 'input-required', other: 'working' },
  completed: 'completed',
  disputed: 'input-required',
  cancelled: 'canceled',
  expired: 'failed',
}

/** How a status of the market reads in the other protocol (decision 0065). */
export function a2aStateOf(status: TaskStatus, viewer: A2aViewer): A2aTaskState {
  const state = states[status]
  return typeof state === 'string' ? state : state[viewer]
}

/** After these nothing happens to a task any more, and its streams end. */
export const isA2aFinal = (state: A2aTaskState): boolean =>
  state === 'completed' || state === 'canceled' || state === 'failed' || state === 'rejected'

/** Codes of JSON-RPC 2.0 and of the protocol, by their names there. */
export const a2aErrors = {
  ParseError: { code: -32700, message: 'Invalid JSON payload' },
  InvalidRequest: { code: -32600, message: 'Request payload validation error' },
  MethodNotFound: { code: -32601, message: 'Method not found' },
  InvalidParams: { code: -32602, message: 'Invalid parameters' },
  InternalError: { code: -32603, message: 'Internal error' },
  TaskNotFound: { code: -32001, message: 'Task not found' },
  TaskNotCancelable: { code: -32002, message: 'Task cannot be canceled' },
  PushNotificationNotSupported: { code: -32003, message: 'Push Notification is not supported' },
  UnsupportedOperation: { code: -32004, message: 'This operation is not supported' },
  ContentTypeNotSupported: { code: -32005, message: 'Incompatible content types' },
  InvalidAgentResponse: { code: -32006, message: 'Invalid agent response' },
  AuthenticatedExtendedCardNotConfigured: { code: -32007, message: 'Authenticated Extended Card is not configured' },
  VersionNotSupported: { code: -32009, message: 'This version of the protocol is not supported' },
} as const satisfies Record<string, { readonly code: number; readonly message: string }>
export type A2aErrorName = keyof typeof a2aErrors

/** Versions that are spoken, by major and minor number; no header means the first (A2A 1.0 §3.6). */
export const a2aVersions: readonly string[] = ['0.3', '1.0']

/** Refusals of the market that the protocol has a name for. */
const named: Partial<Readonly<Record<ErrorCode, A2aErrorName>>> = {
  TASK_NOT_FOUND: 'TaskNotFound',
  TASK_GONE: 'TaskNotFound',
  TASK_NOT_CANCELLABLE: 'TaskNotCancelable',
  VALIDATION_FAILED: 'InvalidParams',
  UNKNOWN_FIELD: 'InvalidParams',
  INVALID_BOUNTY: 'InvalidParams',
  MALFORMED_BODY: 'InvalidRequest',
  INTERNAL: 'InternalError',
}

/**
 * The JSON-RPC code of a market code. What the protocol does not name lies in a range of its own that says the
 * status: -32040 means 400, -32049 for 409, -32062 for 422, -32090 for 500, -32093 for 503.
 */
export function a2aCodeOf(code: ErrorCode): number {
  const name = named[code]
  if (name !== undefined) return a2aErrors[name].code
  const { status } = errorCatalogue[code]
  return status < 500 ? -32_040 - (status - 400) : -32_090 - (status - 500)
}

/**
 * What is about the request rather than about the method is also said by the status of HTTP; every other error is a
 * JSON-RPC error with status 200 (decision 0065).
 */
export const a2aTransportCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNAUTHORIZED',
  'INVALID_SIGNATURE_HEADERS',
  'authority_not_allowed',
  'SIGNATURE_EXPIRED',
  'SIGNATURE_REPLAYED',
  'SIGNATURE_REQUIRED',
  'API_KEY_REFUSED',
  'bearer_not_allowed',
  'WALLET_BLOCKED',
  'ACCOUNT_PROOF_DIFFERS',
  'RATE_LIMITED',
  'request_body_too_large',
  'UNSUPPORTED_MEDIA_TYPE',
  'identity_check_unavailable',
  'nonce_store_unavailable',
])
export const a2aHttpStatus = (code: ErrorCode): number =>
  a2aTransportCodes.has(code) ? errorCatalogue[code].status : 200

const metadata = optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Kept by nobody.' }))
const count = (description: string) =>
  optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))
const name = (description: string) => Type.String({ minLength: 1, maxLength: 256, description })

/** A part of a message; which of its fields must be there follows from its kind. */
const part = open({
  kind: Type.Enum(['text', 'data', 'file']),
  text: optional(Type.String({ maxLength: 20_000 })),
  data: optional(Type.Record(Type.String(), Type.Unknown())),
  file: optional(Type.Record(Type.String(), Type.Unknown())),
  metadata,
})

const authentication = open({
  schemes: Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7e]+$' }), { maxItems: 5 }),
  credentials: optional(Type.String({ maxLength: 2_000, pattern: '^[\\x20-\\x7e]*$' })),
})
const headerText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[\\x21-\\x7e]+$', description })
const pushConfig = open({
  id: optional(name('Tells several of one task apart; the id of the task when left out.')),
  url: Type.String({ minLength: 8, maxLength: 2_000, description: 'Where updates are posted.' }),
  token: optional(headerText('Comes back in X-A2A-Notification-Token.')),
  authentication: optional(authentication),
})

const message = open({
  kind: optional(Type.Enum(['message'])),
  messageId: name('Made by the client. The same one again is the same message: its action is carried out once.'),
  role: Type.Enum(['user', 'agent']),
  parts: Type.Array(part, { minItems: 1, maxItems: 20 }),
  taskId: optional(name('The task it is about.')),
  contextId: optional(name('The same as the task.')),
  referenceTaskIds: optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 20 })),
  extensions: optional(Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 20 })),
  metadata,
})

const send = open({
  message,
  configuration: optional(
    open({
      acceptedOutputModes: optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 })),
      historyLength: count('Events of the task to send along.'),
      blocking: optional(
        Type.Boolean({
          description: 'Whether to answer only when the task is over or needs its caller, or after 25 seconds.',
        }),
      ),
      pushNotificationConfig: optional(pushConfig),
    }),
  ),
  metadata,
})
const taskId = id('The task.')
const configOf = open({ id: taskId, pushNotificationConfigId: optional(name('Which one.')), metadata })

/** A method of the protocol; `operation` is the operation of the market that it calls, if there is one. */
export type A2aMethod = {
  readonly summary: string
  /** Whose words its parameters and its result are: the market's own, or the protocol's. */
  readonly dialect: 'market' | 'a2a'
  readonly access: 'anyone' | 'signed'
  readonly operation?: OperationName
  /** The parameters of the protocol; those of the market are the fields of the operation. */
  readonly params?: TObject
  readonly result: string
  readonly streams?: true
}

/** Every method. `tasks/get` is said in both dialects and told apart by the name of its parameter. */
export const a2aMethods = {
  'agent/info': {
    summary: 'Who this service is.',
    dialect: 'market',
    access: 'anyone',
    operation: 'service.agentInfo',
    result: 'The agent info.',
  },
  'tasks/create': {
    summary: 'Publish a task; without `instructions` its title and its evidence are the instructions.',
    dialect: 'market',
    access: 'signed',
    operation: 'tasks.publish',
    result: 'What a publish answers.',
  },
  'tasks/approve': {
    summary: 'Approve a submission: the worker is paid.',
    dialect: 'market',
    access: 'signed',
    operation: 'submissions.approve',
    result: 'What an approval answers.',
  },
  'tasks/get': {
    summary: 'Read a task: by `task_id` as the market says it, by `id` as the protocol says it.',
    dialect: 'a2a',
    access: 'anyone',
    operation: 'tasks.get',
    params: open({ id: taskId, historyLength: count('Newest events to send along.'), metadata }),
    result: 'The task record, or a Task.',
  },
  'tasks/cancel': {
    summary: 'Cancel a task; a locked escrow is refunded first.',
    dialect: 'a2a',
    access: 'signed',
    operation: 'tasks.cancel',
    params: open({ id: taskId, metadata }),
    result: 'The Task.',
  },
  'message/send': {
    summary: 'Ask in words, or act with a data part {action, params}.',
    dialect: 'a2a',
    access: 'anyone',
    params: send,
    result: 'A Task, or a Message.',
  },
  'message/stream': {
    summary: 'The same, followed by what happens to the task.',
    dialect: 'a2a',
    access: 'anyone',
    params: send,
    result: 'A Task or a Message, then updates.',
    streams: true,
  },
  'tasks/resubscribe': {
    summary: 'Follow a task from now on, until it is over.',
    dialect: 'a2a',
    access: 'anyone',
    params: open({ id: taskId, metadata }),
    result: 'The Task, then updates.',
    streams: true,
  },
  'tasks/pushNotificationConfig/set': {
    summary:
      'Have updates of a task posted to an address, one again only when your yes to it was not heard: compare X-Idempotency-Key.',
    dialect: 'a2a',
    access: 'signed',
    params: open({ taskId, pushNotificationConfig: pushConfig }),
    result: 'The configuration.',
  },
  'tasks/pushNotificationConfig/get': {
    summary: 'Read one of your addresses of a task.',
    dialect: 'a2a',
    access: 'signed',
    params: configOf,
    result: 'The configuration.',
  },
  'tasks/pushNotificationConfig/list': {
    summary: 'Read your addresses of a task.',
    dialect: 'a2a',
    access: 'signed',
    params: open({ id: taskId, metadata }),
    result: 'The configurations.',
  },
  'tasks/pushNotificationConfig/delete': {
    summary: 'Forget one of your addresses of a task.',
    dialect: 'a2a',
    access: 'signed',
    params: open({ id: taskId, pushNotificationConfigId: name('Which one.'), metadata }),
    result: 'null',
  },
  'agent/getAuthenticatedExtendedCard': {
    summary: 'The agent card with every action of `message/send`.',
    dialect: 'a2a',
    access: 'signed',
    params: closed({}),
    result: 'The card.',
  },
} as const satisfies Record<string, A2aMethod>
export type A2aMethodName = keyof typeof a2aMethods

/** What a data part {action, params} of `message/send` may do; params are the fields of the operation. */
export const a2aActions = {
  'agent/info': 'service.agentInfo',
  'tasks/list': 'tasks.available',
  'tasks/get': 'tasks.get',
  'tasks/create': 'tasks.publish',
  'tasks/update': 'tasks.update',
  'tasks/cancel': 'tasks.cancel',
  'tasks/apply': 'tasks.apply',
  'tasks/applications': 'tasks.applications',
  'tasks/assign_challenge': 'tasks.assignChallenge',
  'tasks/assign': 'tasks.assign',
  'tasks/withdraw': 'tasks.withdraw',
  'tasks/set_policy': 'tasks.setPolicy',
  'tasks/policy': 'tasks.policy',
  'tasks/invite': 'tasks.invite',
  'tasks/extend': 'tasks.extend',
  'tasks/deadline': 'tasks.deadline',
  'tasks/begin': 'tasks.begin',
  'tasks/application': 'tasks.application',
  'tasks/submit': 'tasks.submit',
  'tasks/submissions': 'tasks.submissions',
  'tasks/approve_challenge': 'submissions.approveChallenge',
  'tasks/approve': 'submissions.approve',
  'tasks/reject': 'submissions.reject',
  'tasks/request_changes': 'submissions.requestChanges',
  'tasks/escrow': 'tasks.escrow',
  'tasks/messages': 'messages.list',
  'tasks/send_message': 'messages.send',
  'tasks/questions': 'questions.list',
  'tasks/ask': 'questions.ask',
  'tasks/answer': 'questions.answer',
  'settlements/list': 'offers.list',
  'settlements/challenge': 'offers.challenge',
  'settlements/propose': 'offers.propose',
  'settlements/accept_challenge': 'offers.acceptChallenge',
  'settlements/accept': 'offers.accept',
  'settlements/close': 'offers.close',
  'disputes/list': 'disputes.list',
  'disputes/ruling_challenge': 'disputes.rulingChallenge',
  'disputes/rule': 'disputes.rule',
  'submissions/get': 'submissions.get',
  'submissions/dispute': 'submissions.dispute',
  'evidence/presign_upload': 'evidence.presignUpload',
  'payments/get': 'payments.get',
  'payments/funding': 'payments.funding',
  'channels/offer': 'channels.offer',
  'channels/open': 'channels.open',
  'channels/bind': 'channels.bind',
  'channels/get': 'channels.get',
  'channels/tick': 'channels.tick',
  'channels/scan': 'channels.tick',
  'channels/meter': 'meters.get',
  'channels/close': 'channels.close',
  'sessions/start': 'streams.start',
  'sessions/list': 'streams.list',
  'sessions/get': 'streams.get',
  'sessions/tick': 'streams.tick',
  'sessions/stop': 'streams.stop',
  'workers/register': 'workers.register',
  'services/browse': 'listings.browse',
  'services/order': 'listings.order',
  'reputation/register': 'reputation.register',
  'reputation/prepare': 'reputation.prepare',
  'reputation/submit': 'reputation.submit',
} as const satisfies Record<string, OperationName>
export type A2aAction = keyof typeof a2aActions

/** Figures of the protocol's own limits. */
export const a2aLimits = {
  bodyBytes: limits.bodyBytes,
  historyMax: 50,
  pushConfigsEach: 100,
  streamsEach: 20,
  streamsPerAddress: 100,
  streamsInAll: 1_000,
  blockingMs: 25_000,
} as const

/** Where an event leaves its task; events that are not named leave it where it was. */
export const a2aStateAfter: Partial<Readonly<Record<EventName, TaskStatus>>> = {
  'task.created': 'published',
  'task.assigned': 'accepted',
  'task.assign_failed': 'published',
  'task.withdrawn': 'published',
  'task.submitted': 'verifying',
  'submission.received': 'verifying',
  'submission.revision_requested': 'in_progress',
  'submission.rejected': 'disputed',
  'dispute.opened': 'disputed',
  'task.completed': 'completed',
  'task.cancelled': 'cancelled',
  'task.expired': 'expired',
}
