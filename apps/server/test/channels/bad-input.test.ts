import {
  associatedTokenAccount,
  channelAddress,
  decodeTransaction,
  encodeTransaction,
  signVoucher,
  unsignedTransaction,
  type Instruction,
  type LedgerAccount,
} from '@ergon/channels'
import type { Channel, GivenVoucher, TickInput } from '@ergon/core'
import { LedgerUnavailable } from '@ergon/solana-ledger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assignedTask, booksOf, scan } from '../market/channel-stage.ts'
import { publisher, worker } from '../market/stage.ts'
import { signedBy, startChannelMarket, type ChannelMarket } from './channel-market.ts'
import { buyer, keyOf, laborer, operator, type Key } from './cluster.ts'

/** Of the buyer's session, and of another. */
const [session, other] = [keyOf(71), keyOf(72)]
const perScan = { unit: 'scan', pricePerUnit: '0.001', capUsd: '0.01' } as const
const perMinute = { unit: 'minute', pricePerUnit: '0.006', capUsd: '0.1' } as const

let at: ChannelMarket
beforeAll(async () => {
  at = await startChannelMarket()
})
afterAll(() => at[Symbol.asyncDispose]())

/** A funded task whose buyer signs with the key of a session. */
async function opened(
  streaming: typeof perScan | typeof perMinute = perScan,
  { depositUsd = null, key = session }: { readonly depositUsd?: string | null; readonly key?: Key | null } = {},
): Promise<Channel> {
  const taskId = await assignedTask(at.market, { streaming, address: laborer.address })
  const asked = { payer: buyer.address, voucherKey: key?.address ?? null }
  const { transaction } = await at.market.channelOffer(publisher, taskId, { ...asked, depositUsd })
  return at.market.openChannel(publisher, taskId, { ...asked, transaction: signedBy(transaction) })
}

const voucherOver = (
  channelId: string,
  cumulative: bigint,
  { seed }: Pick<Key, 'seed'> = session,
  change: Partial<GivenVoucher> = {},
): GivenVoucher => ({
  ...{ channelId, cumulative, signer: null },
  signature: signVoucher({ channelId, cumulative, expiresAt: 0n }, seed),
  ...change,
})
const tick = ({ taskId }: Channel, voucher: GivenVoucher | null, change: Partial<TickInput> = {}) =>
  at.market.tick(worker, taskId, scan({ voucher, ...change }))

test('units are paid by vouchers of the buyer, whose newest settles the channel 87 to 13', async () => {
  const channel = await opened()
  expect(channel).toMatchObject({ voucherSigner: 'client', voucherKey: session.address, limit: 10_000n })
  const before = await Promise.all([buyer, laborer, operator].map(at.tokensOf))
  for (const cumulative of [1_000n, 2_000n, 3_000n]) {
    const { tick: accepted } = await tick(channel, voucherOver(channel.id, cumulative))
    expect(accepted).toMatchObject({
      cumulative,
      amount: 1_000n,
      signature: voucherOver(channel.id, cumulative).signature,
    })
  }
  await at.market.closeChannel(worker, channel.taskId)
  const after = await Promise.all([buyer, laborer, operator].map(at.tokensOf))
  expect(after.map((now, who) => now - (before[who] ?? 0n))).toEqual([7_000n, 2_610n, 390n])
  expect(await booksOf(at.stage, channel.id)).toMatchObject({ 'channel:': 0n, operator: 390n })
})

test('a repeat under its key is the same unit, and the next voucher counts from there', async () => {
  const channel = await opened()
  const idempotency = { key: 'unit-1', bodyHash: 'a' }
  const first = voucherOver(channel.id, 1_000n)
  await tick(channel, first, { idempotency })
  expect(await tick(channel, first, { idempotency })).toMatchObject({ replayed: true, tick: { index: 1 } })
  await expect(tick(channel, first)).rejects.toMatchObject({ details: { fault: 'not_raised' } })
  expect(await tick(channel, voucherOver(channel.id, 2_000n))).toMatchObject({ tick: { index: 2 } })
})

describe('a voucher that does not fit is refused by name, and counts for nothing', () => {
  let channel: Channel
  beforeAll(async () => {
    channel = await opened()
    await tick(channel, voucherOver(channel.id, 1_000n))
    await tick(channel, voucherOver(channel.id, 2_000n))
  })
  const elsewhere = keyOf(73).address
  const faults: readonly (readonly [string, string, () => GivenVoucher | null])[] = [
    ['that goes back', 'not_raised', () => voucherOver(channel.id, 1_000n)],
    ['that repeats', 'not_raised', () => voucherOver(channel.id, 2_000n)],
    ['for less than the unit', 'another_amount', () => voucherOver(channel.id, 2_999n)],
    ['for more than the unit', 'another_amount', () => voucherOver(channel.id, 3_001n)],
    ['signed by another', 'signature', () => voucherOver(channel.id, 3_000n, other)],
    [
      'signed by the payer, whose session has a key of its own',
      'signature',
      () => voucherOver(channel.id, 3_000n, buyer),
    ],
    [
      'that says another signed it',
      'other_signer',
      () => voucherOver(channel.id, 3_000n, session, { signer: other.address }),
    ],
    ['of another channel', 'other_channel', () => voucherOver(elsewhere, 3_000n)],
    [
      'signed over another channel',
      'signature',
      () => voucherOver(channel.id, 3_000n, session, { signature: voucherOver(elsewhere, 3_000n).signature }),
    ],
    [
      'of the same channel under another program',
      'other_channel',
      () => {
        const seeds = {
          payer: buyer.address,
          payee: operator.address,
          mint: at.cluster.settings.mint,
          salt: 1n,
          openSlot: 1n,
        }
        return voucherOver(channelAddress({ ...seeds, authorizedSigner: session.address }, elsewhere).address, 3_000n)
      },
    ],
    [
      'that expires',
      'signature',
      () => {
        const said = { channelId: channel.id, cumulative: 3_000n, expiresAt: 4_000_000_000n }
        return voucherOver(channel.id, 3_000n, session, { signature: signVoucher(said, session.seed) })
      },
    ],
    ['that is not there', 'missing', () => null],
  ]
  test.each(faults)('%s', async (_, fault, make) => {
    const before = await at.stage.store.channelOf(channel.taskId)
    await expect(tick(channel, make())).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'voucher', fault, accepted_uusdc: '2000', price_uusdc: '1000' },
    })
    expect(await at.stage.store.channelOf(channel.taskId)).toEqual(before)
  })

  test('above the cap, or above what is in the channel', async () => {
    await expect(tick(channel, voucherOver(channel.id, 10_001n))).rejects.toMatchObject({
      code: 'SESSION_CAP_EXCEEDED',
    })
    const poor = await opened(perScan, { depositUsd: '0.0015' })
    await tick(poor, voucherOver(poor.id, 1_000n))
    await expect(tick(poor, voucherOver(poor.id, 2_000n))).rejects.toMatchObject({ code: 'SESSION_CAP_EXCEEDED' })
    // The last unit is trimmed to what is left.
    expect(await tick(poor, voucherOver(poor.id, 1_500n))).toMatchObject({ tick: { amount: 500n } })
    await expect(tick(poor, voucherOver(poor.id, 1_501n))).rejects.toMatchObject({ code: 'SESSION_CAP_EXCEEDED' })
  })

  test('where this service signs', async () => {
    const ours = await opened(perScan, { key: null })
    await expect(tick(ours, voucherOver(ours.id, 1_000n))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'voucher' },
    })
    expect(await tick(ours, null)).toMatchObject({ tick: { amount: 1_000n } })
  })
})

test('of time a buyer promises what has passed or less, and what it leaves open stays open', async () => {
  const channel = await opened(perMinute)
  await expect(tick(channel, voucherOver(channel.id, 1n))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  at.stage.clock.advance(30_000)
  await expect(tick(channel, voucherOver(channel.id, 3_001n))).rejects.toMatchObject({
    details: { fault: 'more_than_the_time' },
  })
  expect(await tick(channel, voucherOver(channel.id, 1_000n))).toMatchObject({
    tick: { amount: 1_000n, measured: 10_000n },
  })
  expect(await tick(channel, voucherOver(channel.id, 3_000n))).toMatchObject({
    tick: { amount: 2_000n, measured: 30_000n },
  })
  // A minute at most is open, however long it was.
  at.stage.clock.advance(600_000)
  await expect(tick(channel, voucherOver(channel.id, 9_001n))).rejects.toMatchObject({
    details: { fault: 'more_than_the_time' },
  })
  expect(await tick(channel, voucherOver(channel.id, 9_000n))).toMatchObject({ tick: { measured: 90_000n } })
})

test('a channel is opened and bound for the key that was named, and never for the service as a buyer', async () => {
  const taskId = await assignedTask(at.market, { streaming: perScan, address: laborer.address })
  const asked = { payer: buyer.address, voucherKey: session.address }
  const { transaction } = await at.market.channelOffer(publisher, taskId, { ...asked, depositUsd: null })
  for (const voucherKey of [null, other.address])
    await expect(
      at.market.openChannel(publisher, taskId, { ...asked, voucherKey, transaction: signedBy(transaction) }),
    ).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'transaction' } })
  const { channelId } = await at.cluster.open({ authorizedSigner: session.address })
  for (const voucherKey of [null, other.address])
    await expect(
      at.market.bindChannel(publisher, taskId, { channelId, payer: buyer.address, payee: null, voucherKey }),
    ).rejects.toMatchObject({ code: 'CHANNEL_NOT_REUSABLE' })
  const own = at.channels.facts.signer
  await expect(
    at.market.channelOffer(publisher, taskId, { payer: buyer.address, depositUsd: null, voucherKey: own }),
  ).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'authorized_signer' } })
  const bound = await at.market.bindChannel(publisher, taskId, { ...asked, channelId, payee: null })
  expect(bound).toMatchObject({ voucherSigner: 'client', voucherKey: session.address })
})

describe('what else may be wrong has its code, and nothing is lost', () => {
  type Act = (taskId: string, channelId: string) => Promise<unknown>
  const bind =
    (reads: Parameters<ChannelMarket['over']>[0], waitMs?: number): Act =>
    (taskId, channelId) =>
      at
        .over(reads, waitMs)
        .bindChannel(publisher, taskId, { channelId, payer: buyer.address, payee: null, voucherKey: null })
  /** The ledger, with the account of one owner or at one address changed. */
  const changing = (address: () => string, change: (account: LedgerAccount) => LedgerAccount | null): Act => {
    const account = async (asked: string): Promise<LedgerAccount | null> => {
      const found = await at.cluster.ledger.account(asked)
      return found !== null && asked === address() ? change(found) : found
    }
    return bind({ account })
  }
  const workers = (): string => associatedTokenAccount(laborer.address, at.cluster.settings.mint)
  const withByte = (place: number, byte: number) => (account: LedgerAccount) => ({
    ...account,
    data: account.data.with(place, byte),
  })
  const isDown = () => Promise.reject(new LedgerUnavailable('no node answers'))
  const never = () => new Promise<never>(() => undefined)
  const offTheWorker = (read: () => Promise<never>) => ({
    account: (asked: string) => (asked === workers() ? at.cluster.ledger.account(asked) : read()),
  })
  const openWith =
    (change: (instructions: readonly Instruction[]) => readonly Instruction[]): Act =>
    async (taskId) => {
      const asked = { payer: buyer.address, voucherKey: null }
      const { transaction } = await at.market.channelOffer(publisher, taskId, { ...asked, depositUsd: null })
      const { message } = decodeTransaction(Buffer.from(transaction, 'base64'))
      const unsigned = unsignedTransaction(operator.address, message.blockhash, change(message.instructions))
      const wire = Buffer.from(encodeTransaction(unsigned)).toString('base64')
      return at.market.openChannel(publisher, taskId, { ...asked, transaction: signedBy(wire) })
    }
  const rows: readonly (readonly [string, string, Act])[] = [
    [
      'an open with one instruction more',
      'VALIDATION_FAILED',
      openWith(([open, memo]) => [open, memo, memo].filter(isThere)),
    ],
    ['an open with one instruction less', 'VALIDATION_FAILED', openWith((all) => all.slice(0, 1))],
    ['a frozen account of the worker', 'WORKER_USDC_ATA_MISSING', changing(workers, withByte(108, 2))],
    ['no account of the worker', 'WORKER_USDC_ATA_MISSING', changing(workers, () => null)],
    ['an account that was given away', 'WORKER_USDC_ATA_MISSING', changing(workers, withByte(40, 7))],
    [
      'the ledger down before the worker is known to be payable',
      'WORKER_USDC_ATA_UNVERIFIABLE',
      bind({ account: isDown }),
    ],
    ['the ledger slow before that', 'WORKER_USDC_ATA_UNVERIFIABLE', bind({ account: never }, 50)],
    ['the ledger down', 'channel_unreadable', (...on) => bind(offTheWorker(isDown))(...on)],
    ['the ledger slow', 'channel_unreadable', (...on) => bind(offTheWorker(never), 50)(...on)],
    ['no channel at the address', 'CHANNEL_NOT_ON_CHAIN', (taskId) => bind({})(taskId, keyOf(75).address)],
  ]
  test.each(rows)('%s: %s', async (_, code, act) => {
    const taskId = await assignedTask(at.market, { streaming: perScan, address: laborer.address })
    const { channelId } = await at.cluster.open()
    const before = await at.tokensOf(buyer)
    await expect(act(taskId, channelId)).rejects.toMatchObject({ code })
    expect(await at.stage.store.channelOf(taskId)).toBeNull()
    expect(await at.tokensOf(buyer)).toBe(before)
    // It was the ledger or the input, and not the task: what is right is taken.
    expect(await bind({})(taskId, channelId)).toMatchObject({ status: 'open' })
  })

  test('ticks faster than time passes cost nothing and are refused', async () => {
    const channel = await opened(perMinute, { key: null })
    at.stage.clock.advance(10_000)
    await tick(channel, null)
    await expect(tick(channel, null)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(await at.stage.store.channelOf(channel.taskId)).toMatchObject({ vouchers: 1, cumulative: 1_000n })
  })

  test('a ledger that is down or slow while a channel ends loses nothing: it is paid when it is back', async () => {
    const channel = await opened(perScan, { key: null })
    await tick(channel, null)
    const away = at.over({ account: isDown, send: isDown, blockhash: isDown }, 50)
    expect(await away.closeChannel(worker, channel.taskId)).toMatchObject({ state: 'closing' })
    at.stage.clock.advance(120_000)
    await at.market.duties.settleChannels()
    expect(await at.stage.store.channelOf(channel.taskId)).toMatchObject({
      status: 'settled',
      end: { settled: 1_000n },
    })
  })
})

const isThere = <T>(one: T | undefined): one is T => one !== undefined
