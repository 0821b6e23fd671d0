import type { Terms } from '../chain/draft.ts'
import { giveFeedback, respondToFeedback, revokeFeedback } from '../identity/feedback.ts'
import { readIdentity, readMetadata, readOwned, readReputation, readTotalSupply } from '../identity/reads.ts'
import { createOwnedAgents } from '../identity/owned-agents.ts'
import { prepareRelay, submitRelay } from '../identity/relay.ts'
import { hashNames } from '../settle/await-outcome.ts'
import { requireAdmin } from './admin.ts'
import { readBody, readTerms } from './body.ts'
import type { BlockCheck, Context } from './context.ts'
import { ok, type Reply, type Route } from './exchange.ts'
import { describeFailure, doubt, type Failure } from './failure.ts'
import { addRegisterRoutes } from './register-routes.ts'
import type { Router } from './router.ts'

export function addIdentityRoutes(router: Router, context: Context, check: BlockCheck): void {
  const guarding =
    (said: (failure: Failure) => object) =>
    (route: Route): Route =>
    async (call) => {
      try {
        return await route(call)
      } catch (error) {
        return answerFailure(error, context, said)
      }
    }
  const guarded = guarding(doubt)
  // What only reads has sent nothing, whatever failed.
  const reading = guarding(({ status }) => (status >= 500 ? { broadcast: false } : {}))
  const writing = (write: (value: unknown, terms: Terms, context: Context) => Promise<object>): Route =>
    guarded(async ({ request }) => {
      const { value, requestHash } = readBody(request)
      checkRater(value, check)
      return ok(await write(value, readTerms(request, requestHash), context))
    })
  router.on('POST', '/feedback', writing(giveFeedback))
  router.on('POST', '/feedback/response', writing(respondToFeedback))
  router.on(
    'POST',
    '/feedback/evm/prepare',
    reading(async ({ request }) => {
      const { value } = readBody(request)
      checkRater(value, check)
      return ok(await prepareRelay(value, context))
    }),
  )
  router.on('POST', '/feedback/evm/submit', writing(submitRelay))
  const revoke = writing(revokeFeedback)
  router.on(
    'POST',
    '/feedback/revoke',
    guarded(async (call) => {
      requireAdmin(call.request, context.adminToken)
      return revoke(call)
    }),
  )
  addRegisterRoutes(router, context, check, { guarded, reading })
  addReads(router, context, reading)
}

function checkRater(value: unknown, check: BlockCheck): void {
  const named = value as { rater?: unknown; feedback?: { rater?: unknown } } | null
  for (const rater of [named?.rater, named?.feedback?.rater]) check(typeof rater === 'string' ? rater : undefined)
}

function addReads(router: Router, context: Context, guarded: (route: Route) => Route): void {
  const { networks } = context
  const owned = createOwnedAgents(context.surroundings)
  const reading = (
    path: string,
    read: (params: readonly [string, string, string], query: () => URLSearchParams) => Promise<object>,
  ): void => {
    router.on(
      'GET',
      path,
      guarded(async ({ params: [first = '', second = '', third = ''], query }) =>
        ok(await read([first, second, third], query)),
      ),
    )
  }
  reading('/reputation/:network/:agentId', ([network, id], query) =>
    readReputation(network, id, Object.fromEntries(query()), networks),
  )
  reading('/identity/:network/total-supply', ([network]) => readTotalSupply(network, networks))
  reading('/identity/:network/owner/:address', ([network, address]) => readOwned(network, address, networks, owned))
  reading('/identity/:network/:agentId', ([network, id]) => readIdentity(network, id, networks))
  reading('/identity/:network/:agentId/metadata/:key', ([network, id, key]) => readMetadata(network, id, key, networks))
}

function answerFailure(error: unknown, context: Context, said: (failure: Failure) => object): Reply {
  const failure = describeFailure(error, context)
  const { status, headers, text, code, details } = failure
  const { transaction } = details
  return {
    status,
    headers,
    body: {
      success: false,
      error: text,
      errorCode: code,
      ...said(failure),
      ...details,
      ...(typeof transaction === 'string' ? hashNames(transaction) : {}),
    },
  }
}
