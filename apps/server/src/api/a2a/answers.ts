import { operations, type Operation, type OperationName } from '@ergon/contract'
import { MarketError, type AdminCaller, type Caller } from '@ergon/core'
import type { A2aAnswers, Acted } from '../../dispatch/a2a-answers.ts'
import type { AnyHandler, Call } from '../../dispatch/handlers.ts'
import type { RawRequest } from '../../dispatch/request.ts'
import type { WalletActions } from '../../dispatch/wallet-actions.ts'
import type { EventRelay } from '../../events/event-relay.ts'
import { createTaskBells } from '../../events/task-bells.ts'
import type { ApiDeps } from '../deps.ts'
import { staysOf, type StaysDeps } from '../stays.ts'
import { actionList, answerWords } from './concierge.ts'
import { followTask } from './follow.ts'
import { createPushAnswers, type PushDeps } from './push.ts'
import { signRequestAction, walletActionFor } from './sign-here.ts'
import {
  readTaskObject,
  standingOf,
  taskObject,
  withPart,
  type Message,
  type Part,
  type TaskObject,
} from './task-object.ts'

export type AnswersDeps = Pick<ApiDeps, 'market' | 'baseUrl'> &
  StaysDeps & {
    readonly onEvent: EventRelay['subscribe']
    readonly handlers: Readonly<Record<string, AnyHandler>>
    readonly nextId: () => string
    readonly push: Pick<PushDeps, 'configs' | 'faultOf'>
    readonly walletActions: WalletActions
  }

/** What the market has to say in the words of the agent-to-agent protocol (decision 0065). */
export function createA2aAnswers(deps: AnswersDeps): A2aAnswers {
  const { market, handlers, nextId } = deps
  const onTask = createTaskBells(deps.onEvent)
  const message = (parts: readonly Part[]): Message => ({ kind: 'message', role: 'agent', messageId: nextId(), parts })
  return {
    push: createPushAnswers({ market, ...deps.push }),
    createFields,
    readTask: ({ caller }, taskId, historyLength) =>
      readTaskObject(market, withoutAdmin(caller), taskId, historyLength),
    concierge: async ({ caller }, text) => message(await answerWords(market, withoutAdmin(caller), text)),
    async acted({ caller }, acted, historyLength) {
      const taskId = taskOf(acted)
      if (taskId === null) return message([resultPart(acted)])
      const task = await ifReadable(readTaskObject(market, withoutAdmin(caller), taskId, historyLength))
      return task === null ? message([resultPart(acted)]) : withPart(task, resultPart(acted))
    },
    taskOf,
    walletAction: ({ caller, request }, refused) =>
      walletActionFor(deps.walletActions, handlers, callOf(caller, request), refused),
    async awaitsWallet({ caller }, { input }, handed) {
      const taskId = await taskIn(deps, withoutAdmin(caller), input)
      const said =
        'Your wallet has to sign. Compare the challenge with what you agreed to, sign it and send the action again with the signature.'
      const waiting = taskObject(await standingOf(market, withoutAdmin(caller), taskId), [
        { kind: 'text', text: said },
        { kind: 'data', data: handed },
      ])
      return { ...waiting, status: { ...waiting.status, state: 'auth-required' as const } }
    },
    awaitsSignature: (action, taskId) => awaitsSignature(deps, action, taskId ?? nextId()),
    follow: ({ caller, request }, taskId, from, acted, signal) =>
      followTask(
        { market, onTask, stays: staysOf(deps, { caller: withoutAdmin(caller), request }) },
        { caller: withoutAdmin(caller), taskId, from, said: acted === null ? [] : [resultPart(acted)] },
        signal,
      ),
    async extendedCard({ caller, request }) {
      const card = await handlers['service.agentCard']?.(callOf(caller, request), {})
      const body = (card?.body ?? {}) as { readonly skills?: readonly unknown[] } // the presenter of the card makes it
      return {
        ...body,
        skills: [
          ...(body.skills ?? []),
          ...actionList().map(({ action, says, signed }) => ({
            id: action,
            name: action,
            description: says,
            tags: [signed ? 'signed' : 'open', 'message/send'],
          })),
        ],
      }
    },
  }
}

function awaitsSignature({ baseUrl, now, nextId }: AnswersDeps, action: string, id: string): TaskObject {
  const said =
    `${action} changes something or is for parties alone, so a wallet has to sign the request. ` +
    'Nothing was changed, and nothing is kept of this message.'
  const parts: Part[] = [
    { kind: 'text', text: said },
    { kind: 'data', data: { wallet_action: signRequestAction(action, `${baseUrl}/api/v1/auth/erc8128/info`) } },
  ]
  const message: Message = { kind: 'message', role: 'agent', messageId: nextId(), parts, taskId: id, contextId: id }
  return {
    kind: 'task',
    id,
    contextId: id,
    status: { state: 'auth-required', timestamp: now().toISOString(), message },
  }
}

function createFields(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { title, evidence_required: evidence } = params
  if ('instructions' in params || typeof title !== 'string' || !Array.isArray(evidence)) return params
  return { ...params, instructions: `${title}\n\nHand in: ${evidence.map(String).join(', ')}.` }
}

const resultPart = ({ action, body }: Acted): Part => ({ kind: 'data', data: { action, result: body } })

const callOf = (caller: Caller | AdminCaller, request: RawRequest): Call<Caller> => ({
  caller: withoutAdmin(caller),
  request,
  exact: () => undefined,
})

/** The admin key opens nothing here. */
function withoutAdmin(caller: Caller | AdminCaller): Caller {
  return caller.kind === 'admin' ? { kind: 'anonymous' } : caller
}

/** After an action went through, its own answer is given whether or not the task can be read. */
async function ifReadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof MarketError) return null
    throw error
  }
}

/** Where the answer names a task that was made by another field than `task_id`. */
const makesTask: Readonly<Partial<Record<OperationName, string>>> = { 'tasks.publish': 'id' }

function taskOf({ operation, input, body }: Acted): string | null {
  if (!changes(operation)) return null
  const answered = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {} // an object that is not null
  const id = input['task_id'] ?? answered[makesTask[operation] ?? 'task_id']
  return typeof id === 'string' ? id : null
}

function changes(name: OperationName): boolean {
  const operation: Operation = operations[name]
  return operation.rest[0]?.method !== 'GET'
}

async function taskIn(
  { market }: AnswersDeps,
  caller: Caller,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { task_id: taskId, submission_id: submissionId, offer_id: offerId, dispute_id: disputeId } = input
  if (typeof taskId === 'string') return taskId
  if (caller.kind !== 'wallet') throw new MarketError('TASK_NOT_FOUND')
  if (typeof offerId === 'string') return (await market.readOffer(caller, offerId)).taskId
  if (typeof disputeId === 'string') return (await market.readDispute(caller, disputeId)).taskId
  if (typeof submissionId !== 'string') throw new MarketError('TASK_NOT_FOUND')
  return (await market.readSubmission(caller, submissionId)).taskId
}
