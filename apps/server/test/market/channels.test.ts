import { errorsOf, operations } from '@ergon/contract'
import { createMarket, type BindInput, type Market, type TickInput, type WalletCaller } from '@ergon/core'
import { createFakeChannels, type FakeChannels } from '@ergon/core/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPool, createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { localnet, openStage, publisher, worker, type Stage } from './stage.ts'

const refusedWith = (code: string, details: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as unknown }) as Error
const solana = {
  name: 'solana',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  chainId: null,
  hasEscrow: false,
  tokens: { USDC: { address: 'mint', decimals: 6 } },
  takesRatings: false,
} as const
const stranger: WalletCaller = { ...worker, wallet: '0x3333333333333333333333333333333333333333', agentId: null }
const workerAddress = 'worker-on-solana'

let stage: Stage
let market: Market
let channels: FakeChannels
let made = 0
beforeAll(async () => {
  stage = await openStage()
  channels = createFakeChannels('solana')
  market = createMarket({ ...stage.deps, networks: [localnet, solana], channels })
})
afterAll(() => stage[Symbol.asyncDispose]())

type Streaming = NonNullable<Parameters<Market['publish']>[1]['streaming']>
const perScan: Streaming = { unit: 'scan', pricePerUnit: '0.0003', capUsd: '0.001' }

async function published(streaming: Streaming | null = perScan, network = 'solana') {
  const { task } = await market.publish(publisher, {
    title: 'Count the boats',
    instructions: 'Scan the harbour and count every boat you see.',
    category: 'data_collection',
    bountyUsd: '1',
    deadlineHours: 24,
    evidenceRequired: ['text_response'],
    evidenceOptional: [],
    locationHint: null,
    minReputation: 0,
    network,
    token: null,
    target: 'any',
    publisherType: 'agent',
    paymentAuth: null,
    idempotency: null,
    ...(streaming === null ? {} : { streaming }),
  })
  return task.id
}

/** Published, and assigned to the worker, who has an address on the ledger. */
async function assigned(streaming: Streaming = perScan): Promise<string> {
  const taskId = await published(streaming)
  const { executorId } = await market.apply(worker, taskId, { executorId: null, message: 'I am near.' })
  await market.bindPayoutAddress(worker, workerAddress)
  await market.assign(publisher, taskId, { executorId, notes: null, paymentAuth: null })
  return taskId
}

/** Another channel on the ledger, for that worker. */
function opened(deposit = 5_000n, change: object = {}): BindInput {
  made += 1
  const channelId = `channel ${String(made)}`
  channels.kept.set(channelId, { payer: 'buyer', worker: workerAddress, deposit, ...change })
  return { channelId, payer: 'buyer', payee: null, voucherKey: null }
}

async function bound(streaming: Streaming = perScan, deposit = 5_000n) {
  const taskId = await assigned(streaming)
  const channel = await market.bindChannel(publisher, taskId, opened(deposit))
  return { taskId, channel }
}

const scan = (change: Partial<TickInput> = {}): TickInput => ({
  evidence: { seen: 3 },
  unit: null,
  payee: null,
  note: null,
  voucher: null,
  idempotency: null,
  ...change,
})

describe('a metered task', () => {
  test('is published with what a unit costs and the most the buyer can lose', async () => {
    const taskId = await published()
    expect(await stage.store.meterTerms(taskId)).toEqual({ unit: 'scan', price: 300n, cap: 1_000n })
    expect((await stage.store.task(taskId))?.escrowStatus).toBe('none')
    expect(await stage.store.meterTerms(await published(null, 'localnet'))).toBeNull()
  })

  test('needs a network with channels, a deployment with channels, and a price', async () => {
    await expect(published(perScan, 'localnet')).rejects.toThrow(refusedWith('NETWORK_NOT_ACCEPTED'))
    await expect(published({ ...perScan, pricePerUnit: '0' })).rejects.toThrow(refusedWith('VALIDATION_FAILED'))
    await expect(published({ ...perScan, capUsd: '0.0002' })).rejects.toThrow(refusedWith('VALIDATION_FAILED'))
    const without = createMarket({ ...stage.deps, networks: [localnet, solana] })
    const taskId = await published()
    await expect(without.tick(publisher, taskId, scan())).rejects.toThrow(refusedWith('NOT_WIRED'))
    await expect(without.bindChannel(publisher, taskId, opened())).rejects.toThrow(refusedWith('NOT_WIRED'))
  })
})

describe('a channel is bound', () => {
  test('once a worker with an address is known, and not before (409 NO_PAYEE_RESOLVED)', async () => {
    const taskId = await published()
    await expect(market.bindChannel(publisher, taskId, opened())).rejects.toThrow(refusedWith('NO_PAYEE_RESOLVED'))
    const { executorId } = await market.apply(worker, taskId, { executorId: null, message: null })
    await market.assign(publisher, taskId, { executorId, notes: null, paymentAuth: null })
    await stage.pool.query('update workers set solana_payout_address = null where id = $1', [executorId])
    await expect(market.bindChannel(publisher, taskId, opened())).rejects.toThrow(refusedWith('NO_PAYEE_RESOLVED'))
    await market.bindPayoutAddress(worker, workerAddress)
    expect(await market.bindChannel(publisher, taskId, opened())).toMatchObject({
      status: 'open',
      worker: workerAddress,
      payee: 'Q'.repeat(43),
      limit: 1_000n,
      cumulative: 0n,
      vouchers: 0,
    })
  })

  test('with what is in it where that is less than the cap', async () => {
    const { channel } = await bound(perScan, 700n)
    expect(channel).toMatchObject({ deposit: 700n, limit: 700n })
  })

  test('and its deposit is in the books', async () => {
    const { channel } = await bound()
    const { rows } = await stage.pool.query<{ account: string; amount_atomic: bigint }>(
      `select account, amount_atomic from ledger where journal =
         (select journal from ledger where account = $1) order by amount_atomic`,
      [`channel:${channel.id}`],
    )
    expect(rows).toEqual([
      { account: 'wallet:buyer', amount_atomic: -5_000n },
      { account: `channel:${channel.id}`, amount_atomic: 5_000n },
    ])
  })

  test('once: a repeat answers it, another channel is refused, and it funds no other task', async () => {
    const { taskId, channel } = await bound()
    const again = { channelId: channel.id, payer: 'buyer', payee: null, voucherKey: null }
    expect(await market.bindChannel(publisher, taskId, again)).toEqual(channel)
    await expect(market.bindChannel(publisher, taskId, opened())).rejects.toThrow(
      refusedWith('CHANNEL_NOT_REUSABLE', { fault: 'task_has_a_channel' }),
    )
    await expect(market.bindChannel(publisher, await assigned(), again)).rejects.toThrow(
      refusedWith('CHANNEL_NOT_REUSABLE', { fault: 'bound_to_another_task' }),
    )
  })

  test('by one of many who bind it at once, and booked once', async () => {
    const taskId = await assigned()
    const inputs = [opened(), opened()]
    const tries = [...inputs, ...inputs, ...inputs].map((input) => market.bindChannel(publisher, taskId, input))
    const done = await Promise.allSettled(tries)
    const ids = new Set(done.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : [])))
    expect(ids.size).toBe(1)
    const { rows } = await stage.pool.query('select 1 from ledger where account = any($1)', [
      inputs.map(({ channelId }) => `channel:${channelId}`),
    ])
    expect(rows).toHaveLength(1)
  })

  test('by the publisher of a metered task, for its worker, on what the ledger holds', async () => {
    const taskId = await assigned()
    const bind = (input: BindInput, as = publisher) => market.bindChannel(as, taskId, input)
    await expect(bind(opened(), stranger)).rejects.toThrow(refusedWith('FORBIDDEN'))
    await expect(bind({ ...opened(), payee: 'somewhere' })).rejects.toThrow(refusedWith('VALIDATION_FAILED'))
    await expect(bind({ ...opened(), channelId: 'nowhere' })).rejects.toThrow(refusedWith('CHANNEL_NOT_ON_CHAIN'))
    await expect(bind({ ...opened(), payer: 'another' })).rejects.toThrow(refusedWith('CHANNEL_NOT_YOURS'))
    await expect(bind(opened(1n, { worker: 'another' }))).rejects.toThrow(refusedWith('CHANNEL_NOT_REUSABLE'))
    await expect(bind(opened(1n, { voucherKey: 'of the buyer' }))).rejects.toThrow(
      refusedWith('CHANNEL_NOT_REUSABLE', { fault: 'wrong_signer' }),
    )
    channels.unpayable.add(workerAddress)
    await expect(bind(opened())).rejects.toThrow(refusedWith('WORKER_USDC_ATA_MISSING'))
    channels.unpayable.clear()
    channels.isDown = true
    await expect(bind(opened())).rejects.toThrow(refusedWith('WORKER_USDC_ATA_UNVERIFIABLE'))
    channels.isDown = false
    const plain = await published(null, 'localnet')
    await expect(market.bindChannel(publisher, plain, opened())).rejects.toThrow(refusedWith('VALIDATION_FAILED'))
    expect(await stage.store.channelOf(taskId)).toBeNull()
  })
})

describe('a tick', () => {
  test('by worker or publisher raises the voucher; the last is trimmed, and then the cap is reached', async () => {
    const { taskId, channel } = await bound()
    const steps = [
      [worker, 300n, 300n],
      [publisher, 300n, 600n],
      [worker, 300n, 900n],
      [worker, 100n, 1_000n],
    ] as const
    for (const [index, [as, amount, cumulative]] of steps.entries()) {
      const { tick } = await market.tick(as, taskId, scan())
      const signature = `signed ${channel.id} ${String(cumulative)}`
      expect(tick).toMatchObject({ index: index + 1, amount, cumulative, signature, author: as.wallet })
    }
    await expect(market.tick(worker, taskId, scan())).rejects.toThrow(refusedWith('SESSION_CAP_EXCEEDED'))
    const ticks = await stage.store.ticksAfter(channel.id, 1, 2)
    expect(ticks.map(({ index, evidence }) => [index, evidence])).toEqual([
      [2, { seen: 3 }],
      [3, { seen: 3 }],
    ])
    expect(await stage.store.channelOf(taskId)).toMatchObject({ cumulative: 1_000n, vouchers: 4, measured: 4n })
  })

  test('that is refused charges nothing', async () => {
    const { taskId } = await bound()
    const before = await stage.store.channelOf(taskId)
    const refused: readonly (readonly [WalletCaller, Partial<TickInput>, string])[] = [
      [stranger, {}, 'FORBIDDEN'],
      [worker, { evidence: {} }, 'VALIDATION_FAILED'],
      [worker, { evidence: { text: 'x'.repeat(5_000) } }, 'VALIDATION_FAILED'],
      [worker, { unit: 'minute' }, 'VALIDATION_FAILED'],
      [worker, { payee: 'somewhere' }, 'VALIDATION_FAILED'],
    ]
    for (const [as, change, code] of refused)
      await expect(market.tick(as, taskId, scan(change)), JSON.stringify(change)).rejects.toThrow(refusedWith(code))
    expect(await stage.store.channelOf(taskId)).toEqual(before)
    await expect(market.tick(worker, taskId, scan({ unit: 'scan', payee: workerAddress }))).resolves.toMatchObject({
      replayed: false,
    })
  })

  test('before a channel is bound, and after it was closed, counts nothing', async () => {
    await expect(market.tick(worker, await assigned(), scan())).rejects.toThrow(refusedWith('no_channel_bound'))
    const { taskId, channel } = await bound()
    await stage.pool.query("update channels set status = 'closing' where id = $1", [channel.id])
    await expect(market.tick(worker, taskId, scan())).rejects.toThrow(
      refusedWith('CHANNEL_EXPIRED', { status: 'closing' }),
    )
  })

  test('while the work is being looked at is refused by a code that the operation lists', async () => {
    const { taskId } = await bound()
    await stage.pool.query("update tasks set status = 'submitted' where id = $1", [taskId])
    await expect(market.tick(worker, taskId, scan())).rejects.toThrow(refusedWith('TASK_NOT_SUBMITTABLE'))
    expect(errorsOf(operations['channels.tick'])).toContain('TASK_NOT_SUBMITTABLE')
  })

  test('sent again under its key is the same tick, for as long as its body is', async () => {
    const { taskId } = await bound()
    const idempotency = { key: 'em-tick-1', bodyHash: 'a' }
    const { tick } = await market.tick(worker, taskId, scan({ idempotency }))
    const again = await Promise.all([1, 2, 3].map(() => market.tick(worker, taskId, scan({ idempotency }))))
    expect(again).toEqual(Array(3).fill(expect.objectContaining({ tick, replayed: true })))
    await expect(market.tick(worker, taskId, scan({ idempotency: { ...idempotency, bodyHash: 'b' } }))).rejects.toThrow(
      refusedWith('IDEMPOTENCY_KEY_REUSED'),
    )
    expect(await stage.store.channelOf(taskId)).toMatchObject({ vouchers: 1, cumulative: 300n })
    await stage.pool.query("update channels set status = 'closing' where task_id = $1", [taskId])
    expect(await market.tick(worker, taskId, scan({ idempotency }))).toMatchObject({ tick, replayed: true })
  })

  test('of a time unit bills the fraction it covers, and none that costs nothing', async () => {
    const { taskId } = await bound({ unit: 'minute', pricePerUnit: '0.0006', capUsd: '0.01' }, 10_000n)
    await expect(market.tick(worker, taskId, scan())).rejects.toThrow(refusedWith('VALIDATION_FAILED'))
    stage.clock.advance(30_000)
    expect((await market.tick(worker, taskId, scan())).tick).toMatchObject({ amount: 300n, measured: 30_000n })
    stage.clock.advance(600_000)
    expect((await market.tick(worker, taskId, scan())).tick).toMatchObject({ amount: 600n, cumulative: 900n })
  })
})

describe('many ticks at once', () => {
  const cheap: Streaming = { unit: 'scan', pricePerUnit: '0.000007', capUsd: '0.01' }

  test('a hundred on one channel are accepted one after the other, none lost and none counted twice', async () => {
    const { taskId, channel } = await bound(cheap, 10_000n)
    const done = await Promise.all(Array.from({ length: 100 }, () => market.tick(worker, taskId, scan())))
    const indexes = done.map(({ tick }) => tick.index).toSorted((one, other) => one - other)
    expect(indexes).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
    for (const { tick } of done) expect(tick.cumulative).toBe(BigInt(tick.index) * 7n)
    expect(await stage.store.channelOf(taskId)).toMatchObject({
      cumulative: 700n,
      vouchers: 100,
      signature: `signed ${channel.id} 700`,
    })
  })

  test('ten on each of a hundred are accepted, each channel in its own order', async () => {
    const taskIds: string[] = []
    for (let at = 0; at < 100; at += 1) taskIds.push((await bound(cheap, 10_000n)).taskId)
    const done = await Promise.all(
      taskIds.flatMap((taskId) => Array.from({ length: 10 }, () => market.tick(worker, taskId, scan()))),
    )
    expect(done).toHaveLength(1_000)
    for (const taskId of taskIds)
      expect(await stage.store.channelOf(taskId)).toMatchObject({ cumulative: 70n, vouchers: 10 })
  })

  test('the cap holds whoever comes last: what was paid is the sum of ticks, up to it', async () => {
    const { taskId } = await bound(perScan)
    const done = await Promise.allSettled(Array.from({ length: 20 }, () => market.tick(worker, taskId, scan())))
    const paid = done.flatMap((one) => (one.status === 'fulfilled' ? [one.value.tick.amount] : []))
    expect(paid.reduce((sum, amount) => sum + amount, 0n)).toBe(1_000n)
    expect(paid).toHaveLength(4)
  })

  test('a channel that is held up holds up no other', async () => {
    const [held, free] = [await bound(), await bound()]
    const client = await stage.pool.connect()
    try {
      await client.query('begin')
      await client.query('select 1 from channels where id = $1 for update', [held.channel.id])
      const waiting = market.tick(worker, held.taskId, scan())
      await expect(market.tick(worker, free.taskId, scan())).resolves.toMatchObject({ tick: { index: 1 } })
      await client.query('commit')
      await expect(waiting).resolves.toMatchObject({ tick: { index: 1 } })
    } finally {
      client.release()
    }
  })

  test('those who wait for a channel that is held up are taken together when it is free, each once', async () => {
    const held = await bound(cheap, 10_000n)
    const client = await stage.pool.connect()
    try {
      await client.query('begin')
      await client.query('select 1 from channels where id = $1 for update', [held.channel.id])
      const waiting = Promise.all(Array.from({ length: 40 }, () => market.tick(worker, held.taskId, scan())))
      const other = await bound(cheap, 10_000n)
      for (let at = 0; at < 3; at += 1) await market.tick(worker, other.taskId, scan())
      // As a channel is closed under those who wait for it.
      await client.query('commit')
      expect(new Set((await waiting).map(({ tick }) => tick.index)).size).toBe(40)
    } finally {
      client.release()
    }
    expect(await stage.store.channelOf(held.taskId)).toMatchObject({ vouchers: 40, cumulative: 280n })
  })

  test('what one of them may not, or what the database does not take of it, is its own alone', async () => {
    const { taskId } = await bound(cheap, 10_000n)
    const outcomes = await Promise.allSettled([
      market.tick(worker, taskId, scan()),
      market.tick(stranger, taskId, scan()),
      market.tick(worker, taskId, scan({ evidence: { text: 'a zero: \u0000' } })),
      market.tick(worker, '6f2f6b32-0000-4000-8000-000000000000', scan()),
      market.tick(worker, taskId, scan({ idempotency: { key: 'twin', bodyHash: 'a' } })),
      market.tick(worker, taskId, scan({ idempotency: { key: 'twin', bodyHash: 'a' } })),
      market.tick(worker, taskId, scan({ idempotency: { key: 'twin', bodyHash: 'b' } })),
    ])
    const said = outcomes.map((one) =>
      one.status === 'fulfilled' ? [one.value.tick.index, one.value.replayed] : (one.reason as { code: string }).code,
    )
    expect(said).toEqual([
      [1, false],
      'FORBIDDEN',
      '22P05',
      'TASK_NOT_FOUND',
      [2, false],
      [2, true],
      'IDEMPOTENCY_KEY_REUSED',
    ])
    expect(await stage.store.channelOf(taskId)).toMatchObject({ vouchers: 2, cumulative: 14n })
  })

  test('of two servers are in one order, and share their keys', async () => {
    const { taskId } = await bound(cheap, 10_000n)
    const pool = createPool(stage.databaseUrl)
    const store = createPostgresStore(pool, { identityNetwork: 'localnet' })
    const other = createMarket({ ...stage.deps, store, networks: [localnet, solana], channels })
    try {
      const both = await Promise.all(
        Array.from({ length: 60 }, (_, at) => {
          const idempotency = at % 3 === 0 ? { key: `shared ${String(at - (at % 2) * 3)}`, bodyHash: 'a' } : null
          return (at % 2 === 0 ? market : other).tick(worker, taskId, scan({ idempotency }))
        }),
      )
      const fresh = both.filter(({ replayed }) => !replayed)
      expect(fresh).toHaveLength(50)
      expect(new Set(fresh.map(({ tick }) => tick.index))).toEqual(
        new Set(Array.from({ length: 50 }, (_, at) => at + 1)),
      )
      expect(await stage.store.channelOf(taskId)).toMatchObject({ vouchers: 50, cumulative: 350n })
    } finally {
      await pool.end()
    }
  })
})
