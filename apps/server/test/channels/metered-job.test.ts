import {
  distributeInstruction,
  requestCloseInstruction,
  sealInstruction,
  settleInstruction,
  signVoucher,
  voucherProofInstruction,
  readTokenAccount,
} from '@ergon/channels'
import type { BindInput, Channels, Market } from '@ergon/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChannelLedger, type ChannelReading } from '../../src/adapters/channels/channel-ledger.ts'
import { createAccountBudget, createChannelOpenings } from '../../src/adapters/postgres/index.ts'
import { createOpeningLedger } from '../../src/adapters/channels/opening-ledger.ts'
import { createVoucherSigner } from '../../src/adapters/channels/voucher-signer.ts'
import { booksOf, boundTask, handedIn, marketOn, scan } from '../market/channel-stage.ts'
import { openStage, publisher, worker, type Stage } from '../market/stage.ts'
import { buyer, laborer, operator, programs, startCluster, voucher, type Cluster, type Opened } from './cluster.ts'

let cluster: Cluster
let stage: Stage
let channels: Channels
let market: Market
const perScan = { unit: 'scan', pricePerUnit: '0.001234', capUsd: '0.1' } as const
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

beforeAll(async () => {
  ;[cluster, stage] = await Promise.all([startCluster(), openStage()])
  const reading: ChannelReading = {
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
    opening: createOpeningLedger(reading, 'market.example'),
    openings: createChannelOpenings(stage.pool),
  }
  market = marketOn(stage, channels)
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

const balances = async (): Promise<readonly bigint[]> =>
  Promise.all(
    [buyer, laborer, operator].map(async ({ address }) => {
      const account = await readTokenAccount(cluster.ledger, address, cluster.settings.mint)
      return account.state === 'usable' ? account.amount : -1n
    }),
  )

async function job(ticks: number, deposit = 100_000n) {
  let terms: Opened | undefined
  const open = async (): Promise<BindInput> => {
    terms = await cluster.open({ deposit })
    return { channelId: terms.channelId, payer: buyer.address, payee: null, voucherKey: null }
  }
  const before = await balances()
  const task = await boundTask(market, open, { streaming: perScan, address: laborer.address })
  for (let at = 0; at < ticks; at += 1) await market.tick(worker, task.taskId, scan())
  if (terms === undefined) throw new Error('no channel was opened')
  const moved = async () => (await balances()).map((now, at) => now - (before[at] ?? 0n))
  return { ...task, terms, moved }
}

const duties = async (rounds = 4): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    stage.clock.advance(15_000)
    await market.duties.watchChannels()
    await market.duties.settleChannels()
  }
}

/** Ten ticks of 1,234: 87 and 13 percent of 12,340, rounded down, and one over. */
const tenTicks = [-12_340n, 10_735n, 1_604n]

test('a metered job is paid 87 to 13 in one transaction, and ledger and books say the same', async () => {
  const { taskId, channelId, moved } = await job(10)
  const submissionId = await handedIn(stage, market, taskId)
  const words = { rating: null, feedback: null, order: null, payoutAuth: null, feeAuth: null }
  const outcome = await market.approve(publisher, submissionId, words)
  expect(outcome).toMatchObject({ state: 'approved', gross: { atomic: 12_340n }, payout: { atomic: 10_735n } })
  expect(await moved()).toEqual(tenTicks)
  expect(await booksOf(stage, channelId)).toEqual({
    ['wallet:' + buyer.address]: -12_340n,
    'channel:': 0n,
    ['wallet:' + laborer.address]: 10_735n,
    operator: 1_604n,
    'channel-treasury': 1n,
  })
  const bytes = await cluster.ledger.transaction(outcome.paymentTx ?? '')
  expect(bytes?.wire.length).toBeLessThanOrEqual(1_232)
  expect((await stage.store.task(taskId))?.status).toBe('completed')
})

test('nothing of it is left on the ledger after its rent was taken back', async () => {
  const { taskId, channelId } = await job(1)
  await market.closeChannel(worker, taskId)
  stage.clock.advance(1_000)
  await market.duties.reclaimChannels()
  expect((await stage.store.channelOf(taskId))?.status).toBe('settled')
  await cluster.skip(1_501 * 400)
  stage.clock.advance(700_000)
  await market.duties.reclaimChannels()
  expect((await stage.store.channelOf(taskId))?.status).toBe('reclaimed')
  expect(await cluster.ledger.account(channelId)).toBeNull()
})

test('a payer that leaves is seen, and pays for all that was accepted', async () => {
  const { taskId, terms, moved } = await job(10)
  await cluster.carryOut([requestCloseInstruction(terms, programs)], [buyer])
  await duties()
  expect(await stage.store.channelOf(taskId)).toMatchObject({ status: 'settled', closing: { reason: 'exit' } })
  expect(await moved()).toEqual(tenTicks)
})

test('a payer that left while the service was dead has what it had on the ledger, and the books follow', async () => {
  const { taskId, channelId, terms, moved } = await job(10)
  await cluster.carryOut(
    [...proofOf(terms, 2_468n), settleInstruction(channelId, programs), requestCloseInstruction(terms, programs)],
    [buyer],
  )
  await cluster.skip(901_000)
  const sharing = distributeInstruction({ ...terms, treasuryOwner: cluster.settings.treasuryOwner }, programs)
  await cluster.carryOut([sealInstruction(channelId, programs), sharing], [buyer])
  expect(await cluster.ledger.account(channelId)).toBeNull()
  await duties()
  expect(await stage.store.channelOf(taskId)).toMatchObject({ status: 'settled', end: { settled: 2_468n } })
  expect(await moved()).toEqual([-2_468n, 2_147n, 320n])
  expect(await booksOf(stage, channelId)).toMatchObject({ 'channel:': 0n, ['wallet:' + laborer.address]: 2_147n })
})

test('a worker that settled past us with its voucher is not paid twice', async () => {
  const { taskId, terms, moved } = await job(10)
  await cluster.carryOut([...proofOf(terms, 12_340n), settleInstruction(terms.channelId, programs)], [{ ...buyer }])
  expect((await market.closeChannel(worker, taskId)).channel).toMatchObject({ end: { settled: 12_340n } })
  expect(await moved()).toEqual(tenTicks)
})

test('a deposit that is spent to the last unit leaves nothing to give back', async () => {
  const { taskId, moved } = await job(3, 3_000n)
  await expect(market.tick(worker, taskId, scan())).rejects.toMatchObject({ code: 'SESSION_CAP_EXCEEDED' })
  await market.closeChannel(publisher, taskId)
  expect(await moved()).toEqual([-3_000n, 2_610n, 390n])
})

test('an order that was written down and never sent is sent by whoever comes next, the same bytes', async () => {
  const { taskId, moved } = await job(10)
  const sent: string[] = []
  const dead = marketOn(stage, {
    ...channels,
    ledger: {
      ...channels.ledger,
      send: () => Promise.reject(new Error('the process ends here')),
    },
  })
  await expect(dead.closeChannel(worker, taskId)).rejects.toThrow(/ends here/)
  const { channel } = await market.closeChannel(worker, taskId)
  const { rows } = await stage.pool.query<{ signature: string }>(
    'select signature from channel_orders where channel_id = $1',
    [channel.id],
  )
  sent.push(...rows.map(({ signature }) => signature))
  expect(sent).toEqual([channel.end?.txHash])
  expect(await moved()).toEqual(tenTicks)
})

function proofOf({ channelId }: Opened, cumulative: bigint) {
  const said = { channelId, cumulative, expiresAt: 0n }
  return [voucherProofInstruction(said, signVoucher(said, voucher.seed), voucher.address)]
}
