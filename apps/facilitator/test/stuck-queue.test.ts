import { deployLocalnet, mintTestUsd } from '@ergon/contracts'
import { startChain, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { hexToBytes, loadFastKeccak, networks, type Hex } from '@ergon/protocols'
import { Pool } from 'pg'
import { parseTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { Ticket } from '../src/chain/draft.ts'
import { createRpcClient } from '../src/chain/rpc-client.ts'
import { feesOf, signTransaction } from '../src/chain/transaction.ts'
import { connectNetwork, type ConnectedNetwork } from '../src/network/connect.ts'
import { createNetworks } from '../src/network/served-network.ts'
import { planDirect } from '../src/settle/direct.ts'
import { migrate } from '../src/store/migrations.ts'
import { createIntentStore } from '../src/store/postgres-intents.ts'
import { platform } from '../src/surroundings/platform.ts'
import { readEnvelope } from '../src/wire/envelope.ts'
import { rpc } from './harness-env.ts'
import { eventually } from './harness.ts'
import { aTransfer, exactV2, facilitator, nowSec, payer } from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

const gwei = 1_000_000_000n

type Stuck = AsyncDisposable & {
  readonly chain: Chain
  readonly troubles: string[]
  submit(value: bigint): Promise<Ticket>
  /** What the newest form of each that is open pays at most for each gas. */
  paid(): Promise<readonly bigint[]>
  /** Whether the node has the newest form of each. */
  areInPool(tickets: readonly Ticket[]): Promise<boolean>
  /** The chain asks this much of the next block, and makes one. */
  mineAt(baseFee: bigint): Promise<void>
}

/** A facilitator on a chain whose blocks come when the test says so, at the price that it names. */
async function startStuck(highestFee?: bigint): Promise<Stuck> {
  await loadFastKeccak()
  await using stack = new AsyncDisposableStack()
  const chain = stack.use(await startChain({ mineAfterMs: 3_600_000 }))
  await deployLocalnet(chain.rpcUrl)
  await mintTestUsd(chain.rpcUrl, payer.address, 1_000_000_000n)
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const pool = new Pool({ connectionString: database.url })
  stack.defer(() => pool.end())
  await migrate(pool)
  await pool.query('insert into account_leases (account, epoch) values ($1, 1)', [facilitator.address])
  const store = createIntentStore(pool)
  const troubles: string[] = []
  const onTrouble = (message: string): void => void troubles.push(message)
  const network: ConnectedNetwork = stack.use(
    await connectNetwork({
      row: networks.localnet,
      rpc: stack.use(
        createRpcClient({
          urls: [chain.rpcUrl],
          chainId: 31_337,
          timeoutMs: 5_000,
          surroundings: platform,
          onTrouble: () => undefined,
        }),
      ),
      store,
      privateKey: hexToBytes(facilitator.privateKey),
      lease: { epoch: 1, lost: () => undefined },
      minesOnDemand: false,
      surroundings: platform,
      pace: { supersededAfterMs: 100, rebroadcastEveryMs: 100, replaceAfterMs: 500 },
      gasTerms: { highestFee, alarmBelow: 0n },
      onTrouble,
    }),
  )
  const owned = stack.move()
  const isInPool = async (hash: Hex | undefined): Promise<boolean> =>
    hash !== undefined && (await rpc(chain.rpcUrl, 'eth_getTransactionByHash', [hash])) !== null
  return {
    chain,
    troubles,
    async submit(value) {
      const plan = await planDirect(
        readEnvelope(exactV2(aTransfer({ value }))),
        createNetworks([network]),
        { requestHash: `request ${value}` },
        nowSec(),
      )
      const ticket = network.pipeline.submit(plan.draft)
      await eventually(
        () => isInPool(ticket.transaction()),
        (isThere) => isThere,
        'the broadcast',
      )
      return ticket
    },
    async paid() {
      const newest = (await store.open('localnet')).map(({ transactions }) => transactions.at(-1))
      return newest.map((one) => (one === undefined ? 0n : feesOf(one).maxFeePerGas))
    },
    areInPool: async (tickets) =>
      (await Promise.all(tickets.map((ticket) => isInPool(ticket.transaction())))).every((isThere) => isThere),
    async mineAt(baseFee) {
      await rpc(chain.rpcUrl, 'anvil_setNextBlockBaseFeePerGas', [`0x${baseFee.toString(16)}`])
      await rpc(chain.rpcUrl, 'evm_mine', [])
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function queue(stuck: Stuck, count: number): Promise<readonly Ticket[]> {
  const tickets: Ticket[] = []
  for (let value = 1n; value <= count; value += 1n) tickets.push(await stuck.submit(value))
  return tickets
}

describe('a queue that waits because gas became dearer', () => {
  test('is repriced together, and lands in one block', async () => {
    await using stuck = await startStuck()
    const tickets = await queue(stuck, 5)
    await stuck.mineAt(100n * gwei)
    await eventually(
      () => stuck.paid(),
      (fees) => fees.every((fee) => fee >= 100n * gwei),
      'a price that the next block takes, of each',
      20_000,
    )
    await stuck.mineAt(100n * gwei)
    const outcomes = await Promise.all(tickets.map((ticket) => ticket.outcome))
    expect(outcomes.map(({ failure }) => failure)).toEqual(Array.from({ length: 5 }, () => undefined))
    expect(new Set(outcomes.map(({ blockNumber }) => blockNumber)).size).toBe(1)
  })

  test('is repriced up to the most that the operator pays, and lands when gas is cheaper', async () => {
    const most = 20n * gwei
    await using stuck = await startStuck(most)
    const tickets = await queue(stuck, 3)
    await stuck.mineAt(100n * gwei)
    await eventually(
      () => Promise.resolve(stuck.troubles),
      (troubles) => troubles.some((trouble) => trouble.includes('nothing more is paid')),
      'the end of what is paid',
      20_000,
    )
    expect(await stuck.paid()).toEqual([most, most, most])
    await stuck.mineAt(10n * gwei)
    await eventually(
      () => stuck.areInPool(tickets),
      (are) => are,
      'what the node takes again',
    )
    await stuck.mineAt(10n * gwei)
    const outcomes = await Promise.all(tickets.map((ticket) => ticket.outcome))
    expect(new Set(outcomes.map(({ failure, blockNumber }) => failure ?? blockNumber)).size).toBe(1)
  })
})

test('what a signed transaction pays is read as others read it', () => {
  const wei = fc.bigInt({ min: 0n, max: 1n << 90n })
  const key = hexToBytes(facilitator.privateKey)
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.nat(2 ** 31), wei, wei, fc.uint8Array({ maxLength: 300 }), (...given) => {
      const [chainId, nonce, tip, more, data] = given
      const signed = signTransaction(
        {
          chainId: chainId + 1,
          nonce,
          maxPriorityFeePerGas: tip,
          maxFeePerGas: tip + more,
          gas: 21_000n,
          to: payer.address,
          data: `0x${Buffer.from(data).toString('hex')}`,
        },
        key,
      )
      const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(signed.raw)
      expect(feesOf(signed)).toEqual({ maxFeePerGas, maxPriorityFeePerGas })
    }),
    { numRuns: 60 },
  )
})
