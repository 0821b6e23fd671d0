import {
  createMarket,
  type Market,
  type MarketDeps,
  type MoneyFinding,
  type PreparedRating,
  type RatingSubmission,
  type WalletCaller,
} from '@ergon/core'
import { createPlainUploads, createTestIds } from '@ergon/core/testing'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { networks, signEscrowAuthorization, type Address } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool, createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { gateTask } from '../market/stage.ts'
import { asTypedData, soon, voidOrder } from './orders.ts'
import { asset, eventually, payer, rpc, startRig, worker, type Rig } from './rig.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** The comparison of the ledger with a real chain, when payers act past us and processes die. */

const publisherCaller: WalletCaller = { kind: 'wallet', wallet: payer.address, agentId: null, via: 'signature' }
const workerCaller: WalletCaller = { kind: 'wallet', wallet: worker.address, agentId: null, via: 'signature' }
const day = 86_400_000

type Ground = {
  readonly market: Market
  readonly deps: MarketDeps
  advance(ms: number): Promise<void>
  audit(): Promise<readonly MoneyFinding[]>
  query(text: string, values: readonly unknown[]): Promise<unknown>
}

let rig: Rig
let ground: Ground
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  rig = stack.use(await startRig())
  ground = await openGround()
})
afterAll(() => stack.disposeAsync())

async function openGround(): Promise<Ground> {
  const database = stack.use(await createTestDatabase(serverSchema))
  const pool = createPool(database.url)
  stack.defer(() => pool.end())
  let ahead = 0
  const { localnet } = networks
  const deps: MarketDeps = {
    ...rig.adapters,
    uploads: createPlainUploads(),
    store: createPostgresStore(pool, { identityNetwork: 'localnet' }),
    networks: [
      {
        name: 'localnet',
        caip2: localnet.caip2,
        chainId: 31_337,
        hasEscrow: true,
        tokens: localnet.tokens,
        takesRatings: true,
      },
    ],
    clock: { now: () => new Date(Date.now() + ahead) },
    ids: createTestIds(7),
    wakeup: { settlements: () => undefined, verifications: () => undefined },
    verification: { inspector: rig.adapters.inspector, reviewer: () => null },
    settings: {
      paymentMode: 'fase2',
      preferredNetwork: 'localnet',
      identityNetwork: 'localnet',
      autoRegister: true,
      requireIdentity: false,
      settleWaitMs: 5_000,
      leaseMs: 15_000,
      bounds: { min: '0.01', escrowMax: '100', max: '10000' },
      policy: null,
      feedbackBaseUrl: 'http://market.test/feedback',
    },
  }
  const market = createMarket(deps)
  for (const caller of [publisherCaller, workerCaller]) await market.ensureIdentity(caller.wallet)
  return {
    market,
    deps,
    advance: async (ms) => {
      ahead += ms
      await rpc(rig.chain.rpcUrl, 'evm_increaseTime', [Math.floor(ms / 1_000)])
      await rpc(rig.chain.rpcUrl, 'evm_mine', [])
    },
    audit: async () => {
      // Due at once: signatures are bound to the time of day, so the clock is stopped.
      await pool.query("update money_audit set due_at = '-infinity', sums_due_at = '-infinity'")
      await pool.query("update settlements set updated_at = updated_at - interval '2 minutes'")
      await pool.query("update escrows set audit_due_at = '-infinity'")
      await pool.query("update ratings set audit_due_at = '-infinity', sent_at = sent_at - interval '2 minutes'")
      await market.duties.auditMoney()
      await market.duties.auditRatings()
      return market.unresolvedFindings(100)
    },
    query: (text, values) => pool.query(text, [...values]),
  }
}

async function assignedTask(): Promise<string> {
  const { market } = ground
  const { task } = await market.publish(
    publisherCaller,
    gateTask({ instructions: 'Stand in front of the gate and write what you see.', bountyUsd: '1' }),
  )
  const { executorId } = await market.apply(workerCaller, task.id, { executorId: null, message: null })
  const { typedData, envelope } = await market.assignChallenge(publisherCaller, task.id, executorId)
  const paymentAuth = await signEscrowAuthorization({ typed_data: asTypedData(typedData), envelope }, payer)
  expect((await market.assign(publisherCaller, task.id, { executorId, notes: null, paymentAuth })).state).toBe(
    'accepted',
  )
  return task.id
}

async function paidTask(): Promise<string> {
  const { market } = ground
  const taskId = await assignedTask()
  const { submission } = await market.submit(workerCaller, taskId, {
    executorId: null,
    evidence: { text_response: 'It is open.' },
    notes: null,
    deviceMetadata: null,
  })
  const { release } = await market.approveChallenge(publisherCaller, submission.id)
  if (release === null) throw new Error('an escrowed payment is released by an order')
  const order = {
    signer: payer.address,
    deadline: release.deadline,
    nonce: release.nonce,
    signature: await payer.signTypedData(asTypedData(release.typedData)),
  }
  expect(
    (
      await market.approve(publisherCaller, submission.id, {
        rating: null,
        feedback: null,
        order,
        payoutAuth: null,
        feeAuth: null,
      })
    ).state,
  ).toBe('approved')
  return taskId
}

async function signedRating(prepared: PreparedRating): Promise<RatingSubmission> {
  const { chainId, delegate, delegated, accountNonce } = prepared
  const signature = await payer.signTypedData(asTypedData(prepared.typedData))
  const authorization = delegated
    ? {}
    : // The registry's delegate.
      { authorization: await payer.signAuthorization({ chainId, address: delegate as Address, nonce: accountNonce }) }
  return { ...prepared, signature, ...authorization }
}

test('a whole job and one under way leave nothing to find on a real chain', async () => {
  await paidTask()
  await assignedTask()
  expect(await ground.audit()).toEqual([])
})

test('a refund past us, under work: the ledger says held and the chain holds none, until the task is ended', async () => {
  const taskId = await assignedTask()
  const payment = await ground.deps.store.escrowPayment(taskId)
  if (payment === null) throw new Error('an assigned task has its payment')
  // The service's own order, carried out without the service knowing of it.
  const amount = { atomic: payment.maxAmount, asset }
  expect((await rig.adapters.rails('localnet').send(voidOrder(payment), 10_000, soon())).outcome).toBe('settled')
  const found = await ground.audit()
  expect(found).toContainEqual(expect.objectContaining({ kind: 'orphaned', taskId, amount }))
  await ground.market.cancel(publisherCaller, taskId, null)
  expect(await ground.audit()).toEqual([])
})

test('a transaction that the chain never had is a finding, and the true one resolves it', async () => {
  const taskId = await paidTask()
  const { paymentTx } = await ground.market.readTask(publisherCaller, taskId)
  const name = (hash: string | null) =>
    ground.query(
      "update settlements set tx_hash = $2, proof_due_at = '-infinity' where task_id = $1 and purpose = 'release'",
      [taskId, hash],
    )
  await name(`0x${'9'.repeat(64)}`)
  expect(await ground.audit()).toMatchObject([{ kind: 'reorged', taskId }])
  const { escrowTx } = await ground.market.readTask(publisherCaller, taskId)
  await name(escrowTx)
  expect(await ground.audit()).toMatchObject([{ kind: 'mismatch', taskId }])
  await name(paymentTx)
  expect(await ground.audit()).toEqual([])
})

test('a rating whose process dies after it is on chain is confirmed from the registry, hash and all', async () => {
  const { market, deps } = ground
  const taskId = await paidTask()
  const prepared = await market.prepareRating(publisherCaller, {
    taskId,
    direction: 'publisher_rates_executor',
    score: 80,
    comment: 'Sharp.',
  })
  const dying = createMarket({
    ...deps,
    ratings: {
      ...deps.ratings,
      relay: async (rating, key) => {
        expect((await deps.ratings.relay(rating, key)).outcome).toBe('settled')
        throw new Error('the process ends here')
      },
    },
  })
  await expect(dying.submitRating(publisherCaller, await signedRating(prepared))).rejects.toThrow('ends here')
  expect((await deps.store.rating(taskId, 'publisher_rates_executor'))?.status).toBe('sending')
  expect(await ground.audit()).toEqual([])
  expect(await deps.store.rating(taskId, 'publisher_rates_executor')).toMatchObject({
    status: 'confirmed',
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
  })
})

test('money past its window is found as expired; the payer reclaims it past us, and it is booked as taken back', async () => {
  const { market, deps } = ground
  const taskId = await assignedTask()
  const payment = await deps.store.escrowPayment(taskId)
  if (payment === null) throw new Error('an assigned task has its payment')
  await ground.advance(payment.authorizationExpiry * 1_000 - deps.clock.now().getTime() + day)
  expect((await ground.audit()).filter((one) => one.taskId === taskId)).toMatchObject([{ kind: 'expired' }])
  const { escrow, calldata } = await market.reclaim(publisherCaller, taskId)
  await rpc(rig.chain.rpcUrl, 'eth_sendTransaction', [
    { from: payer.address, to: escrow, data: calldata, gas: '0x493e0' },
  ])
  await eventually(
    () => deps.rails('localnet').escrowState(payment),
    ({ capturable }) => capturable === 0n,
  )
  expect((await ground.audit()).filter((one) => one.taskId === taskId)).toMatchObject([{ kind: 'orphaned' }])
  await market.duties.expire()
  expect((await ground.audit()).filter((one) => one.taskId === taskId)).toEqual([])
  expect(await market.readTask(publisherCaller, taskId)).toMatchObject({ status: 'expired', escrowStatus: 'refunded' })
})
