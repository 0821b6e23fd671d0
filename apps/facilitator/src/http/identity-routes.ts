import { timingSafeEqual, createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { giveFeedback, respondToFeedback, revokeFeedback, type IdentityRequest } from '../identity/feedback.ts'
import { readIdentity, readMetadata, readOwned, readReputation, readTotalSupply, type ReputationQuery } from '../identity/reads.ts'
import { prepareRelay, submitRelay } from '../identity/relay.ts'
import { hashNames } from '../settle/await-outcome.ts'
import { readBody, readIdempotencyKey } from './body.ts'
import type { Context } from './context.ts'
import { describeFailure } from './failure.ts'
import { addRegisterRoutes } from './register-routes.ts'

type BlockCheck = (...addresses: readonly (string | undefined)[]) => void
type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<object>

export function addIdentityRoutes(app: FastifyInstance, context: Context, check: BlockCheck): void {
  const guarded = (answer: Answer): Answer => async (request, reply) => {
    try {
      return await answer(request, reply)
    } catch (error) {
      return answerFailure(error, reply, context)
    }
  }
  const writing = (write: (request: IdentityRequest, context: Context) => Promise<object>): Answer => guarded(async (request) => {
    const body = readBody(request)
    const value = body.value as { rater?: unknown; feedback?: { rater?: unknown } } | null
    for (const rater of [value?.rater, value?.feedback?.rater]) check(typeof rater === 'string' ? rater : undefined)
    return write({ ...body, idempotencyKey: readIdempotencyKey(request) }, context)
  })
  app.post('/feedback', writing(giveFeedback))
  app.post('/feedback/response', writing(respondToFeedback))
  app.post('/feedback/evm/prepare', writing((request) => prepareRelay(request.value, context)))
  app.post('/feedback/evm/submit', writing(submitRelay))
  const revoke = writing(revokeFeedback)
  app.post('/feedback/revoke', guarded(async (request, reply) => {
    requireAdmin(request, context.adminToken)
    return revoke(request, reply)
  }))
  addRegisterRoutes(app, context, check, guarded)
  addReads(app, context, guarded)
}

function addReads(app: FastifyInstance, context: Context, guarded: (answer: Answer) => Answer): void {
  const { networks } = context
  const param = (request: FastifyRequest, name: string): string => (request.params as Record<string, string | undefined>)[name] ?? '' // Fastify leaves params untyped
  app.get('/reputation/:network/:agentId', guarded((request) =>
    readReputation(param(request, 'network'), param(request, 'agentId'), request.query as ReputationQuery, networks))) // strings, checked by the reader
  app.get('/identity/:network/total-supply', guarded((request) => readTotalSupply(param(request, 'network'), networks)))
  app.get('/identity/:network/owner/:address', guarded((request) => readOwned(param(request, 'network'), param(request, 'address'), networks)))
  app.get('/identity/:network/:agentId', guarded((request) => readIdentity(param(request, 'network'), param(request, 'agentId'), networks)))
  app.get('/identity/:network/:agentId/metadata/:key', guarded((request) =>
    readMetadata(param(request, 'network'), param(request, 'agentId'), param(request, 'key'), networks)))
}

/** Hidden where no token is configured. */
function requireAdmin(request: FastifyRequest, token: string | undefined): void {
  if (token === undefined) throw new Refusal('not_found', 'not_found', { status: 404 })
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`))) throw new Refusal('unauthorized', 'a valid admin bearer token is required', { status: 401 })
}

function answerFailure(error: unknown, reply: FastifyReply, context: Context): object {
  const failure = describeFailure(error, reply, context.log)
  reply.code(failure.status)
  const { transaction } = failure.details
  return {
    success: false, error: failure.text, errorCode: failure.code,
    ...(failure.status === 502 || failure.status === 503 ? { broadcast: false } : {}),
    ...failure.details,
    ...(typeof transaction === 'string' ? hashNames(transaction) : {}),
  }
}
