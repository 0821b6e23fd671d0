import { deployLocalnet, mintTestUsd } from '@ergon/contracts'
import { startChain, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { generatePrivateKey, hexToBytes, loadFastKeccak, networks, type Hex } from '@ergon/protocols'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signTransaction } from '../src/chain/transaction.ts'
import { createRpcClient } from '../src/chain/rpc-client.ts'
import { platform } from '../src/surroundings/platform.ts'
import { connectNetwork, type ConnectedNetwork } from '../src/network/connect.ts'
import { createNetworks } from '../src/network/served-network.ts'
import { planDirect } from '../src/settle/direct.ts'
import { createIntentStore } from '../src/store/postgres-intents.ts'
import { readEnvelope } from '../src/wire/envelope.ts'
import { rpc } from './harness-env.ts'
import { balanceOf, eventually, startRig } from './harness.ts'
import {
  aPaymentInfo,
  aTransfer,
  authorizeBody,
  exactV2,
  facilitator,
  nowSec,
  payer,
  refundBody,
  releaseBody,
  worker,
} from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

describe('on a chain that makes its own blocks', () => {
  test('the same steps settle: gas estimated, fees asked for, receipts waited for', async () => {
    await using rig = await startRig({ FACILITATOR_MINING: 'off' })
    const info = aPaymentInfo()
    expect(await rig.post('/settle', authorizeBody(info))).toMatchObject({ status: 200, body: { success: true } })
    const before = await balanceOf(rig.rpcUrl, worker.address)
    const [release, refund] = await Promise.all([
      rig.post('/settle', releaseBody(info, 300_000n)),
      rig.post('/settle', refundBody(info, 700_000n)),
    ])
    expect([release.body['success'], refund.body['success']]).toEqual([true, true])
    expect(await balanceOf(rig.rpcUrl, worker.address)).toBe(before + 261_000n)
    expect(await rig.post('/settle', releaseBody(info, 1n))).toMatchObject({
      status: 400,
      body: { errorCode: 'ContractCall' },
    })
    const transaction = (await rpc(rig.rpcUrl, 'eth_getTransactionByHash', [release.body['transaction']])) as {
      gas: string
    }
    expect(Number(transaction.gas)).toBeLessThan(400_000)
  })
})

describe('a transaction that is not mined', () => {
  let chain: Chain
  let network: ConnectedNetwork
  const stack = new AsyncDisposableStack()
  beforeAll(async () => {
    await loadFastKeccak()
    chain = stack.use(await startChain({ mineAfterMs: 3_600_000 }))
    await deployLocalnet(chain.rpcUrl)
    await mintTestUsd(chain.rpcUrl, payer.address, 1_000_000_000n)
    const database = stack.use(await createTestDatabase(facilitatorSchema))
    const pool = new Pool({ connectionString: database.url })
    stack.defer(() => pool.end())
    const account = facilitator.address.toLowerCase()
    await pool.query('insert into account_leases (account, epoch) values ($1, 1)', [account])
    network = stack.use(
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
        store: createIntentStore(pool),
        privateKey: hexToBytes(facilitator.privateKey),
        lease: { epoch: 1, lost: () => undefined },
        minesOnDemand: false,
        surroundings: platform,
        pace: { supersededAfterMs: 100, rebroadcastEveryMs: 100, replaceAfterMs: 600 },
        onTrouble: () => undefined,
      }),
    )
  })
  afterAll(async () => {
    await stack.disposeAsync()
  })

  async function submit(value: bigint) {
    const plan = await planDirect(
      readEnvelope(exactV2(aTransfer({ value }))),
      createNetworks([network]),
      { requestHash: `request ${value}` },
      nowSec(),
    )
    const ticket = network.pipeline.submit(plan.draft)
    const first = await eventually(
      () => Promise.resolve(ticket.transaction()),
      (hash) => hash !== undefined,
      'the broadcast',
    )
    return { ticket, first }
  }

  test('is replaced by one that pays more, and lands once', async () => {
    const before = await balanceOf(chain.rpcUrl, worker.address)
    const { ticket, first } = await submit(11_000n)
    const replacement = await eventually(
      () => Promise.resolve(ticket.transaction()),
      (hash) => hash !== first,
      'the replacement',
    )
    const fee = async (hash: Hex | undefined): Promise<bigint> =>
      BigInt(((await rpc(chain.rpcUrl, 'eth_getTransactionByHash', [hash])) as { maxFeePerGas: string }).maxFeePerGas)
    await eventually(
      () => fee(replacement).catch(() => 0n),
      (paid) => paid > 1_000_000n,
      'the replacement in the pool',
    )
    await rpc(chain.rpcUrl, 'evm_mine', [])
    expect(await ticket.outcome).toMatchObject({ transaction: replacement })
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 11_000n)
  })

  test('and whose account nonce another transaction took has failed, with nothing moved', async () => {
    const before = await balanceOf(chain.rpcUrl, worker.address)
    const { ticket } = await submit(12_000n)
    const nonce = Number(await rpc(chain.rpcUrl, 'eth_getTransactionCount', [facilitator.address, 'latest']))
    const other = signTransaction(
      {
        chainId: 31337,
        nonce,
        maxFeePerGas: 50_000_000_000n,
        maxPriorityFeePerGas: 50_000_000_000n,
        gas: 21_000n,
        to: worker.address,
        data: '0x',
      },
      hexToBytes(facilitator.privateKey),
    )
    await rpc(chain.rpcUrl, 'eth_sendRawTransaction', [other.raw])
    await rpc(chain.rpcUrl, 'evm_mine', [])
    expect((await ticket.outcome).failure).toMatchObject({ code: 'superseded' })
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before)
  })
})

describe('a facilitator without gas', () => {
  test('answers 503, broadcast false, and nothing stays in flight', async () => {
    await using rig = await startRig({ FACILITATOR_KEY: generatePrivateKey() })
    const body = exactV2(aTransfer())
    const answer = await rig.post('/settle', body)
    expect(answer).toMatchObject({ status: 503, body: { success: false, errorCode: 'out_of_gas', broadcast: false } })
    expect(await rig.post('/settle', body)).toMatchObject({ status: 503, body: { broadcast: false } })
  })
})
