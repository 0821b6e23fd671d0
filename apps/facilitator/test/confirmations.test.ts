import { deployLocalnet, mintTestUsd } from '@ergon/contracts'
import { startChain, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { hexToBytes, loadFastKeccak, networks, type Hex } from '@ergon/protocols'
import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ticket } from '../src/chain/draft.ts'
import { createRpcClient } from '../src/chain/rpc-client.ts'
import { signTransaction } from '../src/chain/transaction.ts'
import { platform } from '../src/surroundings/platform.ts'
import { connectNetwork, type ConnectedNetwork } from '../src/network/connect.ts'
import { createNetworks } from '../src/network/served-network.ts'
import { planDirect } from '../src/settle/direct.ts'
import { createIntentStore } from '../src/store/postgres-intents.ts'
import { readEnvelope } from '../src/wire/envelope.ts'
import { rpc } from './harness-env.ts'
import { balanceOf, eventually } from './harness.ts'
import { aTransfer, exactV2, facilitator, nowSec, payer, worker } from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

/** Decision 0122: a refusal by the chain is the last word only when its block is deep. */
describe('where three blocks have to follow a refusal by the chain', () => {
  let chain: Chain
  let network: ConnectedNetwork
  const stack = new AsyncDisposableStack()
  beforeAll(async () => {
    await loadFastKeccak()
    chain = stack.use(await startChain({ mineAfterMs: 3_600_000 }))
    await deployLocalnet(chain.rpcUrl)
    const database = stack.use(await createTestDatabase(facilitatorSchema))
    const pool = new Pool({ connectionString: database.url })
    stack.defer(() => pool.end())
    await pool.query('insert into account_leases (account, epoch) values ($1, 1)', [facilitator.address.toLowerCase()])
    network = stack.use(
      await connectNetwork({
        row: { ...networks.localnet, confirmations: 3 },
        rpc: stack.use(
          createRpcClient({
            urls: [chain.rpcUrl],
            chainId: 31_337,
            timeoutMs: 5_000,
            surroundings: platform,
            onTrouble: () => undefined,
          }),
        ),
        store: createIntentStore(pool),
        privateKey: hexToBytes(facilitator.privateKey),
        lease: { epoch: 1, lost: () => undefined },
        minesOnDemand: false,
        surroundings: platform,
        pace: { supersededAfterMs: 100, rebroadcastEveryMs: 100, replaceAfterMs: 600_000 },
        onTrouble: () => undefined,
      }),
    )
  })
  afterAll(async () => {
    await stack.disposeAsync()
  })
  beforeEach(async () => {
    await mintTestUsd(chain.rpcUrl, payer.address, 1_000_000n)
  })

  async function submit(value: bigint): Promise<Ticket> {
    const plan = await planDirect(
      readEnvelope(exactV2(aTransfer({ value }))),
      createNetworks([network]),
      { requestHash: `request ${String(value)}` },
      nowSec(),
    )
    const ticket = network.pipeline.submit(plan.draft)
    const hash = await eventually(
      () => Promise.resolve(ticket.transaction()),
      (one) => one !== undefined,
      'the broadcast',
    )
    await eventually(
      () => rpc(chain.rpcUrl, 'eth_getTransactionByHash', [hash]),
      (known) => known !== null,
      'the transaction in the pool',
    )
    return ticket
  }

  /** The payer's own transaction pays more, so it comes first and leaves nothing. */
  async function emptyFirst(): Promise<void> {
    const all = (await balanceOf(chain.rpcUrl, payer.address)).toString(16).padStart(64, '0')
    const to = '000000000000000000000000000000000000dead'.padStart(64, '0')
    const { raw } = signTransaction(
      {
        chainId: 31337,
        nonce: Number(await rpc(chain.rpcUrl, 'eth_getTransactionCount', [payer.address, 'latest'])),
        maxFeePerGas: 90_000_000_000n,
        maxPriorityFeePerGas: 90_000_000_000n,
        gas: 200_000n,
        to: networks.localnet.tokens['USDC']?.address.toLowerCase() as Hex, // a row of the table
        data: `0xa9059cbb${to}${all}`,
      },
      hexToBytes(payer.privateKey),
    )
    await rpc(chain.rpcUrl, 'eth_sendRawTransaction', [raw])
  }

  const isSettled = (ticket: Ticket, ms: number): Promise<boolean> =>
    Promise.race([
      ticket.outcome.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms)),
    ])

  test('a payment that the newest block refused is pending, and has failed when three more are there', async () => {
    const ticket = await submit(11_000n)
    await emptyFirst()
    await rpc(chain.rpcUrl, 'evm_mine', [])
    expect(await isSettled(ticket, 2_500)).toBe(false)
    await rpc(chain.rpcUrl, 'anvil_mine', ['0x2'])
    expect(await isSettled(ticket, 2_500)).toBe(false)
    await rpc(chain.rpcUrl, 'evm_mine', [])
    expect(await ticket.outcome).toMatchObject({ failure: { code: expect.any(String) as string } })
    expect(await rpc(chain.rpcUrl, 'eth_getTransactionReceipt', [ticket.transaction()])).toMatchObject({
      status: '0x0',
    })
  })

  test('a payment that a block refused, and a reorganization carried out, has succeeded', async () => {
    const before = await balanceOf(chain.rpcUrl, worker.address)
    const snapshot = await rpc(chain.rpcUrl, 'evm_snapshot', [])
    const ticket = await submit(12_000n)
    await emptyFirst()
    await rpc(chain.rpcUrl, 'evm_mine', [])
    expect(await rpc(chain.rpcUrl, 'eth_getTransactionReceipt', [ticket.transaction()])).toMatchObject({
      status: '0x0',
    })
    expect(await isSettled(ticket, 2_500)).toBe(false)
    await rpc(chain.rpcUrl, 'evm_revert', [snapshot])
    await eventually(
      () => rpc(chain.rpcUrl, 'eth_getTransactionByHash', [ticket.transaction()]),
      (known) => known !== null,
      'the same bytes, sent again',
    )
    await rpc(chain.rpcUrl, 'evm_mine', [])
    expect((await ticket.outcome).failure).toBeUndefined()
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 12_000n)
  })
})
