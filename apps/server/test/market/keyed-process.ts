import { operations, type Operation, type OperationName } from '@ergon/contract'
import type { Market, WalletCaller } from '@ergon/core'
import { createKeyStore, type KeyStore } from '../../src/adapters/postgres/index.ts'
import type { ApiDeps } from '../../src/api/deps.ts'
import { createDisputeHandlers } from '../../src/api/disputes.ts'
import { createEscrowHandlers } from '../../src/api/escrow.ts'
import { createListingHandlers } from '../../src/api/listings.ts'
import { createOperationHandlers } from '../../src/api/operations.ts'
import { createMessageHandlers } from '../../src/api/messages.ts'
import { createPaymentHandlers } from '../../src/api/payments.ts'
import { createPortfolioHandlers } from '../../src/api/portfolio.ts'
import { createRecoveries } from '../../src/api/recover/recoveries.ts'
import { createQuestionHandlers } from '../../src/api/questions.ts'
import { createReputationHandlers } from '../../src/api/reputation.ts'
import { createSubmissionHandlers } from '../../src/api/submissions.ts'
import { createTaskHandlers } from '../../src/api/tasks.ts'
import { createWebhookHandlers } from '../../src/api/webhooks.ts'
import { createWorkerHandlers } from '../../src/api/workers.ts'
import type { AnyHandler, Answer } from '../../src/dispatch/handlers.ts'
import { createIdempotency, type Recover } from '../../src/dispatch/idempotency.ts'
import { createPlanner } from '../../src/dispatch/plan.ts'
import { createPortfolioLinks } from '../../src/portfolio-links.ts'
import { wireWebhooks } from '../../src/wire-webhooks.ts'
import type { Stage } from './stage.ts'
import { runUntilStopped } from './until-stopped.ts'

/** How long a key is held, and how long its answer is kept. */
export const times = { leaseMs: 60_000, keepMs: 86_400_000 }
export type Call = {
  readonly name: OperationName
  readonly caller: WalletCaller
  readonly input: Readonly<Record<string, unknown>>
}
type Send = (call: Call, key: string) => Promise<Answer<unknown>>

export const hooksOn = (pool: Stage['pool']): ReturnType<typeof wireWebhooks> =>
  wireWebhooks({
    pool,
    secret: 'a secret of this test, long enough',
    near: 'loopback',
    version: 'test',
    now: () => new Date(),
    onCommitted: () => undefined,
    onError: (error) => {
      throw error
    },
  })

/** What a process does with a keyed call once dispatch let it in. */
export function createSend(market: Market, store: KeyStore, pool: Stage['pool']): Send {
  const { webhooks, publicKey: webhookKey } = hooksOn(pool)
  // The handlers of these operations ask for no more than this.
  const deps = {
    market,
    keys: store,
    paymentMode: 'fase2',
    networks: [],
    webhooks,
    webhookKey,
    portfolioLinks: createPortfolioLinks('a secret of this test, long enough'),
    now: () => new Date(),
    // Nobody here calls with a token.
    withinCap: (_caller: unknown, _submissionId: string, approve: () => Promise<unknown>) => approve(),
    standingRelease: () => Promise.resolve(null),
  } as unknown as ApiDeps
  const made = {
    ...createTaskHandlers(deps),
    ...createSubmissionHandlers(deps),
    ...createDisputeHandlers(deps),
    ...createMessageHandlers(deps),
    ...createQuestionHandlers(deps),
    ...createPortfolioHandlers(deps),
    ...createEscrowHandlers(deps),
    ...createPaymentHandlers(deps),
    ...createListingHandlers(deps),
    ...createReputationHandlers(deps),
    ...createWebhookHandlers(deps),
    ...createWorkerHandlers(deps),
  }
  const handlers = made as unknown as Readonly<Record<string, AnyHandler>> // as the service gives them to dispatch
  const recover = createRecoveries(deps) as unknown as Readonly<Record<string, Recover>>
  const idempotency = createIdempotency({
    keys: store,
    recover,
    onForgotten: (error) => {
      throw error
    },
  })
  const plan = createPlanner()
  return async ({ name, caller, input }, key) => {
    const definition: Operation = operations[name]
    const [binding] = definition.rest
    const handler = handlers[name]
    if (binding === undefined || handler === undefined) throw new Error(`${name} is not served`)
    const request = {
      method: binding.method,
      target: binding.path,
      headers: [['x-idempotency-key', key]] as const,
      body: new Uint8Array(0),
      ip: 'here',
      requestId: 'one',
    }
    return idempotency.run(plan(name, definition, binding), { caller, request, exact: () => undefined }, input, handler)
  }
}

/**
 * Sends from a process that dies with its connections at await `stopAt`; true when it lived to the end.
 * @throws when the call was refused before its stop
 */
export async function sendUntilStopped(stage: Stage, stopAt: number, call: Call, key: string): Promise<boolean> {
  const { finished, refusal } = await runUntilStopped(stage, stopAt, (market, { pool, stopper }) =>
    createSend(market, stopper.wrap(createKeyStore(pool, times)), stopper.wrapPool(pool))(call, key),
  )
  if (refusal !== null) throw new Error(`${call.name} was refused before await ${String(stopAt)}`, { cause: refusal })
  return finished
}

export async function leaseLapses(stage: Stage, key: string): Promise<void> {
  await stage.pool.query('update operations set lease_until = clock_timestamp() where key = $1', [key])
}

export async function lookUp(store: KeyStore, call: Call, key: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await createOperationHandlers(store)['operations.get'](
    {
      caller: call.caller,
      request: { method: 'GET', target: '', headers: [], body: new Uint8Array(0), ip: '', requestId: '' },
      exact: () => undefined,
    },
    { key },
  )
  return answer.body
}
