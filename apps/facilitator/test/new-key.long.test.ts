import type { Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { generatePrivateKey, privateKeySigner } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTransfer, exactV2, facilitator, worker } from '../src/testing/payments.ts'
import { facilitatorEnv, rpc } from './harness-env.ts'
import {
  balanceOf,
  createClient,
  eventually,
  sentByFacilitator,
  startFacilitator,
  startFundedChain,
  type Client,
} from './harness.ts'
import { startRpcProxy } from './rpc-proxy.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

/** A new gas key, put in while a payment is under way that the key before has signed. */

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain.stop()
})

type Changed = AsyncDisposable & {
  readonly settle: (key: string) => ReturnType<Client['post']>
  /** What the payee got, and how much both keys have sent, since before. */
  readonly came: () => Promise<{ readonly atomic: bigint; readonly byOld: number; readonly byNew: number }>
}

/** The old key has written the payment down and broadcast nothing; then `between`; then the new key serves. */
async function changeKey(between: () => Promise<void>): Promise<Changed> {
  const stack = new AsyncDisposableStack()
  const proxy = stack.use(await startRpcProxy(chain.rpcUrl))
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const hurry = { FACILITATOR_SETTLE_WAIT_MS: '400', FACILITATOR_RPC_TIMEOUT_MS: '200' }
  const env = facilitatorEnv(proxy.url, database.url, hurry)
  const body = exactV2(aTransfer({ value: 30_000n }))
  const before = { held: await balanceOf(chain.rpcUrl, worker.address), sent: await sentByFacilitator(chain.rpcUrl) }
  {
    await using old = await startFacilitator(env)
    proxy.decide = (methods) => (methods.includes('eth_sendRawTransaction') ? 'drop' : 'forward')
    const answer = await createClient(await old.listen()).post('/settle', body, { 'idempotency-key': 'under-way' })
    expect(answer.body).toMatchObject({ errorCode: 'settlement_pending', final: false })
  }
  await between()
  proxy.decide = () => 'forward'
  const key = generatePrivateKey()
  const { address } = privateKeySigner(key)
  await rpc(chain.rpcUrl, 'anvil_setBalance', [address, '0xde0b6b3a7640000'])
  const client = createClient(await stack.use(await startFacilitator({ ...env, FACILITATOR_KEY: key })).listen())
  return {
    settle: (idempotencyKey) => client.post('/settle', body, { 'idempotency-key': idempotencyKey }),
    came: async () => ({
      atomic: (await balanceOf(chain.rpcUrl, worker.address)) - before.held,
      byOld: (await sentByFacilitator(chain.rpcUrl)) - before.sent,
      byNew: Number(await rpc(chain.rpcUrl, 'eth_getTransactionCount', [address, 'latest'])),
    }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('what the old key signed is sent as it is, while that key has gas', async () => {
  await using changed = await changeKey(() => Promise.resolve())
  const answer = await eventually(
    () => changed.settle('under-way'),
    ({ status }) => status === 200,
    'the landing',
  )
  expect(answer.body).toMatchObject({ success: true })
  expect(await changed.came()).toEqual({ atomic: 30_000n, byOld: 1, byNew: 0 })
})

test('once the gas was moved away with its nonce, the end is told, and the new key may pay', async () => {
  await using changed = await changeKey(async () => {
    // The wallet that moves the gas away knows nothing of the payment and takes its nonce.
    const sent = { from: facilitator.address, to: worker.address, value: '0x1' }
    await rpc(chain.rpcUrl, 'eth_sendTransaction', [sent])
    await rpc(chain.rpcUrl, 'evm_mine', [])
    await rpc(chain.rpcUrl, 'anvil_setBalance', [facilitator.address, '0x0'])
  })
  const ended = await eventually(
    () => changed.settle('under-way'),
    ({ body }) => body['final'] === true,
    'the end of the first',
    40_000,
  )
  expect(ended.body).toMatchObject({ success: false, broadcast: false })
  expect((await changed.settle('anew')).body).toMatchObject({ success: true })
  expect(await changed.came()).toEqual({ atomic: 30_000n, byOld: 1, byNew: 1 })
})
