import type { Party as Kind, Target } from '@ergon/contract'
import type { Address, TypedData } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { treasury } from '../adapters/rig.ts'
import type { Reply } from '../dispatch/send.ts'
import {
  aTask,
  eventually,
  expectStatus,
  signEnvelope,
  startLiveMarket,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { signedIn } from './live-people.ts'

let market: LiveMarket
beforeAll(async () => {
  market = await startLiveMarket()
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

type Envelope = {
  readonly typed_data: TypedData
  readonly envelope: { readonly payload: Readonly<Record<string, unknown>> }
}
type Release = { readonly typed_data: TypedData; readonly order: { readonly deadline: number; readonly nonce: string } }
/** How a publisher of one kind goes about a task, and what each step is answered. */
type Rail = {
  readonly enter: (party: Party) => Promise<Party>
  readonly publish: string
  readonly task: (id: string) => string
  readonly approveChallenge: (id: string, submissionId: string) => string
  readonly approve: (
    id: string,
    order: unknown,
  ) => { readonly path: string; readonly body: Readonly<Record<string, unknown>> }
}

const agentRail: Rail = {
  enter: (party) => Promise.resolve(party),
  publish: '/api/v1/tasks',
  task: (id) => `/api/v1/tasks/${id}`,
  approveChallenge: (_id, submissionId) => `/api/v1/submissions/${submissionId}/approve/challenge`,
  approve: (id, order) => ({ path: `/api/v1/tasks/${id}/approve`, body: { lifecycle_order: order } }),
}
const humanRail: Rail = {
  enter: (party) => signedIn(market, party),
  publish: '/api/v1/h2a/tasks',
  task: (id) => `/api/v1/h2a/tasks/${id}`,
  approveChallenge: (id) => `/api/v1/h2a/tasks/${id}/approve/challenge`,
  approve: (id, order) => ({
    path: `/api/v1/h2a/tasks/${id}/approve`,
    body: { verdict: 'accepted', notes: 'Well done.', lifecycle_order: order },
  }),
}

/** A worker of one kind: people come with a session, software registers what it is and signs. */
async function workerOf(kind: Kind): Promise<Party> {
  const party = await market.party(0n)
  const worker = kind === 'human' ? await signedIn(market, party) : party
  expectStatus(
    await worker.call('POST', '/api/v1/workers/register', kind === 'human' ? { name: 'Ada' } : { executor_type: kind }),
    201,
  )
  return worker
}

async function published(publisher: Party, rail: Rail, target: Target): Promise<string> {
  const { body } = expectStatus(
    await publisher.call('POST', rail.publish, aTask({ target_executor_type: target })),
    201,
  )
  return String(body['id'])
}

const applyTo = async (worker: Party, taskId: string): Promise<Reply> =>
  worker.call('POST', `/api/v1/tasks/${taskId}/apply`, { message: 'I can do this.' })

/** Publisher signs the lock, worker delivers, publisher signs the release. */
async function assigned(publisher: Party, rail: Rail, taskId: string, executorId: string): Promise<void> {
  const challenge = expectStatus(
    await publisher.call('GET', `${rail.task(taskId)}/assign/challenge?executor_id=${executorId}`),
    200,
  )
  const [accept] = challenge.body['accepts'] as readonly { readonly extra: Envelope }[] // the contract's output
  if (accept === undefined) throw new Error('nothing to sign')
  const auth = await signEnvelope(publisher.signer, accept.extra)
  expectStatus(
    await publisher.call(
      'POST',
      `${rail.task(taskId)}/assign`,
      { executor_id: executorId },
      { 'x-payment-auth': auth },
    ),
    200,
  )
}

async function delivered(worker: Party, taskId: string): Promise<string> {
  const { body } = expectStatus(
    await worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence: { text_response: 'It is open.' } }),
    201,
  )
  return String(body['submission_id'])
}

async function approved(publisher: Party, rail: Rail, taskId: string, submissionId: string): Promise<Reply> {
  const challenge = expectStatus(await publisher.call('GET', rail.approveChallenge(taskId, submissionId)), 200)
  const release = challenge.body['lifecycle_order'] as Release // the contract's output, in an escrow mode
  const order = {
    signer: publisher.wallet,
    ...release.order,
    signature: await publisher.signer.signTypedData(release.typed_data),
  }
  const { path, body } = rail.approve(taskId, order)
  return expectStatus(await publisher.call('POST', path, body), 200)
}

const balances = async (...wallets: readonly Address[]): Promise<readonly bigint[]> =>
  Promise.all(wallets.map((wallet) => market.balance(wallet)))

describe.each([
  ['A2A', agentRail, 'agent', 'agent', ['human', 'robot']],
  ['A2H', agentRail, 'agent', 'human', ['agent', 'robot']],
  ['H2A', humanRail, 'human', 'agent', ['human', 'robot']],
  ['H2H', humanRail, 'human', 'human', ['agent', 'robot']],
  ['a robot works for an agent', agentRail, 'agent', 'robot', ['human', 'agent']],
] as const)('the live cell %s', (_cell, rail, publisherKind, workerKind, wrongKinds) => {
  test('from publishing to payment on the chain: 87 parts to the worker, 13 to the treasury; every other party is refused', async () => {
    const publisher = await rail.enter(await market.party(5n))
    const worker = await workerOf(workerKind)
    const [treasuryBefore = 0n] = await balances(treasury)
    const taskId = await published(publisher, rail, workerKind)
    expect((await market.get(`/api/v1/tasks/${taskId}`)).body).toMatchObject({
      publisher_type: publisherKind,
      target_executor_type: workerKind,
      agent_id: publisher.wallet,
    })

    for (const wrong of wrongKinds)
      expect((await applyTo(await workerOf(wrong), taskId)).body, wrong).toMatchObject({
        code: 'PARTY_MISMATCH',
        details: { executor_type: wrong },
      })
    const { body } = expectStatus(await applyTo(worker, taskId), 201)
    await assigned(publisher, rail, taskId, String(body['executor_id']))
    expect(await balances(publisher.wallet)).toEqual([3_930_000n])
    const submissionId = await delivered(worker, taskId)
    expect((await approved(publisher, rail, taskId, submissionId)).body).toMatchObject({
      status: 'approved',
      submission_id: submissionId,
    })

    expect(await balances(worker.wallet, publisher.wallet)).toEqual([930_900n, 3_930_000n])
    await eventually(
      () => market.balance(treasury),
      (balance) => balance - treasuryBefore === 139_100n,
    )
    expect((await market.get(`/api/v1/tasks/${taskId}`)).body).toMatchObject({ status: 'completed' })
  })
})

test('a task for any party admits every party', async () => {
  const publisher = await humanRail.enter(await market.party(0n))
  const taskId = await published(publisher, humanRail, 'any')
  for (const kind of ['human', 'agent', 'robot'] as const)
    expectStatus(await applyTo(await workerOf(kind), taskId), 201)
  const { body } = expectStatus(await publisher.call('GET', `${humanRail.task(taskId)}/applications`), 200)
  expect(body).toMatchObject({ task_id: taskId, count: 3 })
})

test.each(['agent', 'robot'] as const)(
  'a wallet that is registered as %s does not apply over a session',
  async (kind) => {
    const person = await signedIn(market, await workerOf(kind))
    const taskId = await published(await humanRail.enter(await market.party(0n)), humanRail, 'any')
    expect((await applyTo(person, taskId)).body).toMatchObject({
      code: 'SESSION_NOT_FOR_PARTY',
      details: { executor_type: kind },
    })
  },
)

test('a person without a word about it applies as a human', async () => {
  const person = await signedIn(market, await market.party(0n))
  const taskId = await published(await humanRail.enter(await market.party(0n)), humanRail, 'human')
  expectStatus(await applyTo(person, taskId), 201)
})
