import { Readable } from 'node:stream'
import { a2aLimits, a2aMethods, a2aPath, type A2aMethodName } from '@ergon/contract'
import { whenLeft } from '@ergon/process'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { A2aAnswers } from '../../dispatch/a2a-answers.ts'
import type { Dispatch } from '../../dispatch/dispatch.ts'
import type { AnyHandler } from '../../dispatch/handlers.ts'
import type { JsonObject } from '../../dispatch/json-text.ts'
import { headerOf, type Planner } from '../../dispatch/plan.ts'
import type { RawRequest } from '../../dispatch/request.ts'
import { createOpenStreams } from '../../events/open-streams.ts'
import { rawRequest } from '../raw-request.ts'
import { addCommonHeaders, type RestDeps } from '../rest.ts'
import { demandVersion, readRpc, RpcRefusal, type RpcId, type RpcRequest } from './json-rpc.ts'
import { cancelling, following, marketMethod, ofKnownTask, reading, type Method, type MethodDeps } from './methods.ts'
import { readDialect } from './newer-dialect.ts'
import { failure, hasFailed, oneFrame, success, type Outcome, type TextStream } from './outcome.ts'
import { createMethodPlans, createOperationPlans, refusalPlan } from './plans.ts'
import { historyOf, sending } from './send.ts'

export type A2aDeps = Pick<RestDeps, 'onRequest' | 'onFault'> &
  Pick<MethodDeps, 'faultOf'> & {
    readonly dispatch: Dispatch
    readonly plan: Planner
    readonly handlers: Readonly<Record<string, AnyHandler>>
    readonly answers: A2aAnswers
  }

/** Why nobody waits any more. Without a reason each request would make an error of its own for it, stack and all. */
const gone = 'the answer was written, or its caller left'

/** JSON-RPC for agents over the same operations as REST (spec §4, decision 0065). */
export function addA2a(server: FastifyInstance, deps: A2aDeps): void {
  const serve = createServe(deps)
  const open = new Set<Pick<TextStream, 'stop'>>()
  server.addHook('preClose', (done) => {
    for (const stream of open) stream.stop()
    done()
  })
  server.post(a2aPath, { config: { origins: 'every' } }, async (request, reply) => {
    const startedAt = performance.now()
    const raw = rawRequest(request, reply)
    const leaving = new AbortController()
    const waiting = {
      stop: () => {
        leaving.abort(gone)
      },
    }
    open.add(waiting)
    // Whoever leaves waits for nothing; an answer that was written ends it as well.
    whenLeft(reply.raw, () => {
      open.delete(waiting)
      waiting.stop()
    })
    const done = await serve(raw, leaving.signal)
    const {
      outcome,
      outcome: { served },
    } = done
    if (served.fault !== undefined) deps.onFault?.(served.fault, request.id)
    deps.onRequest?.({
      id: request.id,
      op: done.method,
      method: request.method,
      path: a2aPath,
      status: outcome.status,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      ...(served.code === null ? {} : { code: served.code }),
      ...(served.wallet === null ? {} : { wallet: served.wallet }),
    })
    return write(reply, done, open, (run) => {
      raw.onEnd?.(run)
    })
  })
}

type Done = { readonly method: string; readonly outcome: Outcome; readonly isNotification: boolean }

function createServe(deps: A2aDeps): (request: RawRequest, leaving: AbortSignal) => Promise<Done> {
  const streams = createOpenStreams({
    each: a2aLimits.streamsEach,
    perAddress: a2aLimits.streamsPerAddress,
    inAll: a2aLimits.streamsInAll,
  })
  const methods = createMethods({
    ...deps,
    openStream: (holder) => streams.take(holder),
    operationPlans: createOperationPlans(deps.plan),
    methodPlans: createMethodPlans(a2aMethods),
  })
  return async (request, leaving) => {
    let method = 'a2a'
    let rpc: RpcRequest | undefined
    try {
      const received = readRpc(request)
      demandVersion(request, received.id)
      const spoken = readDialect(received)
      ;({ rpc } = spoken)
      spoken.check()
      const run = Object.hasOwn(methods, rpc.method) ? methods[rpc.method] : undefined
      if (run === undefined)
        throw new RpcRefusal('MethodNotFound', 'NOT_FOUND', 'the agent card names the methods that exist.', rpc.id)
      method = `a2a ${received.method}`
      return {
        method,
        outcome: spoken.answered(asAsked(await run({ rpc, request, leaving }), rpc, request)),
        isNotification: rpc.isNotification,
      }
    } catch (thrown) {
      const outcome = await refused(deps, request, rpc?.id ?? null, thrown)
      return {
        method,
        outcome: rpc === undefined ? outcome : asAsked(outcome, rpc, request),
        isNotification: rpc?.isNotification ?? false,
      }
    }
  }
}

/** What is refused before it is dispatched is counted like every other call: nobody floods for nothing. */
async function refused(deps: A2aDeps, request: RawRequest, id: RpcId, thrown: unknown): Promise<Outcome> {
  const error: unknown = thrown instanceof RpcRefusal ? thrown.refused : thrown
  const served = await deps.dispatch(refusalPlan(error), () => ({ body: null }), request, {})
  if (!hasFailed(served)) return success(id, served)
  const isOurs = thrown instanceof RpcRefusal && 'code' in thrown.refused && served.code === thrown.refused.code
  return failure(id ?? (thrown instanceof RpcRefusal ? thrown.id : null), served, isOurs ? thrown.rpc : null)
}

/** Clients of streams read an error as an event, where HTTP has nothing to say about it. */
function asAsked(outcome: Outcome, { method }: RpcRequest, request: RawRequest): Outcome {
  const streams = Object.entries(a2aMethods).some(([name, about]) => name === method && 'streams' in about)
  const isError =
    streams &&
    outcome.stream === undefined &&
    outcome.status === 200 &&
    (headerOf(request, 'accept') ?? '').includes('text/event-stream')
  return isError ? { ...outcome, stream: oneFrame(outcome.text) } : outcome
}

function write(
  reply: FastifyReply,
  { outcome, isNotification }: Done,
  open: Set<Pick<TextStream, 'stop'>>,
  ended: (run: () => void) => void,
): FastifyReply {
  addCommonHeaders(reply, false)
  reply.headers(outcome.served.headers)
  if (isNotification && outcome.status === 200) return reply.code(204).send()
  reply.code(outcome.status)
  if (outcome.stream === undefined)
    return reply.header('content-type', 'application/json; charset=utf-8').send(outcome.text)
  const { stream } = outcome
  open.add(stream)
  // Whoever leaves makes room at once, not at the next event.
  ended(() => {
    open.delete(stream)
    stream.stop()
  })
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(stream.text))
}

function createMethods(deps: MethodDeps): Readonly<Record<string, Method>> {
  const { answers } = deps
  const check =
    (name: A2aMethodName) =>
    (params: JsonObject): void => {
      deps.methodPlans(name, params).check(params)
    }
  const taskRecord = ofKnownTask('task_id', marketMethod(deps, 'tasks.get'))
  const taskObject = ofKnownTask(
    'id',
    reading(deps, 'tasks/get', (who, params) => answers.readTask(who, String(params['id']), historyOf(params))),
  )
  return {
    'agent/info': marketMethod(deps, 'service.agentInfo'),
    'tasks/create': marketMethod(deps, 'tasks.publish', answers.createFields),
    'tasks/approve': marketMethod(deps, 'submissions.approve'),
    'tasks/get': async (reached) => {
      const { id, params } = reached.rpc
      if ('task_id' in params && 'id' in params)
        throw new RpcRefusal(
          'InvalidParams',
          'VALIDATION_FAILED',
          'task_id asks for the record of the market, id for a Task; not both.',
          id,
        )
      return 'task_id' in params ? taskRecord(reached) : taskObject(reached)
    },
    'tasks/cancel': ofKnownTask('id', cancelling(deps, check('tasks/cancel'))),
    'message/send': sending(deps, check('message/send'), false),
    'message/stream': sending(deps, check('message/stream'), true),
    'tasks/resubscribe': ofKnownTask('id', following(deps, 'tasks/resubscribe')),
    ...pushMethods(deps),
    'agent/getAuthenticatedExtendedCard': reading(deps, 'agent/getAuthenticatedExtendedCard', (who) =>
      answers.extendedCard(who),
    ),
  } satisfies Record<A2aMethodName, Method>
}

function pushMethods(deps: MethodDeps) {
  const { push } = deps.answers
  const idOf = (params: JsonObject): string | null =>
    typeof params['pushNotificationConfigId'] === 'string' ? params['pushNotificationConfigId'] : null
  return {
    'tasks/pushNotificationConfig/set': reading(deps, 'tasks/pushNotificationConfig/set', (who, params) =>
      push.set(who, String(params['taskId']), params['pushNotificationConfig'] as JsonObject),
    ), // the schema admits an object alone
    'tasks/pushNotificationConfig/get': reading(deps, 'tasks/pushNotificationConfig/get', (who, params) =>
      push.get(who, String(params['id']), idOf(params)),
    ),
    'tasks/pushNotificationConfig/list': reading(deps, 'tasks/pushNotificationConfig/list', (who, params) =>
      push.list(who, String(params['id'])),
    ),
    'tasks/pushNotificationConfig/delete': reading(deps, 'tasks/pushNotificationConfig/delete', async (who, params) => {
      await push.remove(who, String(params['id']), String(params['pushNotificationConfigId']))
      return null
    }),
  }
}
