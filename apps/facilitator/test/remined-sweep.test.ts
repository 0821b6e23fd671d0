import { deployLocalnet, mintTestUsd } from '@ergon/contracts'
import { startChain } from '@ergon/dev-env'
import { hexToBytes, loadFastKeccak, networks } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { createRpcClient } from '../src/chain/rpc-client.ts'
import { createService } from '../src/service.ts'
import { platform } from '../src/surroundings/platform.ts'
import { createMemoryDatabase } from '../src/testing/memory-store.ts'
import { addresses, facilitator } from '../src/testing/payments.ts'
import { rpc } from './harness-env.ts'
import { eventually } from './harness.ts'
import { hurriedBy } from './hurried.ts'

test('a sweep that was mined again behind more fees answers its key with what it moved last', async () => {
  await loadFastKeccak()
  await using chain = await startChain({ mineAfterMs: 3_600_000 })
  await deployLocalnet(chain.rpcUrl)
  const hurried = hurriedBy(5)
  const database = createMemoryDatabase(() => hurried.now())
  const row = { ...networks.localnet, confirmations: 3 }
  using node = createRpcClient({
    urls: [chain.rpcUrl],
    chainId: 31_337,
    timeoutMs: 5_000,
    surroundings: platform,
    onTrouble: () => undefined,
  })
  const { escrow } = row
  if (escrow === undefined) throw new Error('the local chain has an escrow')
  await using service = await createService({
    config: {
      orderDelegates: [],
      lifecycleMode: 'enforce',
      blacklist: [],
      rateLimit: undefined,
      settleWaitMs: 100_000,
      minesOnDemand: false,
    },
    secrets: { privateKey: hexToBytes(facilitator.privateKey), adminToken: undefined },
    surroundings: hurried,
    networks: [{ row, rpc: node }],
    intents: database.intents,
    registrations: database.registrations,
    lease: { epoch: database.raise(facilitator.address), lost: () => undefined },
    log: { warn: () => undefined, error: () => undefined },
  })
  const sweep = async (): Promise<unknown> => {
    const { body } = await service.handle({
      method: 'POST',
      path: '/fees/distribute',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'the-sweep' },
      body: new TextEncoder().encode(JSON.stringify({ network: row.name, token: addresses.token })),
    })
    return JSON.parse(body) as unknown
  }
  const mine = (): Promise<unknown> => rpc(chain.rpcUrl, 'evm_mine', [])
  const operator = escrow.operator.toLowerCase() as `0x${string}` // a row of the table

  await mintTestUsd(chain.rpcUrl, operator, 700n)
  const snapshot = await rpc(chain.rpcUrl, 'evm_snapshot', [])
  const first = sweep()
  const raw = await eventually(
    () => Promise.resolve(database.rows()[0]?.transactions[0]?.raw),
    (one) => one !== undefined,
    'the sweep',
  )
  await eventually(
    () => rpc(chain.rpcUrl, 'txpool_content', []),
    (content) => JSON.stringify(content).includes(addresses.token.slice(2)),
    'the sweep in the pool',
  )
  await mine()
  expect(await first).toMatchObject({ success: true, amount: '700' })

  await rpc(chain.rpcUrl, 'evm_revert', [snapshot])
  await mintTestUsd(chain.rpcUrl, operator, 400n)
  await rpc(chain.rpcUrl, 'eth_sendRawTransaction', [raw])
  await mine()
  expect(
    await eventually(sweep, (answer) => (answer as { amount?: string }).amount === '1100', 'what was moved last'),
  ).toMatchObject({ success: true, amount: '1100' })
  expect(database.rows()).toHaveLength(1)
})
