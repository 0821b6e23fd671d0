import type { BindInput, Market, WalletCaller } from '@ergon/core'
import { createFakeChannels, type FakeChannels } from '@ergon/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { booksOf, boundTask, handedIn, marketOn, scan, workerAddress } from './channel-stage.ts'
import { openStage, publisher, worker, type Stage } from './stage.ts'

const refusedWith = (code: string) => expect.objectContaining({ code }) as Error
const stranger: WalletCaller = { ...worker, wallet: '0x3333333333333333333333333333333333333333', agentId: null }
const wide = { unit: 'scan', pricePerUnit: '0.0003', capUsd: '0.01' } as const

let stage: Stage
let market: Market
let channels: FakeChannels
let made = 0
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  channels = createFakeChannels('solana')
  market = marketOn(stage, channels)
  // What an earlier test left is on a ledger that is gone.
  await stage.pool.query("update channels set status = 'reclaimed' where status <> 'reclaimed'")
})
afterAll(() => stage[Symbol.asyncDispose]())

function opened(deposit = 5_000n): BindInput {
  made += 1
  const channelId = `ending ${String(made)}`
  channels.kept.set(channelId, { payer: 'buyer', worker: workerAddress, deposit })
  return { channelId, payer: 'buyer', payee: null, voucherKey: null }
}

const bound = () => boundTask(market, () => opened(), { streaming: wide })
async function ticked(ticks = 3) {
  const one = await bound()
  for (let at = 0; at < ticks; at += 1) await market.tick(worker, one.taskId, scan())
  return one
}
const duties = async (rounds = 3): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    stage.clock.advance(15_000)
    await market.duties.watchChannels()
    await market.duties.settleChannels()
  }
}
const eventsOf = async (taskId: string): Promise<readonly string[]> => {
  const { rows } = await stage.pool.query<{ type: string }>('select type from outbox where task_id = $1 order by seq', [
    taskId,
  ])
  return rows.map(({ type }) => type)
}

/** 900 of 5,000 settled: 783 for the worker, 117 for us, nothing over. */
const paidOut = { 'wallet:buyer': -900n, 'channel:': 0n, [`wallet:${workerAddress}`]: 783n, operator: 117n }

describe('a channel is closed', () => {
  test('by its worker or its publisher: what was accepted is paid, the rest goes back, and nothing more is taken', async () => {
    for (const by of [worker, publisher]) {
      const { taskId, channelId } = await ticked()
      const { state, channel } = await market.closeChannel(by, taskId)
      expect(state).toBe('settled')
      expect(channel).toMatchObject({ status: 'settled', end: { settled: 900n }, closing: { submissionId: null } })
      expect(await booksOf(stage, channelId)).toEqual(paidOut)
      await expect(market.tick(worker, taskId, scan())).rejects.toThrow(refusedWith('CHANNEL_EXPIRED'))
      expect((await stage.store.task(taskId))?.status).toBe('accepted')
      expect(await eventsOf(taskId)).toContain('payment.released')
    }
  })

  test('once, however often it is asked for, and by nobody else', async () => {
    const { taskId, channelId } = await ticked()
    await expect(market.closeChannel(stranger, taskId)).rejects.toThrow(refusedWith('FORBIDDEN'))
    const all = await Promise.all([worker, publisher, worker, publisher].map((by) => market.closeChannel(by, taskId)))
    expect(all.filter(({ state }) => state === 'settled').length).toBeGreaterThan(0)
    await duties()
    expect(await market.closeChannel(worker, taskId)).toMatchObject({ state: 'settled' })
    expect(new Set(channels.sent).size).toBe(1)
    expect(await booksOf(stage, channelId)).toEqual(paidOut)
  })

  test('without a tick, and then all of it goes back', async () => {
    const { taskId, channelId } = await bound()
    await market.closeChannel(publisher, taskId)
    expect(await booksOf(stage, channelId)).toEqual({ 'wallet:buyer': 0n, 'channel:': 0n })
    expect(await eventsOf(taskId)).not.toContain('payment.released')
  })

  test('and each step is in the log of payments', async () => {
    const { taskId } = await ticked()
    await market.closeChannel(worker, taskId)
    const { rows: events } = await stage.store.paymentEvents(taskId, { limit: 10, offset: 0 })
    expect(events.map(({ type, amount, txHash }) => [type, amount?.atomic, txHash !== null])).toEqual([
      ['settle', 900n, true],
      ['disburse_worker', 783n, true],
      ['disburse_fee', 117n, true],
      ['refund', 4_100n, true],
    ])
  })
})

describe('what a task does to its channel', () => {
  test('an approval pays, and the task is completed when the ledger shows it', async () => {
    const { taskId, channelId } = await ticked()
    const submissionId = await handedIn(stage, market, taskId)
    const words = { rating: 90, feedback: 'Thank you.', order: null, payoutAuth: null, feeAuth: null }
    const outcome = await market.approve(publisher, submissionId, words)
    expect(outcome).toMatchObject({
      state: 'approved',
      gross: { atomic: 900n },
      payout: { atomic: 783n },
      fee: { atomic: 117n },
    })
    const task = await stage.store.task(taskId)
    expect(task).toMatchObject({ status: 'completed', paymentTx: outcome.paymentTx })
    expect(await booksOf(stage, channelId)).toEqual(paidOut)
    expect(await eventsOf(taskId)).toEqual(
      expect.arrayContaining(['submission.approved', 'payment.released', 'task.completed']),
    )
  })

  test('an approval whose payment is not seen waits, refuses what would cross it, and ends by the duty', async () => {
    const { taskId } = await ticked()
    const submissionId = await handedIn(stage, market, taskId)
    channels.isSilent = true
    const words = { rating: null, feedback: null, order: null, payoutAuth: null, feeAuth: null }
    expect((await market.approve(publisher, submissionId, words)).state).toBe('approving')
    expect((await stage.store.task(taskId))?.status).toBe('verifying')
    await expect(market.approve(publisher, submissionId, words)).rejects.toThrow(refusedWith('APPROVAL_IN_FLIGHT'))
    await expect(market.cancel(publisher, taskId, null)).rejects.toThrow(refusedWith('APPROVAL_IN_FLIGHT'))
    channels.isSilent = false
    await duties()
    expect((await stage.store.task(taskId))?.status).toBe('completed')
    expect(new Set(channels.sent).size).toBe(1)
  })

  test('work that was paid before its approval is approved with that payment', async () => {
    const { taskId } = await ticked()
    const { channel } = await market.closeChannel(worker, taskId)
    const submissionId = await handedIn(stage, market, taskId)
    const words = { rating: null, feedback: null, order: null, payoutAuth: null, feeAuth: null }
    expect(await market.approve(publisher, submissionId, words)).toMatchObject({
      state: 'approved',
      paymentTx: channel.end?.txHash,
    })
    expect((await stage.store.task(taskId))?.status).toBe('completed')
    expect((await eventsOf(taskId)).filter((type) => type === 'payment.released')).toHaveLength(1)
  })

  test('work without an accepted tick cannot be approved', async () => {
    const { taskId } = await bound()
    const submissionId = await handedIn(stage, market, taskId)
    const words = { rating: null, feedback: null, order: null, payoutAuth: null, feeAuth: null }
    await expect(market.approve(publisher, submissionId, words)).rejects.toThrow(refusedWith('PAYOUT_NON_POSITIVE'))
    expect((await stage.store.channelOf(taskId))?.status).toBe('open')
  })

  test('a cancellation pays what was accepted first, and then the task is cancelled', async () => {
    const { taskId, channelId } = await ticked()
    channels.isDown = true
    expect(await market.cancel(publisher, taskId, 'It rains.')).toMatchObject({
      state: 'cancelling',
      status: 'accepted',
    })
    channels.isDown = false
    await duties()
    const task = await stage.store.task(taskId)
    expect(task).toMatchObject({ status: 'cancelled', refundTx: channels.sent[0] })
    expect(await booksOf(stage, channelId)).toEqual(paidOut)
  })

  test('an expiry closes it, and nothing is taken from the moment of the deadline', async () => {
    const { taskId, channelId } = await ticked()
    stage.clock.advance(25 * 3_600_000)
    await expect(market.tick(worker, taskId, scan())).rejects.toThrow(refusedWith('CHANNEL_EXPIRED'))
    await market.duties.expire()
    await duties()
    expect((await stage.store.task(taskId))?.status).toBe('expired')
    expect((await stage.store.channelOf(taskId))?.closing?.reason).toBe('task')
    expect(await booksOf(stage, channelId)).toEqual(paidOut)
  })

  test('a task that is not being worked on takes no tick', async () => {
    const { taskId } = await ticked()
    await handedIn(stage, market, taskId)
    await expect(market.tick(worker, taskId, scan())).rejects.toThrow(refusedWith('TASK_NOT_SUBMITTABLE'))
  })

  test('whoever is paid by a channel does not leave its task to another', async () => {
    const { taskId } = await ticked()
    await expect(market.withdraw(worker, taskId, null)).rejects.toThrow(refusedWith('TASK_NOT_WITHDRAWABLE'))
  })
})

describe('a ledger', () => {
  test('on which the payer leaves is seen, and the newest voucher is brought', async () => {
    const { taskId, channelId } = await ticked()
    const kept = channels.kept.get(channelId)
    if (kept !== undefined) channels.kept.set(channelId, { ...kept, state: 'closing' })
    await duties()
    expect(await stage.store.channelOf(taskId)).toMatchObject({ status: 'settled', closing: { reason: 'exit' } })
    expect(await booksOf(stage, channelId)).toEqual(paidOut)
    expect((await stage.store.task(taskId))?.status).toBe('accepted')
  })

  test('that was ended past us is believed, whatever it paid', async () => {
    const { taskId, channelId } = await ticked()
    const ended = { payer: 'buyer', worker: workerAddress, deposit: 5_000n, settled: 300n, endedBy: 'their tx' }
    channels.kept.set(channelId, { ...ended, state: 'gone' })
    await duties()
    expect(await stage.store.channelOf(taskId)).toMatchObject({ end: { settled: 300n, txHash: 'their tx' } })
    expect(await booksOf(stage, channelId)).toMatchObject({ 'channel:': 0n, [`wallet:${workerAddress}`]: 261n })
    expect(channels.sent).toEqual([])
  })

  test('that does not tell how a channel ended leaves it waiting', async () => {
    const { taskId, channelId } = await ticked()
    channels.kept.set(channelId, { payer: 'buyer', worker: workerAddress, deposit: 5_000n, state: 'gone' })
    await duties()
    expect((await stage.store.channelOf(taskId))?.status).toBe('closing')
    expect(await booksOf(stage, channelId)).toEqual({ 'wallet:buyer': -5_000n, 'channel:': 5_000n })
  })

  test('that loses an order gets the same bytes until they can land no more, and only then others', async () => {
    const { taskId, channelId } = await ticked()
    channels.isSilent = true
    channels.isLossy = true
    await market.closeChannel(worker, taskId)
    await duties()
    expect(channels.sent.length).toBeGreaterThan(1)
    expect(new Set(channels.sent).size).toBe(1)
    channels.isSilent = false
    channels.isLossy = false
    // It is seen to have expired before it is sent again.
    channels.sent.length = 0
    await duties()
    expect((await stage.store.channelOf(taskId))?.status).toBe('settled')
    expect(await booksOf(stage, channelId)).toEqual(paidOut)
  })

  test('on which the worker cannot be paid keeps everything until it can', async () => {
    const { taskId, channelId } = await ticked()
    channels.unpayable.add(workerAddress)
    expect((await market.closeChannel(publisher, taskId)).state).toBe('closing')
    await duties()
    expect(channels.sent).toEqual([])
    channels.unpayable.clear()
    await duties()
    expect(await booksOf(stage, channelId)).toEqual(paidOut)
  })

  test('to which the payer has added pays all of it back', async () => {
    const { taskId, channelId } = await ticked()
    const kept = channels.kept.get(channelId)
    if (kept !== undefined) channels.kept.set(channelId, { ...kept, deposit: 7_000n })
    await market.closeChannel(worker, taskId)
    expect((await stage.store.channelOf(taskId))?.deposit).toBe(7_000n)
    const { rows } = await stage.pool.query<{ sum: bigint }>(
      'select sum(amount_atomic)::bigint as sum from ledger where account = $1',
      [`channel:${channelId}`],
    )
    expect(rows[0]?.sum).toBe(0n)
  })

  test('gives the rent back, and then nothing of a channel is left', async () => {
    const { taskId } = await ticked()
    await market.closeChannel(worker, taskId)
    stage.clock.advance(1_000)
    expect(await market.duties.reclaimChannels()).toBe(1)
    expect((await stage.store.channelOf(taskId))?.status).toBe('reclaimed')
    expect(await market.duties.reclaimChannels()).toBe(0)
    expect((await market.meter(worker, taskId)).channel?.end?.settled).toBe(900n)
  })
})

describe('the audit', () => {
  const findings = async (channelId: string): Promise<readonly string[]> => {
    stage.clock.advance(120_000)
    await market.duties.auditChannels()
    const { rows } = await stage.pool.query<{ kind: string; detail: string }>(
      'select kind, detail from money_findings where subject = $1 and resolved_at is null order by detail',
      [`channel:${channelId}`],
    )
    return rows.map(({ kind, detail }) => `${kind}: ${detail}`)
  }

  test('finds nothing where the books say what the ledger shows, before and after the end', async () => {
    const { taskId, channelId } = await ticked()
    expect(await findings(channelId)).toEqual([])
    await market.closeChannel(worker, taskId)
    expect(await findings(channelId)).toEqual([])
  })

  test('finds what differs, and forgets it when it is mended', async () => {
    const { channelId } = await ticked()
    const kept = channels.kept.get(channelId)
    if (kept === undefined) throw new Error('no channel')
    channels.kept.set(channelId, { ...kept, settled: 1_000n, deposit: 4_000n })
    expect(await findings(channelId)).toEqual([
      'mismatch: the ledger has a smaller deposit; more is settled than we accepted',
    ])
    channels.kept.set(channelId, kept)
    expect(await findings(channelId)).toEqual([])
  })

  test('finds an end that waits too long', async () => {
    const { taskId, channelId } = await ticked()
    channels.isSilent = true
    await market.closeChannel(worker, taskId)
    stage.clock.advance(24 * 3_600_000)
    expect(await findings(channelId)).toEqual(['stuck: its end waits for the ledger'])
  })

  test('of all sums leaves channels to themselves', async () => {
    await ticked()
    stage.clock.advance(3_600_000)
    await expect(market.duties.auditMoney()).resolves.toBe(0)
  })
})

test('ticks of what is over are forgotten after their time, and no others', async () => {
  const [over, open] = [await ticked(), await ticked()]
  await market.closeChannel(worker, over.taskId)
  await stage.pool.query("update channels set status = 'reclaimed' where id = $1", [over.channelId])
  const later = new Date(stage.clock.now().getTime() + 1_000)
  await stage.store.forgetTicks(later, 1_000)
  expect(await stage.store.ticksAfter(over.channelId, 0, 10)).toEqual([])
  expect(await stage.store.ticksAfter(open.channelId, 0, 10)).toHaveLength(3)
})
