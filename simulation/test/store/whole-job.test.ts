import { createMarket, type Market, type MarketDeps, type WalletCaller } from '@ergon/core'
import {
  createCountingRegistry,
  createFakeChain,
  createPlainEvidence,
  createPlainInspector,
  createPlainRatings,
  createPlainSignatures,
  createPlainUploads,
  createTestClock,
  createTestIds,
} from '@ergon/core/testing'
import { expect, test } from 'vitest'
import { createMemoryDatabase, createMemoryStore } from '../../src/store/index.ts'

const localnet = {
  name: 'localnet',
  caip2: 'eip155:31337',
  chainId: 31_337,
  hasEscrow: true,
  tokens: { USDC: { address: 'token', decimals: 6 } },
  takesRatings: true,
} as const
const publisher: WalletCaller = {
  kind: 'wallet',
  wallet: '0x1111111111111111111111111111111111111111',
  agentId: 1,
  via: 'signature',
}
const worker: WalletCaller = {
  kind: 'wallet',
  wallet: '0x2222222222222222222222222222222222222222',
  agentId: 2,
  via: 'signature',
}
const now = new Date('2026-11-21T12:00:00Z')

function openStage(point: (label: string) => Promise<void>) {
  const disk = createMemoryDatabase()
  const store = createMemoryStore({
    disk,
    connection: 'server',
    identityNetwork: 'localnet',
    point,
    commit: () => 'commit',
  })
  const chain = createFakeChain()
  const clock = createTestClock(now)
  let nonces = 0
  const deps: MarketDeps = {
    store,
    networks: [localnet],
    rails: () => chain.rail,
    signatures: createPlainSignatures(() => `0x${(nonces += 1).toString(16).padStart(64, '0')}`),
    identities: createCountingRegistry(),
    ratings: createPlainRatings(),
    evidence: createPlainEvidence(),
    uploads: createPlainUploads(),
    clock,
    ids: createTestIds(1),
    wakeup: { settlements: () => undefined, verifications: () => undefined },
    verification: { inspector: createPlainInspector(), reviewer: () => null },
    settings: {
      paymentMode: 'fase2',
      preferredNetwork: 'localnet',
      identityNetwork: 'localnet',
      autoRegister: true,
      requireIdentity: true,
      settleWaitMs: 1_000,
      leaseMs: 30_000,
      bounds: { min: '0.01', escrowMax: '100', max: '10000' },
      policy: null,
      feedbackBaseUrl: 'http://localhost/feedback',
    },
  }
  chain.fund(publisher.wallet, 100_000_000_000n)
  return { market: createMarket(deps), disk, chain, clock }
}

async function wholeJob(market: Market): Promise<string> {
  const { task } = await market.publish(publisher, {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and take one photo.',
    category: 'simple_action',
    bountyUsd: '10',
    deadlineHours: 24,
    evidenceRequired: ['text_response'],
    evidenceOptional: ['photo', 'gps'],
    locationHint: null,
    minReputation: 0,
    network: null,
    token: null,
    target: 'any',
    publisherType: 'agent',
    paymentAuth: null,
    idempotency: null,
  })
  const { executorId } = await market.apply(worker, task.id, { executorId: null, message: 'I am near.' })
  const { envelope } = await market.assignChallenge(publisher, task.id, executorId)
  await market.assign(publisher, task.id, { executorId, notes: null, paymentAuth: JSON.stringify(envelope) })
  const { submission } = await market.submit(worker, task.id, {
    executorId: null,
    evidence: { text_response: 'It is open.' },
    notes: null,
    deviceMetadata: null,
  })
  const { release } = await market.approveChallenge(publisher, submission.id)
  if (release === null) throw new Error('a task with escrow has a release order')
  const order = { signer: publisher.wallet, deadline: release.deadline, nonce: release.nonce, signature: '0x' }
  await market.approve(publisher, submission.id, { rating: 80, feedback: null, order, payoutAuth: null, feeAuth: null })
  return task.id
}

test('a whole job and its duties end as they do on PostgreSQL: paid, booked, swept and told', async () => {
  const stage = openStage(() => Promise.resolve())
  const { market, disk, clock } = stage
  for (const caller of [publisher, worker]) await market.ensureIdentity(caller.wallet)
  const taskId = await wholeJob(market)
  for (let round = 0; round < 3; round += 1) {
    clock.advance(61_000)
    await market.duties.reconcile()
    await market.duties.verify()
    await market.duties.disburseFees()
    await market.duties.relayRatings()
    await market.duties.auditMoney()
    await market.duties.auditRatings()
    await market.duties.expire()
  }
  const [task] = disk.rows.tasks()
  expect(task?.task).toMatchObject({ id: taskId, status: 'completed', escrowStatus: 'released' })
  expect(task?.task.feeTx).not.toBeNull()
  expect(disk.rows.ledger().reduce((sum, { atomic }) => sum + atomic, 0n)).toBe(0n)
  expect(disk.rows.events().map(({ type }) => type)).toEqual([
    'task.created',
    'worker.applied',
    'task.assigned',
    'payment.escrowed',
    'task.submitted',
    'submission.received',
    'submission.approved',
    'payment.released',
    'task.completed',
    'submission.verified',
    'reputation.updated',
  ])
  expect(await market.unresolvedFindings(10)).toEqual([])
  expect((await market.paymentsHealth()).ledgerBalanced).toBe(true)
})

test('what the simulation never asks says so', async () => {
  const disk = createMemoryDatabase()
  const store = createMemoryStore({
    disk,
    connection: 'server',
    identityNetwork: 'localnet',
    point: () => Promise.resolve(),
    commit: () => 'commit',
  })
  await expect(store.marketStats()).rejects.toThrow('not simulated: marketStats')
  await expect(store.transaction((tx) => tx.anonymiseAccount({ wallet: '0x', executorId: null }, now))).rejects.toThrow(
    'not simulated: anonymiseAccount',
  )
})

/** Not a promise of the suite: `SPEED=1` prints it. */
test.runIf(process.env['SPEED'] === '1')('a whole job costs the store well under a millisecond', async () => {
  let statements = 0
  const stage = openStage(() => {
    statements += 1
    return Promise.resolve()
  })
  for (const caller of [publisher, worker]) await stage.market.ensureIdentity(caller.wallet)
  for (let warm = 0; warm < 300; warm += 1) await wholeJob(stage.market)
  const jobs = 300
  statements = 0
  const started = performance.now()
  for (let job = 0; job < jobs; job += 1) await wholeJob(stage.market)
  const spent = ((performance.now() - started) * 1_000) / jobs
  console.log(`a whole job: ${spent.toFixed(0)} us with its flows, ${String(statements / jobs)} points`)
})
