import {
  asksSignature,
  incompleteWithout,
  returnSignature,
  toolInput,
  tools,
  type AskingTool,
  type Tool,
} from '@ergon/contract'
import type { TypedData } from '@ergon/protocols'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aTask, applied, expectStatus, startLiveMarket, type LiveMarket } from '../http/live-market.ts'
import { adminKey, asAdmin } from '../http/live-admin.ts'
import { anArbiter, grounds, offered } from '../http/live-offers.ts'
import { signedIn } from '../http/live-people.ts'
import { jobs } from '../tour/scene.ts'
import { agentToAgent, delegatedTools, signedTools, tokens, type Door, type Json, type Place } from './doors.ts'
import { blockIn, isBlock, resultOf, signAll } from './wallet-blocks.ts'

/**
 * Every tool that needs a key of the caller's wallet (spec §5, OAuth 10): what its block carries is signed for real and
 * returned the way the block says, on a real chain.
 */
const stack = new AsyncDisposableStack()
let escrow: Place
let direct: Place
/** An arbiter calls in the place of the publisher. */
let court: Place
beforeAll(async () => {
  const place = async (market: LiveMarket): Promise<Place> => {
    const [publisher, worker] = [await market.party(100n), await market.party(0n)]
    return { market, publisher, worker, scene: jobs(publisher, worker, await signedIn(market, publisher)) }
  }
  const first = stack.use(await startLiveMarket({ SVC_ADMIN_KEY: adminKey }, undefined, { grants: tokens.grants }))
  escrow = await place(first)
  const admin = (method: string, target: string, body?: unknown) => asAdmin(first, method, target, body)
  court = { ...escrow, publisher: await anArbiter({ market: first, admin }) }
  direct = await place(stack.use(await startLiveMarket({ SVC_PAYMENT_MODE: 'fase1' }, first.rig)))
})
afterAll(() => stack.disposeAsync())

type Row = {
  readonly says: string
  readonly door: Door
  readonly place: () => Place
  /** The arguments of the call that lacks a signature. */
  readonly arrange: (place: Place) => Promise<Json>
  /** What takes the signatures, in the order in which they are asked for. */
  readonly takes: readonly string[]
  /** The answer in the end, and whose balance changed by how much, in atomic units of 1.07 USD with a fee of 13 %. */
  readonly ends: Json
  readonly moves: readonly ['publisher' | 'worker', bigint]
}

const locks = {
  arrange: ({ publisher, worker }: Place) => named(applied(publisher, worker)),
  takes: ['payment_auth'],
} as const
const named = async (job: ReturnType<typeof applied>): Promise<Json> => {
  const { taskId, executorId } = await job
  return { task_id: taskId, executor_id: executorId }
}
const locked = { ends: { status: 'accepted' }, moves: ['publisher', -1_070_000n] } as const
const inReview = {
  arrange: async ({ scene }: Place) => ({ submission_id: (await scene.submitted()).submissionId }),
} as const
const paid = { ends: { status: 'approved' }, moves: ['worker', 930_900n] } as const
const inEscrow = { place: () => escrow }
const offers = {
  arrange: async ({ scene }: Place) => ({ task_id: (await scene.accepted()).taskId, worker_amount_usd: 0.5 }),
  ends: { status: 'open', worker_amount_usd: 0.5 },
  moves: ['publisher', 0n],
} as const
const accepts = {
  arrange: async ({ scene, worker }: Place) => ({ offer_id: await offered(worker, (await scene.submitted()).taskId) }),
  ends: { status: 'settled', worker_amount_usd: 0.5 },
  moves: ['worker', 435_000n],
} as const

const rows: Readonly<Record<Exclude<AskingTool, 'svc_order_service'>, readonly Row[]>> = {
  svc_assign_task: [
    { says: 'a signed caller locks', door: signedTools, ...inEscrow, ...locks, ...locked },
    { says: 'a token locks', door: delegatedTools, ...inEscrow, ...locks, ...locked },
    { says: 'another agent locks', door: agentToAgent, ...inEscrow, ...locks, ...locked },
  ],
  svc_approve_submission: [
    {
      says: 'a signed caller releases',
      door: signedTools,
      ...inEscrow,
      ...inReview,
      takes: ['lifecycle_order'],
      ...paid,
    },
    {
      says: 'another agent releases',
      door: agentToAgent,
      ...inEscrow,
      ...inReview,
      takes: ['lifecycle_order'],
      ...paid,
    },
    {
      says: 'a token past its limit releases by the payer’s own approval, which is asked for first',
      door: delegatedTools,
      ...inEscrow,
      ...inReview,
      takes: ['approval', 'lifecycle_order'],
      ...paid,
    },
    ...[signedTools, agentToAgent].map((door): Row => ({
      says: `worker and fee are paid apart, over ${door.named}s`,
      door,
      place: () => direct,
      arrange: directlySubmitted,
      takes: ['settlement_auth_worker', 'settlement_auth_fee'],
      ...paid,
    })),
  ],
  svc_offer_settlement: [signedTools, agentToAgent].flatMap((door): readonly Row[] => [
    { says: `an offer over ${door.named}s`, door, ...inEscrow, ...offers, takes: ['signature'] },
    {
      says: `an offer that pays directly, over ${door.named}s`,
      door,
      place: () => direct,
      ...offers,
      arrange: async (place) => ({ task_id: (await directly(place)).taskId, worker_amount_usd: 0.5 }),
      takes: ['signature', 'settlement_auth_worker', 'settlement_auth_fee'],
    },
  ]),
  svc_accept_settlement: [signedTools, agentToAgent].flatMap((door): readonly Row[] => [
    { says: `a payer accepts over ${door.named}s`, door, ...inEscrow, ...accepts, takes: ['signature'] },
    {
      says: `a payer accepts and pays directly, over ${door.named}s`,
      door,
      place: () => direct,
      ...accepts,
      arrange: async (place) => ({ offer_id: await offered(place.worker, (await directly(place)).taskId) }),
      takes: ['signature', 'settlement_auth_worker', 'settlement_auth_fee'],
    },
  ]),
  svc_rule_dispute: [signedTools, agentToAgent].map((door) => ({
    says: `an arbiter rules over ${door.named}s, and no money moves yet`,
    door,
    place: () => court,
    arrange: async (place) => ({ dispute_id: await disputed(place), ...grounds }),
    takes: ['signature'],
    ends: { status: 'standing', verdict: 'split', split_pct: 40, criteria: grounds.criteria },
    moves: ['worker', 0n],
  })),
}

async function disputed({ scene, worker }: Place): Promise<string> {
  const { submissionId } = await scene.submitted()
  const opening = { reason: 'other', description: 'We differ about the gate.' }
  const { body } = await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, opening)
  return String(body['id'])
}

/** Mode fase1 locks nothing: the worker is assigned and hands in. */
async function directly({
  publisher,
  worker,
}: Place): Promise<{ readonly taskId: string; readonly submissionId: string }> {
  const { taskId, executorId } = await applied(publisher, worker)
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/assign`, { executor_id: executorId }), 200)
  const evidence = { text_response: 'It is open.' }
  const handedIn = await worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence })
  return { taskId, submissionId: String(expectStatus(handedIn, 201).body['submission_id']) }
}

async function directlySubmitted(place: Place): Promise<Json> {
  return { submission_id: (await directly(place)).submissionId }
}

const actionNames: Readonly<Record<keyof typeof rows, string>> = {
  svc_assign_task: 'tasks/assign',
  svc_approve_submission: 'tasks/approve',
  svc_offer_settlement: 'settlements/propose',
  svc_accept_settlement: 'settlements/accept',
  svc_rule_dispute: 'disputes/rule',
}

describe.each(Object.entries(rows) as [keyof typeof rows, readonly Row[]][])('%s', (tool, ofTool) => {
  test.each(ofTool)('$says', async ({ door, place, arrange, takes, ends, moves: [whose, by] }) => {
    const at = place()
    const args = await arrange(at)
    const before = await at.market.balance(at[whose].wallet)
    const { body, parameters } = await signAll(door, at, door.named === 'tool' ? tool : actionNames[tool], args)
    expect(parameters).toEqual(takes)
    expect(body['result'] ?? body, JSON.stringify(body)).toMatchObject(ends)
    expect((await at.market.balance(at[whose].wallet)) - before).toBe(by)
  })

  test('a block changes nothing, whoever asks and how often', async () => {
    for (const {
      door,
      place,
      arrange,
      moves: [whose],
    } of ofTool) {
      const at = place()
      const args = await arrange(at)
      const before = await at.market.balance(at[whose].wallet)
      const name = door.named === 'tool' ? tool : actionNames[tool]
      const asked = [await door.call(at, name, args), await door.call(at, name, args)].map(blockIn)
      expect(asked.map((block) => block?.how_to_return.parameter)).toEqual(
        Array(2).fill(asked[0]?.how_to_return.parameter),
      )
      expect(asked[0]).toBeDefined()
      expect(await at.market.balance(at[whose].wallet)).toBe(before)
    }
  })
})

test('tools and agents are handed the same block but for what is new each time', async () => {
  const job = await inReview.arrange(escrow)
  const [first, second] = [
    blockIn(await signedTools.call(escrow, 'svc_approve_submission', job)),
    blockIn(await agentToAgent.call(escrow, 'tasks/approve', job)),
  ]
  const shape = (value: unknown): unknown =>
    typeof value !== 'object' || value === null ? typeof value : Object.entries(value).map(([k, v]) => [k, shape(v)])
  expect(shape(first)).toEqual(shape(second))
  expect(first?.how_to_return).toMatchObject({
    tool: 'svc_approve_submission',
    action: 'tasks/approve',
    arguments: job,
  })
})

test('an approval is not spent by a call that lacks the order', async () => {
  const job = await inReview.arrange(escrow)
  const block = blockIn(await delegatedTools.call(escrow, 'svc_approve_submission', job))
  if (block === undefined) throw new Error('no block was answered')
  const document = block.typed_data as unknown as Parameters<typeof escrow.publisher.signer.signTypedData>[0]
  const args = returnSignature(block, await escrow.publisher.signer.signTypedData(document))
  for (let round = 0; round < 2; round += 1)
    expect(await delegatedTools.call(escrow, 'svc_approve_submission', args)).toMatchObject({
      code: 'LIFECYCLE_ORDER_REQUIRED',
      wallet_action: { how_to_return: { parameter: 'lifecycle_order', arguments: args } },
    })
  const { body } = await signAll(delegatedTools, escrow, 'svc_approve_submission', args)
  expect(body).toMatchObject(paid.ends)
})

test('svc_order_service: nothing is ordered, and its steps done as they are returned lock the money', async () => {
  const { market, publisher, worker } = escrow
  const listing = expectStatus(
    await worker.call('POST', '/api/v1/services', {
      title: 'Count a gate',
      description: 'I count the gates of one street and tell how many there are.',
      category: 'simple_action',
      unit_price_usd: 1.07,
      evidence_schema: ['text_response'],
    }),
    201,
  ).body
  const before = await market.balance(publisher.wallet)
  const block = blockIn(await signedTools.call(escrow, 'svc_order_service', { listing_id: String(listing['id']) }))
  expect(isBlock.Check(block)).toBe(true)
  expect(block?.kind).toBe('eip712_incomplete')
  const answers: Record<string, Json> = {}
  for (const { tool, arguments: known, takes = {} } of block?.instead?.steps ?? []) {
    const taken = Object.entries(takes).map(([argument, from]) => {
      const [step = '', field = ''] = String(from).split('.')
      return [argument, answers[step]?.[field]]
    })
    const args = { ...known, ...Object.fromEntries(taken) }
    answers[tool] = (await signAll(signedTools, escrow, tool, args)).body
  }
  expect(answers['svc_assign_task']).toMatchObject({ status: 'accepted' })
  expect((await market.balance(publisher.wallet)) - before).toBe(-1_070_000n)
  // An event is read once no older transaction of the cluster is under way, of other tests neither.
  const told = expect.objectContaining({
    data: expect.objectContaining({
      task_id: answers['svc_publish_task']?.['id'],
      listing_id: listing['id'],
    }) as unknown,
  })
  await vi.waitFor(async () => {
    const heard = await worker.call('GET', '/api/v1/events?types=worker.applied&limit=500')
    expect(heard.body['events']).toContainEqual(told)
  }, 10_000)
})

describe.each([
  [signedTools, 'svc_publish_task', 'svc_get_task', 'svc_browse_agent_tasks', 'svc_assign_task'],
  [agentToAgent, 'tasks/create', 'tasks/get', 'tasks/list', 'tasks/assign'],
] as const)('what is published over $named', (door, publish, get, list, assign) => {
  test('has the default policy, shown before anybody applies, and its lock takes the word for silence', async () => {
    const { publisher, worker } = escrow
    const asWorker = { ...escrow, publisher: worker }
    const published = resultOf(await door.call(escrow, publish, { ...aTask(), deadline_hours: 24 }))
    const task_id = String(published['id'])
    const policy = expect.objectContaining({ review_hours: 72, dispute_hours: 168, on_silence: 'release' }) as unknown
    expect(resultOf(await door.call(asWorker, get, { task_id }))).toMatchObject({ policy })
    const { tasks } = resultOf(await door.call(asWorker, list, { limit: 100 })) as { tasks: readonly Json[] }
    expect(tasks.find(({ id }) => id === task_id)).toMatchObject({ policy })

    const { executor_id } = expectStatus(await worker.call('POST', `/api/v1/tasks/${task_id}/apply`, {}), 201).body
    const block = blockIn(await door.call(escrow, assign, { task_id, executor_id }))
    expect(isBlock.Check(block), JSON.stringify(block)).toBe(true)
    if (block?.typed_data === undefined || block.besides === undefined)
      throw new Error('no second signature is offered')
    expect(block.besides).toMatchObject({ parameter: 'standing_order', typed_data: { primaryType: 'StandingOrder' } })
    const sign = (document: unknown) => publisher.signer.signTypedData(document as TypedData)
    const [lock, word] = [await sign(block.typed_data), await sign(block.besides.typed_data)]
    const wrong = returnSignature(block, lock, await worker.signer.signTypedData(block.besides.typed_data))
    expect(JSON.stringify(await door.call(escrow, assign, wrong))).toContain('LIFECYCLE_ORDER_INVALID')
    expect(resultOf(await door.call(escrow, assign, returnSignature(block, lock, word)))).toMatchObject({
      status: 'accepted',
    })
    expect(await wordFor(task_id)).toMatchObject({ payer: publisher.wallet, maxPerRelease: '1070000', maxCount: 1 })
  })
})

test.each([
  ['svc_accept_agent_task', 'takes', 'accepted', 'pending'],
  ['svc_apply_to_task', 'applies for', 'pending', 'pending'],
] as const)(
  '%s %s an agent task without escrow, and applies where money is locked (spec §1.6)',
  async (tool, _does, free, locked) => {
    for (const [place, status] of [
      [direct, free],
      [escrow, locked],
    ] as const) {
      const { body } = expectStatus(await place.publisher.call('POST', '/api/v1/tasks', aTask()), 201)
      const asWorker = { ...place, publisher: place.worker }
      const taken = await signedTools.call(asWorker, tool, { task_id: body['id'] })
      expect(resultOf(taken)).toMatchObject({ task_id: body['id'], status })
      expect((await place.publisher.call('GET', `/api/v1/tasks/${String(body['id'])}`)).body['status']).toBe(
        status === 'accepted' ? 'accepted' : 'published',
      )
    }
  },
)

test('what is published over REST has the policy of the operator, who gives none here', async () => {
  const { body } = expectStatus(await escrow.publisher.call('POST', '/api/v1/tasks', aTask()), 201)
  expect((await escrow.worker.call('GET', `/api/v1/tasks/${String(body['id'])}`)).body['policy']).toBeNull()
})

/** The order by which silence would pay, as it is kept beside the payment. */
async function wordFor(taskId: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: escrow.market.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ standing_order: unknown }>(
      'select standing_order from escrows where task_id = $1',
      [taskId],
    )
    return rows[0]?.standing_order
  } finally {
    await client.end()
  }
}

test('no tool takes a signature of the payer without a row above', () => {
  const operations: readonly string[] = [...Object.keys(asksSignature), ...Object.keys(incompleteWithout)]
  const takesSignature = (tool: Tool): boolean =>
    Object.keys(toolInput(tool).properties).some((name) => /_auth|^approval$|_order$|signature/.test(name))
  // A publish keeps an authorization that comes early, and lacks none.
  const early = ['svc_publish_task']
  // What a key on Solana signs is a text of its own, which no wallet of the block could sign.
  const onSolana = ['svc_bind_channel']
  const found = Object.entries<Tool>(tools).filter(([name, tool]) => takesSignature(tool) && !onSolana.includes(name))
  expect(found.map(([name]) => name).sort()).toEqual([...Object.keys(rows), 'svc_order_service', ...early].sort())
  for (const [name, tool] of found) if (!early.includes(name)) expect(operations, name).toContain(tool.operation)
  // A block says arguments by the names of the tool and of the operation alike.
  for (const name of Object.keys(rows)) expect((tools as Record<string, Tool>)[name]?.named).toBeUndefined()
})
