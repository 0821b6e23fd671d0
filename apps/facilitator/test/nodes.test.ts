import type { Chain } from '@ergon/dev-env'
import { createTestDatabase, startNodeProxy, type NodeProxy, type Refusing, ownClock } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRpcClient, type RpcNodes } from '../src/chain/rpc-client.ts'
import type { Facilitator } from '../src/index.ts'
import { platform } from '../src/surroundings/platform.ts'
import { aTransfer, exactV2, worker } from '../src/testing/payments.ts'
import { facilitatorEnv, rpc } from './harness-env.ts'
import {
  balanceOf,
  createClient,
  eventually,
  sentByFacilitator,
  startFacilitator,
  startFundedChain,
} from './harness.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
  await rpc(chain.rpcUrl, 'anvil_mine', ['0x14'])
})
afterAll(async () => {
  await chain.stop()
})

function start(urls: string, databaseUrl: string, env: Record<string, string> = {}): Promise<Facilitator> {
  return startFacilitator(facilitatorEnv(urls, databaseUrl, { FACILITATOR_RPC_TIMEOUT_MS: '1000', ...env }))
}

function connect(...proxies: readonly NodeProxy[]): RpcNodes {
  return createRpcClient({
    urls: proxies.map(({ url }) => url),
    chainId: 31_337,
    timeoutMs: 500,
    surroundings: platform,
    onTrouble: () => undefined,
  })
}

const blockAt = (index: number) => ({ method: 'eth_getBlockByNumber', params: [`0x${index.toString(16)}`, false] })
const numbersOf = (answers: readonly { readonly result?: unknown }[]) =>
  answers.map(({ result }) => Number((result as { number: string } | null)?.number))

describe('a node that limits batches', () => {
  test.each<[number, Refusing]>([
    [10, 'with one error'],
    [5, 'with an error in the list'],
    [5, 'with a status'],
    [3, 'by answering some'],
    [1, 'with one error'],
    [1, 'with a status'],
  ])('to %i, and says so %s, is asked for less, and remembered', async (limit, refusing) => {
    await using proxy = await startNodeProxy(chain.rpcUrl)
    Object.assign(proxy, { batchLimit: limit, refusing })
    using client = connect(proxy)
    const blocks = Array.from({ length: 14 }, (_, index) => index)
    expect(numbersOf(await client.batch(blocks.map(blockAt)))).toEqual(blocks)
    proxy.seen.length = 0
    expect(numbersOf(await client.batch(blocks.map(blockAt)))).toEqual(blocks)
    expect(Math.max(...proxy.seen.map((methods) => methods.length))).toBeLessThanOrEqual(limit)
  })

  test.each([10, 5, 1])(
    'to %i serves payments, and those it mined unanswered are finished after a restart',
    async (limit) => {
      await using proxy = await startNodeProxy(chain.rpcUrl)
      proxy.batchLimit = limit
      await using database = await createTestDatabase(facilitatorSchema)
      const before = await balanceOf(chain.rpcUrl, worker.address)
      const bodies = Array.from({ length: 24 }, () => exactV2(aTransfer({ value: 1_000n })))
      const env = { FACILITATOR_SETTLE_WAIT_MS: '1500', FACILITATOR_MINING: 'off' }
      const first = await start(proxy.url, database.url, env)
      const one = createClient(await first.listen())
      // Whoever mines, the receipts are not to be had.
      proxy.failing.set('eth_getTransactionReceipt', Infinity)
      const open = await Promise.all(
        bodies.map((body, index) => one.post('/settle', body, { 'idempotency-key': `k${index}` })),
      )
      expect(open.map(({ body }) => body['errorCode'])).toEqual(bodies.map(() => 'settlement_pending'))
      await first[Symbol.asyncDispose]()
      proxy.failing.set('eth_getTransactionReceipt', 30)
      proxy.failing.set('eth_getTransactionCount', 2)
      await using second = await start(proxy.url, database.url, { FACILITATOR_SETTLE_WAIT_MS: '8000' })
      const two = createClient(await second.listen())
      const answers = await Promise.all(
        bodies.map((body, index) => two.post('/settle', body, { 'idempotency-key': `k${index}` })),
      )
      expect(answers.map(({ body }) => body['success'])).toEqual(bodies.map(() => true))
      expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 24_000n)
    },
  )
})

describe('a node that asks for patience', () => {
  test('is asked again', async () => {
    await using proxy = await startNodeProxy(chain.rpcUrl)
    using client = connect(proxy)
    proxy.busy = 2
    expect(numbersOf(await client.batch([blockAt(1)]))).toEqual([1])
    proxy.busy = 100
    await expect(client.batch([blockAt(1)])).rejects.toThrow(/patience/)
  })

  test('is left for another', async () => {
    await using busy = await startNodeProxy(chain.rpcUrl)
    await using other = await startNodeProxy(chain.rpcUrl)
    using client = connect(busy, other)
    busy.busy = 100
    expect(numbersOf(await client.batch([blockAt(1)]))).toEqual([1])
    expect(client.standing()).toEqual({ all: 2, answering: 1 })
  })
})

describe('a node whose key is over', () => {
  test.each([
    [401, 'in HTML'],
    [403, 'in HTML'],
    [401, 'in JSON'],
    [402, 'in JSON'],
    [403, 'in a list'],
  ] as const)('%i %s, is left for another, also in the middle of a connection', async (status, how) => {
    await using locked = await startNodeProxy(chain.rpcUrl)
    await using other = await startNodeProxy(chain.rpcUrl)
    using client = connect(locked, other)
    expect(numbersOf(await client.batch([blockAt(1)]))).toEqual([1])
    locked.locked = { status, how }
    expect(numbersOf(await client.batch([blockAt(1), blockAt(2)]))).toEqual([1, 2])
    expect(client.standing()).toEqual({ all: 2, answering: 1 })
    using alone = connect(locked)
    await expect(alone.batch([blockAt(1)])).rejects.toThrow('the chain node lets nobody in')
  })

  test('costs no payment: it goes to the next, and nothing is refused', async () => {
    await using locked = await startNodeProxy(chain.rpcUrl)
    await using database = await createTestDatabase(facilitatorSchema)
    await using facilitator = await start(`${locked.url},${chain.rpcUrl}`, database.url)
    const client = createClient(await facilitator.listen())
    const before = await balanceOf(chain.rpcUrl, worker.address)
    const pay = () => client.post('/settle', exactV2(aTransfer({ value: 1_000n })))
    expect((await pay()).body).toMatchObject({ success: true })
    locked.locked = { status: 401, how: 'in JSON' }
    expect((await pay()).body).toMatchObject({ success: true })
    locked.locked = false
    expect((await pay()).body).toMatchObject({ success: true })
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 3_000n)
  })
})

describe('of two nodes', () => {
  test('the second serves while the first is silent, and the first again when it answers', async () => {
    await using silent = await startNodeProxy(chain.rpcUrl)
    await using other = await startNodeProxy(chain.rpcUrl)
    using client = connect(silent, other)
    await client.batch([blockAt(1)])
    silent.stalls = 'before'
    expect(numbersOf(await client.batch([blockAt(2)]))).toEqual([2])
    const ownMs = ownClock()
    expect(numbersOf(await client.batch([blockAt(3)]))).toEqual([3])
    expect(await ownMs()).toBeLessThan(400)
    silent.stalls = false
    await eventually(
      () => Promise.resolve(client.standing().answering),
      (count) => count === 2,
      'the return',
    )
    other.seen.length = 0
    await client.batch([blockAt(4)])
    expect(other.seen).toEqual([])
  })

  test('a payment whose broadcast one swallowed lands once, by the same bytes', async () => {
    await using swallowing = await startNodeProxy(chain.rpcUrl)
    await using other = await startNodeProxy(chain.rpcUrl)
    await using database = await createTestDatabase(facilitatorSchema)
    await using service = await start(`${swallowing.url}, ${other.url}`, database.url)
    const client = createClient(await service.listen())
    const before = await balanceOf(chain.rpcUrl, worker.address)
    const sent = await sentByFacilitator(chain.rpcUrl)
    const paying = client.post('/settle', exactV2(aTransfer({ value: 4_000n })))
    await eventually(
      () => Promise.resolve(swallowing.seen.flat()),
      (methods) => methods.includes('eth_feeHistory') || methods.includes('eth_call'),
      'the simulation',
    )
    swallowing.stalls = 'after'
    expect((await paying).body).toMatchObject({ success: true })
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 4_000n)
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent + 1)
    expect((await client.post('/settle', exactV2(aTransfer({ value: 1_000n })))).body).toMatchObject({ success: true })
  })

  test('one that may have a transaction is not doubted because the other refuses it', async () => {
    await using swallowing = await startNodeProxy(chain.rpcUrl)
    await using other = await startNodeProxy(chain.rpcUrl)
    using client = connect(swallowing, other)
    await client.batch([blockAt(1)])
    swallowing.stalls = 'before'
    await expect(client.batch([{ method: 'eth_sendRawTransaction', params: ['0x00'] }])).rejects.toThrow(/not answer/)
    expect(other.seen.flat()).not.toContain('eth_sendRawTransaction')
    await client.batch([{ method: 'eth_sendRawTransaction', params: ['0x00'] }])
    expect(other.seen.flat()).toContain('eth_sendRawTransaction')
  })

  test('one that comes back as another chain is not believed', async () => {
    await using changed = await startNodeProxy(chain.rpcUrl)
    await using other = await startNodeProxy(chain.rpcUrl)
    using client = connect(changed, other)
    await client.batch([blockAt(1)])
    changed.chainId = 5
    changed.hangUp()
    expect(numbersOf(await client.batch([blockAt(2)]))).toEqual([2])
    expect(other.seen.flat()).toContain('eth_getBlockByNumber')
    expect(client.standing()).toEqual({ all: 2, answering: 1 })
    other.chainId = 5
    other.hangUp()
    await expect(client.batch([blockAt(3)])).rejects.toThrow(/chain 5, not 31337/)
  })

  test('one that is away at the start is left out; one of another chain ends it', async () => {
    await using other = await startNodeProxy(chain.rpcUrl)
    await using database = await createTestDatabase(facilitatorSchema)
    const first = await start(`http://127.0.0.1:1, ${chain.rpcUrl}`, database.url)
    await first[Symbol.asyncDispose]()
    other.chainId = 5
    await expect(start(`${chain.rpcUrl}, ${other.url}`, database.url)).rejects.toThrow(/is on chain 5, not 31337/)
  })
})
