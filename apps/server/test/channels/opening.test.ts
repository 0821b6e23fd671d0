import {
  addSignature,
  decodeTransaction,
  encodeTransaction,
  memoInstruction,
  openInstruction,
  signTransaction,
  unsignedTransaction,
  type Instruction,
  readTokenAccount,
} from '@ergon/channels'
import type { Channels, Market } from '@ergon/core'
import { signEd25519 } from '@ergon/protocols'
import { LedgerUnavailable } from '@ergon/solana-ledger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannelLedger, type ChannelReading } from '../../src/adapters/channels/channel-ledger.ts'
import { createOpeningLedger } from '../../src/adapters/channels/opening-ledger.ts'
import { createVoucherSigner } from '../../src/adapters/channels/voucher-signer.ts'
import { createAccountBudget, createChannelOpenings } from '../../src/adapters/postgres/index.ts'
import { assignedTask, marketOn, scan } from '../market/channel-stage.ts'
import { openStage, publisher, worker, type Stage } from '../market/stage.ts'
import { buyer, keyOf, laborer, operator, programs, startCluster, voucher, type Cluster, type Key } from './cluster.ts'

let cluster: Cluster
let stage: Stage
let channels: Channels
let market: Market
let reading: ChannelReading
const perScan = { unit: 'scan', pricePerUnit: '0.001', capUsd: '0.1' } as const
const service = 'market.example'
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

beforeAll(async () => {
  ;[cluster, stage] = await Promise.all([startCluster(), openStage()])
  reading = {
    ledger: cluster.ledger,
    terms: { ...cluster.settings, operator: operator.address, voucherSigner: voucher.address },
    keys: { operator },
    accounts: createAccountBudget(stage.pool),
    time: { monotonic: () => performance.now(), delay: pause },
    waitMs: 8_000,
    onTrouble: () => undefined,
  }
  channels = {
    network: 'solana',
    facts: { program: programs.channelProgram, mint: cluster.settings.mint, signer: voucher.address },
    ledger: createChannelLedger(reading),
    vouchers: createVoucherSigner(voucher.seed),
    opening: createOpeningLedger(reading, service),
    openings: createChannelOpenings(stage.pool),
  }
  market = marketOn(stage, channels)
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

const aTask = (): Promise<string> => assignedTask(market, { streaming: perScan, address: laborer.address })
const offerOf = (taskId: string, depositUsd: string | null = null, payer: Key = buyer) =>
  market.channelOffer(publisher, taskId, { payer: payer.address, depositUsd, voucherKey: null })
const tokensOf = async ({ address }: Key): Promise<bigint> => {
  const account = await readTokenAccount(cluster.ledger, address, cluster.settings.mint)
  return account.state === 'usable' ? account.amount : 0n
}
const base64 = (wire: Uint8Array): string => Buffer.from(wire).toString('base64')

/** What a wallet gives back. */
function signedBy(transaction: string, { address, seed }: Key = buyer): string {
  const read = decodeTransaction(Buffer.from(transaction, 'base64'))
  return base64(encodeTransaction(addSignature(read, address, signEd25519(read.messageBytes, seed))))
}

const open = (taskId: string, transaction: string, payer: Key = buyer, on = market) =>
  on.openChannel(publisher, taskId, { payer: payer.address, transaction, voucherKey: null })

test('one signature of the payer opens a channel and funds the task; the payer needs no SOL', async () => {
  const poor = keyOf(91)
  await cluster.solana.fund(poor.address, { tokens: 100_000n })
  const taskId = await aTask()
  const offer = await offerOf(taskId, '0.05', poor)
  const transaction = signedBy(offer.transaction, poor)
  const channel = await open(taskId, transaction, poor)
  expect(channel).toMatchObject({ id: offer.channelId, taskId, deposit: 50_000n, limit: 50_000n, status: 'open' })
  expect(await tokensOf(poor)).toBe(50_000n)
  expect(await cluster.ledger.account(poor.address)).toBeNull()
  // The same again answers the same, and takes nothing.
  expect((await open(taskId, transaction, poor)).id).toBe(channel.id)
  expect(await tokensOf(poor)).toBe(50_000n)
  await market.tick(worker, taskId, scan())
  await market.closeChannel(worker, taskId)
  expect(await tokensOf(poor)).toBe(99_000n)
})

describe('what is not the opening that was offered is refused by name, and nothing moves', () => {
  const rebuilt = async (taskId: string, change: (instructions: readonly Instruction[]) => readonly Instruction[]) => {
    const offer = await offerOf(taskId)
    const { message } = decodeTransaction(Buffer.from(offer.transaction, 'base64'))
    const unsigned = unsignedTransaction(operator.address, message.blockhash, change(message.instructions))
    return base64(encodeTransaction(signTransaction(unsigned, new Map([[buyer.address, buyer.seed]]))))
  }
  const others: Record<string, readonly [string, (taskId: string) => Promise<string>]> = {
    'an instruction more': [
      'instructions',
      (taskId) => rebuilt(taskId, ([first, memo]) => [first, memo, memo].filter((one) => one !== undefined)),
    ],
    'another task in its memo': [
      'memo',
      (taskId) => rebuilt(taskId, ([first]) => (first ? [first, memoInstruction('x')] : [])),
    ],
    'no memo': ['memo', (taskId) => rebuilt(taskId, (all) => all.slice(0, 1))],
    'no signature': ['signature', async (taskId) => (await offerOf(taskId)).transaction],
    'the signature of another': [
      'signature',
      async (taskId) => {
        const read = decodeTransaction(Buffer.from((await offerOf(taskId)).transaction, 'base64'))
        return base64(
          encodeTransaction(addSignature(read, buyer.address, signEd25519(read.messageBytes, laborer.seed))),
        )
      },
    ],
    'more than the cap': [
      'deposit',
      (taskId) =>
        rebuilt(taskId, ([, memo]) => [openingOf({ deposit: 100_001n }), memo].filter((one) => one !== undefined)),
    ],
    'shares for another': [
      'splits',
      (taskId) =>
        rebuilt(taskId, ([, memo]) =>
          [openingOf({ splits: [{ recipient: keyOf(93).address, bps: 8_700 }] }), memo].filter(
            (one) => one !== undefined,
          ),
        ),
    ],
    'another payee': [
      'payee',
      (taskId) =>
        rebuilt(taskId, ([, memo]) => [openingOf({ payee: laborer.address }), memo].filter((one) => one !== undefined)),
    ],
    'no transaction at all': ['malformed', () => Promise.resolve('AAAA')],
  }
  test.each(Object.entries(others))('%s', async (_, [fault, make]) => {
    const taskId = await aTask()
    const before = await tokensOf(buyer)
    await expect(open(taskId, await make(taskId))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fault },
    })
    expect(await stage.store.channelOf(taskId)).toBeNull()
    expect(await tokensOf(buyer)).toBe(before)
  })

  test('the opening of another task', async () => {
    const [one, other] = [await aTask(), await aTask()]
    const transaction = signedBy((await offerOf(one)).transaction)
    await expect(open(other, transaction)).rejects.toMatchObject({ details: { fault: 'memo' } })
    expect((await open(one, transaction)).taskId).toBe(one)
  })

  test('a deposit below the price of a unit, or above the cap, is not offered', async () => {
    const taskId = await aTask()
    for (const depositUsd of ['0.0009', '0.100001'])
      await expect(offerOf(taskId, depositUsd)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

describe('an opening that would not land takes no place', () => {
  const places = async (): Promise<number> =>
    (await stage.pool.query('select 1 from channel_openings where wallet = $1', [publisher.wallet])).rowCount ?? 0

  test('of a payer that does not hold the deposit', async () => {
    const taskId = await aTask()
    const broke = keyOf(94)
    const before = await places()
    const transaction = signedBy((await offerOf(taskId, null, broke)).transaction, broke)
    const refused = { code: 'VALIDATION_FAILED', details: { field: 'transaction', fault: 'payer_short' } }
    await expect(open(taskId, transaction, broke)).rejects.toMatchObject(refused)
    await cluster.solana.fund(broke.address, { tokens: 99_999n })
    await expect(open(taskId, transaction, broke)).rejects.toMatchObject(refused)
    expect(await places()).toBe(before)
    await cluster.solana.fund(broke.address, { tokens: 1n })
    expect((await open(taskId, transaction, broke)).deposit).toBe(100_000n)
  })

  test('whose blockhash is none, or is old', async () => {
    const taskId = await aTask()
    const before = await places()
    const offer = await offerOf(taskId)
    const { message } = decodeTransaction(Buffer.from(offer.transaction, 'base64'))
    const bogus = unsignedTransaction(operator.address, keyOf(95).address, message.instructions)
    const refused = { code: 'VALIDATION_FAILED', details: { field: 'transaction', fault: 'blockhash' } }
    const transaction = base64(encodeTransaction(signTransaction(bogus, new Map([[buyer.address, buyer.seed]]))))
    await expect(open(taskId, transaction)).rejects.toMatchObject(refused)
    await cluster.skip(200 * 400)
    await expect(open(taskId, signedBy(offer.transaction))).rejects.toMatchObject(refused)
    expect(await places()).toBe(before)
  })

  test('and while nobody can be asked, it is not known', async () => {
    const taskId = await aTask()
    const transaction = signedBy((await offerOf(taskId)).transaction)
    const silent = { ...cluster.ledger, isRecent: () => Promise.reject(new LedgerUnavailable('down')) }
    const deaf = marketOn(stage, { ...channels, opening: createOpeningLedger({ ...reading, ledger: silent }, service) })
    await expect(open(taskId, transaction, buyer, deaf)).rejects.toMatchObject({ code: 'channel_unreadable' })
  })
})

test('a payer without the money opens nothing: the ledger refuses, and the task can be funded by another', async () => {
  const taskId = await aTask()
  const broke = keyOf(92)
  await cluster.solana.fund(broke.address, { tokens: 10n })
  const impatient = marketOn(stage, {
    ...channels,
    opening: {
      ...channels.opening,
      // Its payer had the money when it was asked.
      demandLikely: () => Promise.resolve(),
      deliver: (one) => channels.opening.deliver(one, 300),
    },
  })
  const offer = await offerOf(taskId, null, broke)
  const transaction = signedBy(offer.transaction, broke)
  await expect(open(taskId, transaction, broke, impatient)).rejects.toMatchObject({
    code: 'CHANNEL_NOT_ON_CHAIN',
    details: { fault: 'refused' },
  })
  expect(await channels.openings.find(offer.channelId)).not.toBeNull()
  // Its blockhash is too old now, so it is certain.
  await cluster.skip(200 * 400)
  await expect(open(taskId, transaction, broke)).rejects.toMatchObject({ code: 'CHANNEL_NOT_ON_CHAIN' })
  expect((await open(taskId, signedBy((await offerOf(taskId)).transaction))).payer).toBe(buyer.address)
})

test('an answer that is lost after the opening landed: the same again binds the channel that is there', async () => {
  const taskId = await aTask()
  const before = await tokensOf(buyer)
  const transaction = signedBy((await offerOf(taskId, '0.02')).transaction)
  const deaf = marketOn(stage, {
    ...channels,
    opening: {
      ...channels.opening,
      async deliver(one, ms) {
        await channels.opening.deliver(one, ms)
        throw new Error('the process ends here')
      },
    },
  })
  await expect(open(taskId, transaction, buyer, deaf)).rejects.toThrow(/ends here/)
  expect(await stage.store.channelOf(taskId)).toBeNull()
  expect((await open(taskId, transaction)).deposit).toBe(20_000n)
  expect(await tokensOf(buyer)).toBe(before - 20_000n)
})

test('an opening that funds nothing is given back to its payer, and its rent to this deployment', async () => {
  const taskId = await aTask()
  const before = await tokensOf(buyer)
  const offer = await offerOf(taskId, '0.03')
  const signed = signedBy(offer.transaction)
  const deaf = marketOn(stage, {
    ...channels,
    ledger: { ...channels.ledger, openChannel: () => Promise.reject(new Error('gone')) },
  })
  await expect(open(taskId, signed, buyer, deaf)).rejects.toThrow('gone')
  expect(await tokensOf(buyer)).toBe(before - 30_000n)
  await market.duties.windUpOpenings()
  expect(await tokensOf(buyer)).toBe(before - 30_000n)
  stage.clock.advance(1_900_000)
  await market.duties.windUpOpenings()
  await pause(500)
  expect(await tokensOf(buyer)).toBe(before)
  // Nobody binds it any more.
  const binding = { channelId: offer.channelId, payer: buyer.address, payee: null, voucherKey: null }
  await expect(market.bindChannel(publisher, taskId, binding)).rejects.toMatchObject({ code: 'CHANNEL_NOT_REUSABLE' })
  await cluster.skip(1_501 * 400)
  for (let round = 0; round < 3; round += 1) {
    stage.clock.advance(1_000_000)
    await market.duties.windUpOpenings()
    await pause(500)
  }
  expect(await cluster.ledger.account(offer.channelId)).toBeNull()
  expect(await channels.openings.find(offer.channelId)).toBeNull()
})

test('nobody binds rent without end: at most ten channels of one wallet are open at a time', async () => {
  await stage.pool.query('delete from channel_openings')
  const filled = await aTask()
  await stage.pool.query(
    `insert into channel_openings select 'c' || n, $1, $2, 'p', 'w', 'solana', 'USDC', 6, '', '', 1, now(), now()
       from generate_series(1, 10) n`,
    [filled, publisher.wallet],
  )
  const taskId = await aTask()
  const transaction = signedBy((await offerOf(taskId)).transaction)
  await expect(open(taskId, transaction)).rejects.toMatchObject({ code: 'SESSION_CAP_EXCEEDED' })
  await stage.pool.query("delete from channel_openings where channel_id = 'c1'")
  expect((await open(taskId, transaction)).status).toBe('open')
})

/** An opening on other terms than were offered. */
function openingOf(change: Partial<Parameters<typeof openInstruction>[0]>): Instruction {
  const terms = {
    ...{ payer: buyer.address, payee: operator.address, rentPayer: operator.address, mint: cluster.settings.mint },
    ...{ authorizedSigner: voucher.address, salt: 7n, openSlot: 1n, deposit: 10_000n, gracePeriodSec: 900 },
    ...{ splits: [{ recipient: laborer.address, bps: 8_700 }], ...change },
  }
  return openInstruction(terms, programs)
}
