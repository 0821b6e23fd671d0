import {
  createMarket,
  type Market,
  type MarketDeps,
  type MoneyFinding,
  type Payment,
  type WalletCaller,
} from '@ergon/core'
import { createPlainUploads, createTestIds } from '@ergon/core/testing'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { addressWord, networks, signEscrowAuthorization, uintWord } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool, createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { gateTask, paymentEventsOf } from '../market/stage.ts'
import { asTypedData } from './orders.ts'
import { eventually, payer, rpc, startRig, stranger, worker, type Rig } from './rig.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** The books follow a real chain: what its logs show is booked, returned or reported (decision 0083). */

const publisherCaller: WalletCaller = { kind: 'wallet', wallet: payer.address, agentId: null, via: 'signature' }
const workerCaller: WalletCaller = { kind: 'wallet', wallet: worker.address, agentId: null, via: 'signature' }

type Ground = {
  readonly market: Market
  readonly deps: MarketDeps
  advance(ms: number): void
  follow(): Promise<readonly MoneyFinding[]>
  rows<R>(text: string, values?: readonly unknown[]): Promise<readonly R[]>
}

let rig: Rig
let ground: Ground
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  rig = stack.use(await startRig())
  ground = await openGround(7)
  await ground.follow()
})
afterAll(() => stack.disposeAsync())

async function openGround(seed: number): Promise<Ground> {
  const database = stack.use(await createTestDatabase(serverSchema))
  const pool = createPool(database.url)
  stack.defer(() => pool.end())
  let ahead = 0
  const { localnet } = networks
  const deps = {
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
    ids: createTestIds(seed),
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
  } satisfies MarketDeps
  const market = createMarket(deps)
  for (const caller of [publisherCaller, workerCaller]) await market.ensureIdentity(caller.wallet)
  return {
    market,
    deps,
    advance: (ms) => {
      ahead += ms
    },
    // Named by the caller.
    rows: async <R>(text: string, values: readonly unknown[] = []) => (await pool.query(text, [...values])).rows as R[],
    async follow() {
      for (;;) {
        await pool.query("update chain_followings set due_at = '-infinity'")
        if ((await market.duties.followChains()) === 0) return market.unresolvedFindings(100)
      }
    },
  }
}

async function assigned({ market, deps }: Ground): Promise<{ readonly taskId: string; readonly payment: Payment }> {
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
  const payment = await deps.store.escrowPayment(task.id)
  if (payment === null) throw new Error('an assigned task has its payment')
  return { taskId: task.id, payment }
}

/** `release(PaymentInfo, uint256)`, as the payer may call it on the operator. */
async function payOut(payment: Payment, atomic: bigint): Promise<string> {
  const words = [
    addressWord(payment.operator),
    addressWord(payment.payer),
    addressWord(payment.receiver),
    addressWord(payment.token),
    uintWord(payment.maxAmount),
    uintWord(payment.preApprovalExpiry),
    uintWord(payment.authorizationExpiry),
    uintWord(payment.refundExpiry),
    uintWord(payment.minFeeBps),
    uintWord(payment.maxFeeBps),
    addressWord(payment.feeReceiver),
    uintWord(payment.salt),
    uintWord(atomic),
  ]
  return mined({ from: payer.address, to: payment.operator, data: `0xecf39b0a${words.join('')}` })
}

async function mined(transaction: object): Promise<string> {
  const hash = String(await rpc(rig.chain.rpcUrl, 'eth_sendTransaction', [{ ...transaction, gas: '0x7a120' }]))
  const receipt = await eventually(
    () => rpc(rig.chain.rpcUrl, 'eth_getTransactionReceipt', [hash]),
    (one) => one !== null,
  )
  expect(receipt).toMatchObject({ status: '0x1' })
  return hash
}

const heldIn = async (of: Ground, { hash }: Payment): Promise<bigint> =>
  (
    await of.rows<{ held: bigint }>(
      "select coalesce(sum(amount_atomic), 0)::bigint as held from ledger where account = 'escrow:' || $1",
      [hash],
    )
  )[0]?.held ?? 0n

test('a part that the payer paid out on chain is booked by its own transaction, once', async () => {
  const { taskId, payment } = await assigned(ground)
  const txHash = await payOut(payment, 300_000n)
  expect(await ground.follow()).toEqual([])
  expect(await heldIn(ground, payment)).toBe(700_000n)
  expect((await paymentEventsOf(ground, taskId, publisherCaller)).filter((one) => one.txHash === txHash)).toHaveLength(
    2,
  )
  await ground.follow()
  expect(await heldIn(ground, payment)).toBe(700_000n)
})

test('fees that another wallet sends on are booked by the log of the token', async () => {
  const { payment } = await assigned(ground)
  await payOut(payment, payment.maxAmount)
  const txHash = await mined({
    from: stranger.address,
    to: payment.operator,
    data: `0x9413f25c${addressWord(payment.token)}`,
  })
  await ground.follow()
  expect(
    await ground.rows('select tx_hash, atomic::text from distributions order by block_number desc limit 1'),
  ).toEqual([{ tx_hash: txHash, atomic: '169000' }])
})

test('what our facilitator sent and nobody here knows is a finding; to the books it belongs to it is none', async () => {
  const other = await openGround(8)
  await other.follow()
  const { payment } = await assigned(other)
  expect(await other.follow()).toEqual([])
  expect(await ground.follow()).toMatchObject([{ kind: 'unclaimed', subject: payment.hash, taskId: null }])
  await payOut(payment, payment.maxAmount)
  expect(await ground.follow()).toEqual([])
})

test('how far the chain was followed is a figure', async () => {
  await ground.follow()
  const [lag] = await ground.market.chainLags()
  expect(lag).toMatchObject({
    network: 'localnet',
    lagBlocks: 0n,
    lagSeconds: 0,
    block: BigInt(String(await rpc(rig.chain.rpcUrl, 'eth_blockNumber', []))),
  })
})

test('blocks that are undone: a finding at once, and a journal turned round when the chain brings it back no more', async () => {
  const { payment } = await assigned(ground)
  await ground.follow()
  const snapshot = await rpc(rig.chain.rpcUrl, 'evm_snapshot', [])
  const gone = await payOut(payment, 400_000n)
  expect(await ground.follow()).toEqual([])
  expect(await heldIn(ground, payment)).toBe(600_000n)
  await rpc(rig.chain.rpcUrl, 'evm_revert', [snapshot])
  await rpc(rig.chain.rpcUrl, 'anvil_mine', ['0x2'])
  expect(await ground.follow()).toMatchObject([{ kind: 'reorged', subject: expect.stringContaining(gone) as string }])
  expect(await heldIn(ground, payment)).toBe(600_000n)
  await rpc(rig.chain.rpcUrl, 'anvil_mine', ['0x40'])
  ground.advance(61_000)
  expect(await ground.follow()).toEqual([])
  expect(await heldIn(ground, payment)).toBe(1_000_000n)
  // What lands now is booked anew.
  await payOut(payment, 250_000n)
  await ground.follow()
  expect(await heldIn(ground, payment)).toBe(750_000n)
})
