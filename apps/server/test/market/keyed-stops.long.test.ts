import { operations, type Operation, type OperationName } from '@ergon/contract'
import { createMarket, MarketError, type Market, type WalletCaller } from '@ergon/core'
import { createTestIds } from '@ergon/core/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKeyStore, createPool, createPostgresStore, type KeyStore } from '../../src/adapters/postgres/index.ts'
import type { ApiDeps } from '../../src/api/deps.ts'
import { createDisputeHandlers } from '../../src/api/disputes.ts'
import { createEscrowHandlers } from '../../src/api/escrow.ts'
import { createListingHandlers } from '../../src/api/listings.ts'
import { createOperationHandlers } from '../../src/api/operations.ts'
import { createPaymentHandlers } from '../../src/api/payments.ts'
import { createRecoveries } from '../../src/api/recover/recoveries.ts'
import { createReputationHandlers } from '../../src/api/reputation.ts'
import { createSubmissionHandlers } from '../../src/api/submissions.ts'
import { createTaskHandlers } from '../../src/api/tasks.ts'
import { createWebhookHandlers } from '../../src/api/webhooks.ts'
import { createWorkerHandlers } from '../../src/api/workers.ts'
import type { AnyHandler, Answer } from '../../src/dispatch/handlers.ts'
import { createIdempotency, type Recover } from '../../src/dispatch/idempotency.ts'
import { createPlanner } from '../../src/dispatch/plan.ts'
import { wireWebhooks } from '../../src/wire-webhooks.ts'
import { leaveFeeUnpaid } from '../http/unpaid-fee.ts'
import {
  appliedJob,
  approval,
  assignJob,
  caughtUp,
  ledgerDisagreements,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'
import { createStopper } from './stops.ts'

/**
 * A keyed call whose process stops at its n-th await between the first word of the key and the last. Whatever n is: the
 * lookup tells no lie, a resend with the same key has one effect, and a third one replays what the second answered.
 */

const times = { leaseMs: 60_000, keepMs: 86_400_000 }
let stage: Stage
let processes = 500
let keys = 0

beforeEach(async () => {
  stage = await openStage('fase2')
})
afterEach(() => stage[Symbol.asyncDispose]())

type Call = {
  readonly name: OperationName
  readonly caller: WalletCaller
  readonly input: Readonly<Record<string, unknown>>
}
type Send = (call: Call, key: string) => Promise<Answer<unknown>>

const hooksOn = (pool: Stage['pool']): ReturnType<typeof wireWebhooks> =>
  wireWebhooks({
    pool,
    secret: 'a secret of this test, long enough',
    allowLoopback: true,
    version: 'test',
    now: () => new Date(),
    onCommitted: () => undefined,
    onError: (error) => {
      throw error
    },
  })

/** What a process does with a keyed call once dispatch let it in. */
function createSend(market: Market, store: KeyStore, pool = stage.pool): Send {
  const { webhooks, publicKey: webhookKey } = hooksOn(pool)
  // The handlers of these operations ask for no more than this.
  const deps = {
    market,
    keys: store,
    paymentMode: 'fase2',
    networks: [],
    webhooks,
    webhookKey,
    // Nobody here calls with a token.
    withinCap: (_caller: unknown, _submissionId: string, approve: () => Promise<unknown>) => approve(),
    standingRelease: () => Promise.resolve(null),
  } as unknown as ApiDeps
  const made = {
    ...createTaskHandlers(deps),
    ...createSubmissionHandlers(deps),
    ...createDisputeHandlers(deps),
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

/** Sends from a process that dies with its connections at await `stopAt`; true when it lived to the end. */
async function sendUntilStopped(stopAt: number, call: Call, key: string): Promise<boolean> {
  processes += 1
  const application = `doomed_${String(processes)}`
  const url = new URL(stage.databaseUrl)
  url.searchParams.set('application_name', application)
  const pool = createPool(url.href, { onError: () => undefined })
  const stopper = createStopper(stopAt)
  const { deps } = stage
  const market = createMarket({
    ...deps,
    ids: createTestIds(processes),
    store: stopper.wrapStore(createPostgresStore(pool, { identityNetwork: 'localnet' })),
    rails: (network) => stopper.wrap(deps.rails(network)),
    signatures: stopper.wrap(deps.signatures),
    ratings: stopper.wrap(deps.ratings),
  })
  const running = createSend(
    market,
    stopper.wrap(createKeyStore(pool, times)),
    stopper.wrapPool(pool),
  )(call, key).then(
    () => true,
    () => true,
  )
  const finished = await Promise.race([running, stopper.stopped.then(() => false)])
  if (finished) await pool.end()
  else await hangUp(application)
  return finished
}

/** A dead process takes its connections with it: what it had not committed is undone. */
async function hangUp(application: string): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    const { rowCount } = await stage.pool.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1',
      [application],
    )
    quiet = rowCount === 0 ? quiet + 1 : 0
  }
}

async function leaseLapses(key: string): Promise<void> {
  await stage.pool.query('update operations set lease_until = clock_timestamp() where key = $1', [key])
}

async function lookUp(store: KeyStore, call: Call, key: string): Promise<Readonly<Record<string, unknown>>> {
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

async function count(text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await stage.pool.query<{ count: bigint }>(text, [...values])
  return Number(rows[0]?.count ?? 0n)
}

/** A call, and how many times its effect took place. */
type Scene = { readonly call: Call; effects(): Promise<number> }

const anOffer = {
  title: 'I translate menus',
  description: 'Any menu of up to four pages, into English.',
  category: 'simple_action',
  unit_price_usd: 1,
  skills: ['translation'],
}

async function accepted() {
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  return job
}

async function disputed() {
  const job = await submittedJob(stage)
  return stage.market.openDispute(worker, job.submissionId, { reason: 'other', description: 'We do not agree.' })
}

let sellers = 0
/** A seller nobody has seen: nobody may have more than twenty listings. */
async function seller(): Promise<WalletCaller> {
  sellers += 1
  const wallet = `0x${sellers.toString(16).padStart(40, '5')}`
  const agentId = await stage.market.ensureIdentity(wallet)
  return { kind: 'wallet', wallet, agentId, via: 'signature' }
}

async function publishedBy(caller: WalletCaller) {
  const { task } = await stage.market.publish(caller, {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and take one photo.',
    category: 'simple_action',
    bountyUsd: '1',
    deadlineHours: 24,
    evidenceRequired: ['text_response'],
    evidenceOptional: [],
    locationHint: null,
    minReputation: 0,
    network: null,
    token: null,
    target: 'any',
    publisherType: 'agent',
    paymentAuth: null,
    idempotency: null,
  })
  return task
}

/** An endpoint of a new owner, as it is when its challenge was answered. */
async function hooked() {
  const caller = await seller()
  const { webhook } = await hooksOn(stage.pool).webhooks.create(caller.wallet, {
    url: 'https://example.org/hook',
    events: ['*'],
    description: null,
    signsEd25519: false,
  })
  await stage.pool.query("update webhooks set status = 'active', verified_at = now() where id = $1", [webhook.id])
  return { caller, webhook_id: webhook.id }
}

const queued = (webhookId: string, kind: string) => () =>
  count('select count(*) from webhook_deliveries where webhook_id = $1 and kind = $2', [webhookId, kind])

const settled = (taskId: string, purpose: string) => () =>
  count("select count(*) from settlements where task_id = $1 and purpose = $2 and status = 'confirmed'", [
    taskId,
    purpose,
  ])

/** Operations that make something, or that a second run would refuse because of the first. */
const scenes: readonly (readonly [OperationName, (stopAt: number) => Promise<Scene>])[] = [
  [
    'listings.create',
    async (stopAt) => {
      const caller = await seller()
      const title = `I translate menus ${String(stopAt)}`
      return {
        call: { name: 'listings.create', caller, input: { ...anOffer, title } },
        effects: () => count('select count(*) from listings where title = $1', [title]),
      }
    },
  ],
  [
    'listings.order',
    async () => {
      const caller = await seller()
      const listing = await stage.market.postListing(caller, {
        title: 'I translate',
        description: 'Any menu of up to four pages.',
        category: 'simple_action',
        unitPriceUsd: '1',
        skills: [],
        evidence: ['text_response'],
        network: null,
        acceptedNetworks: null,
      })
      return {
        call: { name: 'listings.order', caller: publisher, input: { listing_id: listing.id } },
        effects: () => count('select count(*) from applications where executor_id = $1', [listing.sellerExecutorId]),
      }
    },
  ],
  [
    'tasks.apply',
    async () => {
      const { taskId } = await appliedJob(stage)
      const caller = await seller()
      return {
        call: { name: 'tasks.apply', caller, input: { task_id: taskId } },
        effects: () =>
          count(
            'select count(*) from applications a join workers w on w.id = a.executor_id where a.task_id = $1 and w.wallet = $2',
            [taskId, caller.wallet],
          ),
      }
    },
  ],
  [
    'tasks.submit',
    async () => {
      const { taskId } = await accepted()
      return {
        call: {
          name: 'tasks.submit',
          caller: worker,
          input: { task_id: taskId, evidence: { text_response: 'It is open.' } },
        },
        effects: () => count('select count(*) from submissions where task_id = $1', [taskId]),
      }
    },
  ],
  [
    'submissions.dispute',
    async () => {
      const { submissionId } = await submittedJob(stage)
      return {
        call: {
          name: 'submissions.dispute',
          caller: worker,
          input: { submission_id: submissionId, reason: 'other', description: 'We do not agree.' },
        },
        effects: () => count('select count(*) from disputes where submission_id = $1', [submissionId]),
      }
    },
  ],
  [
    'disputes.addEvidence',
    async () => {
      const { id } = await disputed()
      return {
        call: { name: 'disputes.addEvidence', caller: worker, input: { dispute_id: id, statement: 'I was there.' } },
        effects: () => count('select count(*) from dispute_statements where dispute_id = $1', [id]),
      }
    },
  ],
  [
    'submissions.reject',
    async () => {
      const { submissionId } = await submittedJob(stage)
      return {
        call: {
          name: 'submissions.reject',
          caller: publisher,
          input: { submission_id: submissionId, reason: 'The photo shows another gate.' },
        },
        effects: () => count('select count(*) from disputes where submission_id = $1', [submissionId]),
      }
    },
  ],
  [
    'submissions.requestChanges',
    async () => {
      const { submissionId, taskId } = await submittedJob(stage)
      return {
        call: {
          name: 'submissions.requestChanges',
          caller: publisher,
          input: { submission_id: submissionId, reason: 'The photo is too dark.' },
        },
        effects: () =>
          count("select count(*) from outbox where task_id = $1 and type = 'submission.revision_requested'", [taskId]),
      }
    },
  ],
  [
    'tasks.update',
    async () => {
      const task = await publishedBy(publisher)
      return {
        call: { name: 'tasks.update', caller: publisher, input: { task_id: task.id, title: 'Photograph the door' } },
        effects: () => count("select count(*) from tasks where id = $1 and title = 'Photograph the door'", [task.id]),
      }
    },
  ],
  [
    'webhooks.create',
    async () => {
      const caller = await seller()
      return {
        call: { name: 'webhooks.create', caller, input: { url: 'https://example.org/hook', events: ['*'] } },
        effects: () => count('select count(*) from webhooks where owner = $1', [caller.wallet]),
      }
    },
  ],
  [
    'webhooks.rotateSecret',
    async () => {
      const { caller, webhook_id } = await hooked()
      return {
        call: { name: 'webhooks.rotateSecret', caller, input: { webhook_id } },
        effects: async () =>
          (await count('select count(*) from webhook_secrets where webhook_id = $1', [webhook_id])) - 1,
      }
    },
  ],
  [
    'webhooks.remove',
    async () => {
      const { caller, webhook_id } = await hooked()
      return {
        call: { name: 'webhooks.remove', caller, input: { webhook_id } },
        effects: async () => 1 - (await count('select count(*) from webhooks where id = $1', [webhook_id])),
      }
    },
  ],
  [
    'webhooks.test',
    async () => {
      const { caller, webhook_id } = await hooked()
      return { call: { name: 'webhooks.test', caller, input: { webhook_id } }, effects: queued(webhook_id, 'test') }
    },
  ],
  [
    'webhooks.replayDelivery',
    async () => {
      const { caller, webhook_id } = await hooked()
      const delivery_id = await hooksOn(stage.pool).webhooks.test(caller.wallet, webhook_id)
      return {
        call: { name: 'webhooks.replayDelivery', caller, input: { webhook_id, delivery_id } },
        effects: queued(webhook_id, 'replay'),
      }
    },
  ],
  [
    'webhooks.replay',
    async () => {
      const { caller, webhook_id } = await hooked()
      await publishedBy(caller)
      await caughtUp(stage)
      return {
        call: { name: 'webhooks.replay', caller, input: { webhook_id, from: '2020-01-01T00:00:00Z' } },
        effects: queued(webhook_id, 'replay'),
      }
    },
  ],
  [
    'reputation.submit',
    async () => {
      const { submissionId, taskId } = await submittedJob(stage)
      await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
      await untilQuiet(stage)
      const one = await stage.market.prepareRating(publisher, {
        taskId,
        direction: 'publisher_rates_executor',
        score: 90,
        comment: null,
      })
      const input = {
        task_id: taskId,
        direction: one.direction,
        score: one.score,
        network: one.network,
        ratee_agent_id: one.agentId,
        rater_wallet: one.rater,
        deadline: one.deadline,
        nonce: one.nonce,
        tag1: one.tag1,
        tag2: one.tag2,
        endpoint: one.endpoint,
        feedback_uri: one.feedbackUri,
        feedback_hash: one.feedbackHash,
        signature: '0x',
      }
      return {
        call: { name: 'reputation.submit', caller: publisher, input },
        effects: () =>
          count("select count(*) from outbox where task_id = $1 and type = 'reputation.updated'", [taskId]),
      }
    },
  ],
  [
    'workers.register',
    async () => {
      const caller = await seller()
      return {
        call: { name: 'workers.register', caller, input: { name: 'Ada' } },
        effects: () =>
          count("select count(*) from workers where wallet = $1 and display_name = 'Ada'", [caller.wallet]),
      }
    },
  ],
]

/** Operations that move money: what was begun the reconciler may finish or give back. */
const moving: readonly (readonly [OperationName, () => Promise<Scene>])[] = [
  [
    'tasks.assign',
    async () => {
      const job = await appliedJob(stage)
      return {
        call: {
          name: 'tasks.assign',
          caller: publisher,
          input: { task_id: job.taskId, executor_id: job.executorId, payment_auth: job.paymentAuth },
        },
        effects: settled(job.taskId, 'lock'),
      }
    },
  ],
  [
    'submissions.approve',
    async () => {
      const job = await submittedJob(stage)
      const { order } = await approval(stage, job.submissionId)
      return {
        call: {
          name: 'submissions.approve',
          caller: publisher,
          input: { submission_id: job.submissionId, lifecycle_order: order },
        },
        effects: settled(job.taskId, 'release'),
      }
    },
  ],
  [
    'tasks.cancel',
    async () => {
      const { taskId } = await accepted()
      return {
        call: { name: 'tasks.cancel', caller: publisher, input: { task_id: taskId } },
        effects: settled(taskId, 'refund'),
      }
    },
  ],
  [
    'payments.payFee',
    async () => {
      const { taskId, submissionId } = await submittedJob(stage)
      await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
      await leaveFeeUnpaid((text, values) => stage.pool.query(text, [...values]), taskId)
      const { auth } = await stage.market.feeChallenge(publisher, taskId)
      return {
        call: {
          name: 'payments.payFee',
          caller: publisher,
          input: { task_id: taskId, settlement_auth_fee: JSON.stringify(auth?.envelope) },
        },
        effects: settled(taskId, 'fee'),
      }
    },
  ],
  [
    'tasks.withdraw',
    async () => {
      const { taskId } = await accepted()
      return {
        call: { name: 'tasks.withdraw', caller: worker, input: { task_id: taskId } },
        effects: settled(taskId, 'stepdown'),
      }
    },
  ],
]

/** Stops everywhere, looks, resends, and sends once more; answers how many stops there were. */
async function survives(begin: (stopAt: number) => Promise<Scene>, money: boolean): Promise<number> {
  const store = createKeyStore(stage.pool, times)
  const send = createSend(stage.market, store)
  for (let stopAt = 1; stopAt < 200; stopAt += 1) {
    const { call, effects } = await begin(stopAt)
    const key = `key-${String((keys += 1))}`
    const finished = await sendUntilStopped(stopAt, call, key)
    const place = `after a stop at await ${String(stopAt)}`
    const held = await lookUp(store, call, key)
    if (held['state'] === 'in_flight')
      await expect(send(call, key), place).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
    await leaseLapses(key)
    if (money) await untilQuiet(stage)
    const seen = await lookUp(store, call, key)
    const before = await effects()
    expect([seen['state'], before], place).toEqual([
      before === 1
        ? seen['state'] === 'done'
          ? 'done'
          : 'in_doubt'
        : seen['state'] === 'in_doubt'
          ? 'in_doubt'
          : 'not_seen',
      before,
    ])
    expect(before, place).toBeLessThanOrEqual(1)
    const second = await send(call, key)
    expect(await effects(), place).toBe(1)
    const third = await send(call, key)
    expect([third.body, third.headers], place).toEqual([
      JSON.parse(JSON.stringify(second.body)),
      { 'idempotent-replayed': 'true' },
    ])
    const told = await lookUp(store, call, key)
    // A secret is not kept with the key: the lookup knows only what it can be opened from (decision 0069).
    if (JSON.stringify(third.body).includes('whsec_'))
      expect([told['state'], JSON.stringify(told).includes('whsec_')]).toEqual(['done', false])
    else expect(told).toMatchObject({ state: 'done', operation: call.name, answer: third.body })
    if (money) expect(await ledgerDisagreements(stage), place).toEqual([])
    if (finished) return stopAt - 1
  }
  throw new Error('the call did not run through within 200 awaits')
}

describe('a keyed call survives a stop at every await, and is carried out once', () => {
  test.each(scenes)('%s', { timeout: 120_000 }, async (_name, begin) => {
    expect(await survives(begin, false)).toBeGreaterThan(6)
  })

  test.each(moving)('%s', { timeout: 180_000 }, async (_name, begin) => {
    expect(await survives(begin, true)).toBeGreaterThan(10)
  })
})

test('a process whose key was taken over writes nothing', async () => {
  const { call } = {
    call: { name: 'listings.create', caller: await seller(), input: { ...anOffer, title: 'Taken over' } } as const,
  }
  const held = createKeyStore(stage.pool, { ...times, leaseMs: 0 })
  const { promise: taken, resolve } = Promise.withResolvers<undefined>()
  const slow: Market = {
    ...stage.market,
    postListing: async (...args) => {
      await taken
      return stage.market.postListing(...args)
    },
  }
  const zombie = createSend(slow, held)(call, 'zombie')
  const store = createKeyStore(stage.pool, times)
  await expect.poll(() => count("select count(*) from operations where key = 'zombie'", [])).toBe(1)
  const { body } = await createSend(stage.market, store)(call, 'zombie')
  resolve(undefined)
  const thrown: unknown = await zombie.catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(MarketError)
  expect(thrown).toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
  expect(await count("select count(*) from listings where title = 'Taken over'", [])).toBe(1)
  expect(await lookUp(store, call, 'zombie')).toMatchObject({ state: 'done', answer: JSON.parse(JSON.stringify(body)) })
})

test('a call that takes longer than its lease keeps its key', async () => {
  const store = createKeyStore(stage.pool, { ...times, leaseMs: 1_500 })
  const call = { name: 'listings.create', caller: await seller(), input: { ...anOffer, title: 'Slow' } } as const
  const { promise: ready, resolve } = Promise.withResolvers<undefined>()
  const slow: Market = {
    ...stage.market,
    postListing: async (...args) => {
      await ready
      return stage.market.postListing(...args)
    },
  }
  const first = createSend(slow, store)(call, 'slow')
  await expect.poll(() => count("select count(*) from operations where key = 'slow'", [])).toBe(1)
  const {
    rows: [begun],
  } = await stage.pool.query<{ lapses: string }>(
    "select lease_until::text as lapses from operations where key = 'slow'",
  )
  await expect
    .poll(
      () =>
        count("select count(*) from operations where key = 'slow' and clock_timestamp() > $1::timestamptz", [
          begun?.lapses,
        ]),
      { timeout: 10_000 },
    )
    .toBe(1)
  await expect(createSend(stage.market, store)(call, 'slow')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
  resolve(undefined)
  const { body } = await first
  expect(await lookUp(store, call, 'slow')).toMatchObject({ state: 'done', answer: JSON.parse(JSON.stringify(body)) })
})

test('what is older than answers are kept is forgotten', async () => {
  const store = createKeyStore(stage.pool, times)
  const call = { name: 'workers.register', caller: await seller(), input: { name: 'Bea' } } as const
  await createSend(stage.market, store)(call, 'old')
  await store.purge(10)
  expect(await lookUp(store, call, 'old')).toMatchObject({ state: 'done' })
  await stage.pool.query("update operations set created_at = created_at - interval '25 hours' where key = 'old'")
  expect(await store.purge(10)).toBe(1)
  expect(await lookUp(store, call, 'old')).toEqual({
    key: 'old',
    operation: null,
    state: 'not_seen',
    status: null,
    answer: null,
    created_at: null,
  })
})
