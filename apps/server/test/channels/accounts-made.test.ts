import {
  associatedTokenAccount,
  createTokenAccountInstruction,
  requestCloseInstruction,
  tokenProgram,
  transferTokensInstruction,
  withdrawPayerInstruction,
  type Instruction,
} from '@ergon/channels'
import type { Channel } from '@ergon/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAccountBudget } from '../../src/adapters/postgres/index.ts'
import { presentPublicChannel } from '../../src/api/present/meter.ts'
import { assignedTask, booksOf, handedIn, scan } from '../market/channel-stage.ts'
import { publisher, worker } from '../market/stage.ts'
import { signedBy, startChannelMarket, type ChannelMarket } from './channel-market.ts'
import { buyer, keyOf, laborer, programs, type Key } from './cluster.ts'

const perScan = { unit: 'scan', pricePerUnit: '0.001', capUsd: '0.1' } as const
/** Five of fifty units: 4,350 for the worker, 650 for us. */
const [deposit, ticks] = [50_000n, 5]

let at: ChannelMarket
let parties = 110
beforeAll(async () => {
  at = await startChannelMarket()
})
beforeEach(async () => {
  await at.stage.pool.query('delete from accounts_made')
  await at.stage.pool.query('delete from channel_openings')
})
afterAll(() => at[Symbol.asyncDispose]())

/** A party with an account for the token and a little to pay fees with. */
async function party(): Promise<Key> {
  parties += 1
  const one = keyOf(parties)
  await at.cluster.solana.fund(one.address, { lamports: 1_000_000_000n, tokens: 0n })
  return one
}

const accountOf = ({ address }: Key): string => associatedTokenAccount(address, at.cluster.solana.mint)
const hasAccount = async (one: Key): Promise<boolean> => (await at.cluster.ledger.account(accountOf(one))) !== null
const makeAccount = (one: Key) =>
  at.cluster.carryOut(
    [createTokenAccountInstruction({ funder: one.address, owner: one.address, mint: at.cluster.solana.mint })],
    [one],
  )

/** Takes what is in the account out of it and gives it up: its lamports are its owner's. */
async function giveUpAccount(one: Key): Promise<void> {
  const [amount, mint] = [await at.tokensOf(one), at.cluster.solana.mint]
  const own = { address: one.address, writable: true }
  const empty = transferTokensInstruction({ from: one.address, to: buyer.address, mint, amount, decimals: 6 })
  const close: Instruction = {
    program: tokenProgram,
    accounts: [
      { address: accountOf(one), signer: false, writable: true },
      { ...own, signer: false },
      { ...own, signer: true },
    ],
    data: Uint8Array.of(9),
  }
  await at.cluster.carryOut([...(amount > 0n ? [empty] : []), close], [one])
}

/** A task that is funded by this payer, and some work that was accepted. */
async function job(payer: Key, payee: Key = laborer): Promise<Channel> {
  const taskId = await assignedTask(at.market, { streaming: perScan, address: payee.address })
  await at.cluster.solana.fund(payer.address, { tokens: deposit })
  const asked = { payer: payer.address, voucherKey: null }
  const { transaction } = await at.market.channelOffer(publisher, taskId, { ...asked, depositUsd: '0.05' })
  const channel = await at.market.openChannel(publisher, taskId, {
    ...asked,
    transaction: signedBy(transaction, payer),
  })
  for (let tick = 0; tick < ticks; tick += 1) await at.market.tick(worker, taskId, scan())
  return channel
}

const madeOnceFor = ({ address }: Key) =>
  at.stage.pool.query('insert into accounts_made (owner, channel_id) values ($1, $2)', [address, 'another'])
const endOf = async ({ taskId }: Channel) => (await at.market.closeChannel(worker, taskId)).channel
const booked = (payer: Key, payee: Key = laborer) => ({
  ['wallet:' + payer.address]: -5_000n,
  'channel:': 0n,
  ['wallet:' + payee.address]: 4_350n,
  operator: 650n,
})
const eventsOf = async ({ taskId }: Pick<Channel, 'taskId'>): Promise<readonly string[]> => {
  const text = `select type from outbox where task_id = $1 and type in ('payment.released', 'task.completed')`
  return (await at.stage.pool.query<{ type: string }>(text, [taskId])).rows.map(({ type }) => type)
}

test('a payer that once has no account is made one, and notices nothing', async () => {
  const payer = await party()
  const channel = await job(payer)
  await giveUpAccount(payer)
  expect((await endOf(channel)).status).toBe('settled')
  expect(await at.tokensOf(payer)).toBe(45_000n)
})

test('one that gives its account up after each deposit is made none again, and its worker is paid at once', async () => {
  const payer = await party()
  const first = await job(payer)
  await giveUpAccount(payer)
  await endOf(first)
  const before = await at.tokensOf(laborer)
  const second = await job(payer)
  await giveUpAccount(payer)
  const waiting = await endOf(second)
  expect(waiting).toMatchObject({ status: 'closing', paid: { settled: 5_000n }, end: null })
  expect(presentPublicChannel(waiting, at.channels.facts)).toMatchObject({
    ...{ status: 'closing', settled_usd: 0.005, settlement_tx: waiting.paid?.txHash, waits_for: 'payer_account' },
  })
  expect(await hasAccount(payer)).toBe(false)
  expect((await at.tokensOf(laborer)) - before).toBe(4_350n)
  expect(await eventsOf(second)).toEqual(['payment.released'])
  expect(await booksOf(at.stage, second.id)).toMatchObject({ 'channel:': 45_000n, operator: 650n })
  expect(await endOf(second)).toMatchObject({ status: 'closing', end: null })
  // Whoever has an account has the rest back.
  await makeAccount(payer)
  expect(await endOf(second)).toMatchObject({ status: 'settled', end: { settled: 5_000n } })
  expect(await at.tokensOf(payer)).toBe(45_000n)
  expect((await at.tokensOf(laborer)) - before).toBe(4_350n)
  expect(await booksOf(at.stage, second.id)).toEqual(booked(payer))
  expect(await eventsOf(second)).toEqual(['payment.released'])
})

test('the budget counts one account of an owner, three times for the end of one channel, whoever asks at once', async () => {
  const budget = createAccountBudget(at.stage.pool)
  const takes = (channels: readonly string[]) => Promise.all(channels.map((channel) => budget.take('owner', channel)))
  expect((await takes(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).filter(Boolean)).toHaveLength(1)
  await at.stage.pool.query('delete from accounts_made')
  const repeats = await takes(Array.from({ length: 6 }, () => 'one channel'))
  expect(repeats.filter(Boolean)).toHaveLength(3)
  expect(await budget.take('owner', 'another channel')).toBe(false)
  expect(await budget.take('another owner', 'another channel')).toBe(true)
})

test('a week later it is made one again: no rest waits for ever', async () => {
  const payer = await party()
  const channel = await job(payer)
  await giveUpAccount(payer)
  await madeOnceFor(payer)
  expect((await endOf(channel)).status).toBe('closing')
  await at.stage.pool.query("update accounts_made set at = now() - interval '8 days'")
  at.stage.clock.advance(700_000)
  await at.market.duties.settleChannels()
  expect((await at.stage.store.channelOf(channel.taskId))?.status).toBe('settled')
  expect(await at.tokensOf(payer)).toBe(45_000n)
})

test('work is approved when its worker is paid, wherever the rest is', async () => {
  const payer = await party()
  const { taskId } = await job(payer)
  await giveUpAccount(payer)
  await madeOnceFor(payer)
  const submissionId = await handedIn(at.stage, at.market, taskId)
  const words = { rating: null, feedback: null, order: null, payoutAuth: null, feeAuth: null }
  const outcome = await at.market.approve(publisher, submissionId, words)
  expect(outcome).toMatchObject({ state: 'approved', gross: { atomic: 5_000n }, payout: { atomic: 4_350n } })
  expect((await at.stage.store.task(taskId))?.status).toBe('completed')
  const told = await eventsOf({ taskId })
  expect(told.toSorted()).toEqual(['payment.released', 'task.completed'])
  await makeAccount(payer)
  const channel = await at.stage.store.channelOf(taskId)
  if (channel === null) throw new Error('the channel is gone')
  expect((await endOf(channel)).status).toBe('settled')
  expect(await eventsOf(channel)).toEqual(told)
  expect(await at.tokensOf(payer)).toBe(45_000n)
})

test('when the accounts of a day are used up, workers are paid and rests wait', async () => {
  const payer = await party()
  const channel = await job(payer)
  await giveUpAccount(payer)
  await at.stage.pool.query("insert into accounts_made select 'o' || n, 'c' || n from generate_series(1, 50) n")
  expect(await endOf(channel)).toMatchObject({ status: 'closing', paid: { settled: 5_000n } })
  await at.stage.pool.query("update accounts_made set at = now() - interval '25 hours'")
  expect((await endOf(channel)).status).toBe('settled')
  expect(await at.tokensOf(payer)).toBe(45_000n)
})

test('a worker that gives its account up before each pay is made one once, and then waits for its own', async () => {
  const [payer, idler] = [await party(), await party()]
  const first = await job(payer, idler)
  await giveUpAccount(idler)
  expect((await endOf(first)).status).toBe('settled')
  expect(await at.tokensOf(idler)).toBe(4_350n)
  const second = await job(payer, idler)
  await giveUpAccount(idler)
  expect((await endOf(second)).status).toBe('closing')
  expect(await hasAccount(idler)).toBe(false)
  await makeAccount(idler)
  expect((await endOf(second)).status).toBe('settled')
  expect(await at.tokensOf(idler)).toBe(4_350n)
  expect(await booksOf(at.stage, second.id)).toEqual(booked(payer, idler))
})

test("a publisher leaves a worker without an account, and what was accepted stays the worker's", async () => {
  const [payer, idler] = [await party(), await party()]
  const channel = await job(payer, idler)
  await giveUpAccount(idler)
  await madeOnceFor(idler)
  const place = { channelId: channel.id, payer: payer.address, mint: at.cluster.solana.mint }
  await at.cluster.carryOut([requestCloseInstruction(place, programs)], [payer])
  expect((await endOf(channel)).status).toBe('closing')
  await at.cluster.carryOut([withdrawPayerInstruction(place, programs)], [payer])
  expect(await at.tokensOf(payer)).toBe(45_000n)
  await makeAccount(idler)
  expect((await endOf(channel)).status).toBe('settled')
  expect(await at.tokensOf(idler)).toBe(4_350n)
})

test('a payer that leaves has until its grace period ends to have an account, and its worker is paid by then', async () => {
  const [early, late] = [await party(), await party()]
  const channels = new Map<Key, Channel>()
  for (const payer of [early, late]) {
    const channel = await job(payer)
    channels.set(payer, channel)
    await giveUpAccount(payer)
    await madeOnceFor(payer)
    const place = { channelId: channel.id, payer: payer.address }
    await at.cluster.carryOut([requestCloseInstruction(place, programs)], [payer])
    expect((await endOf(channel)).status).toBe('closing')
  }
  await makeAccount(early)
  const before = await at.tokensOf(laborer)
  await at.cluster.skip(901_000)
  for (const [payer, channel] of channels) {
    expect(await endOf(channel)).toMatchObject({ status: 'settled', end: { settled: 5_000n } })
    expect(await hasAccount(payer)).toBe(payer === early)
  }
  expect(await at.tokensOf(early)).toBe(45_000n)
  expect((await at.tokensOf(laborer)) - before).toBe(8_700n)
})

test("an opening that funds nothing waits for its payer's account, and keeps no other from being given back", async () => {
  const payer = await party()
  const channel = await job(payer)
  await at.stage.pool.query('delete from channel_openings')
  await giveUpAccount(payer)
  await madeOnceFor(payer)
  const opening = {
    ...{ channelId: channel.id, taskId: channel.taskId, wallet: publisher.wallet, payer: payer.address },
    ...{ worker: laborer.address, asset: channel.asset, wire: '', signature: '', lastValidHeight: 0n, at: new Date() },
  }
  expect(await at.channels.opening.windUp(opening)).toBe(false)
  expect(await hasAccount(payer)).toBe(false)
  expect((await at.cluster.ledger.account(channel.id))?.owner).toBe(programs.channelProgram)
})
