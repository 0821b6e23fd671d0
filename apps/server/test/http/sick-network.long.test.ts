import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployLocalnet, mintTestUsd } from '@ergon/contracts'
import { startChain } from '@ergon/dev-env'
import { networks } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, rpc, startRig } from '../adapters/rig.ts'
import { startTcpProxy, type TcpProxy } from '../adapters/tcp-proxy.ts'
import {
  applied,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'

/** Two chains, of which one says nothing from before the start: the server and the facilitator as they run. */

const stack = new AsyncDisposableStack()
let market: LiveMarket
let line: TcpProxy
let second: string
let startedWithinMs: number
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ergon-rows-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'rows.json')
  await writeFile(
    file,
    JSON.stringify([{ ...networks.localnet, name: 'my-chain', caip2: 'eip155:31338', chainId: 31_338 }]),
  )
  const chain = stack.use(await startChain())
  await deployLocalnet(chain.rpcUrl)
  await rpc(chain.rpcUrl, 'anvil_setChainId', [31_338])
  second = chain.rpcUrl
  line = stack.use(await startTcpProxy(chain.port))
  line.mute()
  const node = `http://127.0.0.1:${String(line.port)}`
  const rig = stack.use(
    await startRig({
      FACILITATOR_NETWORKS: 'localnet,my-chain',
      FACILITATOR_NETWORKS_FILE: file,
      FACILITATOR_RPC_MY_CHAIN: node,
      FACILITATOR_RPC_TIMEOUT_MS: '2000',
    }),
  )
  const startedAt = performance.now()
  market = stack.use(
    await startLiveMarket(
      { SVC_NETWORKS: 'localnet,my-chain', SVC_NETWORKS_FILE: file, SVC_RPC_MY_CHAIN: node, SVC_LOG_LEVEL: 'fatal' },
      rig,
    ),
  )
  startedWithinMs = performance.now() - startedAt
})
afterAll(() => stack.disposeAsync())

async function wholeJob(publisher: Party, worker: Party, network: string): Promise<void> {
  const job = await applied(publisher, worker, { payment_network: network })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  await submit(worker, job.taskId)
}

test('a network that is silent at the start is named, and jobs of the other go on', async () => {
  expect(startedWithinMs).toBeLessThan(30_000)
  const ready = await eventually(
    () => market.get('/readyz'),
    ({ body }) => body['status'] === 'degraded',
  )
  expect([ready.status, ready.body]).toMatchObject([200, { reasons: ['chain_unreachable:my-chain'] }])
  expect((await market.get('/api/v1/health')).body).toMatchObject({ networks: { localnet: true, 'my-chain': false } })
  const [publisher, worker] = [await market.party(20n), await market.party(0n)]
  await wholeJob(publisher, worker, 'localnet')
  // The node signs for its own chain alone.
  await rpc(second, 'anvil_setChainId', [31_337])
  await mintTestUsd(second, publisher.wallet, 20_000_000n)
  await rpc(second, 'anvil_setChainId', [31_338])
  await line.open()
  const well = await eventually(
    () => market.get('/readyz'),
    ({ body }) => body['status'] === 'ready',
    40_000,
  )
  expect(well.body).toMatchObject({ status: 'ready' })
  // The facilitator serves it from then on.
  await eventually(
    () => fetch(`${market.rig.facilitatorUrl}/health`).then((answer) => answer.json() as Promise<{ status: string }>),
    ({ status }) => status === 'healthy',
    40_000,
  )
  await wholeJob(publisher, worker, 'my-chain')
  line.mute()
  await wholeJob(publisher, worker, 'localnet')
  await line.open()
})
