import {
  associatedTokenAccount,
  requestCloseInstruction,
  settleInstruction,
  signVoucher,
  treasuryOwners,
  voucherProofInstruction,
  type LedgerAccount,
} from '@ergon/channels'
import type { ChannelLedger } from '@ergon/core'
import { createRpcLedger, localMint } from '@ergon/solana-ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChannelLedger, type ChannelReading } from '../../src/adapters/channels/channel-ledger.ts'
import { platformTime } from '../../src/surroundings/platform-time.ts'
import { createVoucherSigner } from '../../src/adapters/channels/voucher-signer.ts'
import {
  buyer,
  keyOf,
  laborer,
  operator,
  programs,
  startCluster,
  voucher,
  type Cluster,
  type Opened,
} from './cluster.ts'

let cluster: Cluster
let channels: ChannelLedger
const reading = (ledger: object, change: object = {}): ChannelReading => ({
  // Only what a test asks of it is there.
  ledger: ledger as ChannelReading['ledger'],
  terms: { ...terms, ...change },
  keys: { operator },
  accounts: { take: () => Promise.resolve(true) },
  time: platformTime,
  waitMs: 8_000,
  onTrouble: () => undefined,
})
const terms = {
  channelProgram: programs.channelProgram,
  mint: localMint,
  operator: operator.address,
  voucherSigner: voucher.address,
  treasuryOwner: treasuryOwners.localnet,
}
const asset = { symbol: 'USDC', network: 'solana', decimals: 6 }
const offer = { payer: buyer.address, worker: laborer.address, asset, voucherKey: null }
const refusal = (code: string, fault?: string) =>
  expect.objectContaining({
    code,
    ...(fault === undefined ? {} : { details: expect.objectContaining({ fault }) as unknown }),
  }) as Error
beforeAll(async () => {
  cluster = await startCluster()
  channels = createChannelLedger(reading(cluster.ledger))
})
afterAll(() => cluster[Symbol.asyncDispose]())

/** The ledger, with one account of it replaced as a lie would. */
const lying = (address: string, change: (account: LedgerAccount) => LedgerAccount | null): ChannelLedger =>
  createChannelLedger(
    reading({
      account: async (at: string) => {
        const account = await cluster.ledger.account(at)
        return at === address && account !== null ? change(account) : account
      },
    }),
  )

test('a channel on the terms of the offer is found with what is in it', async () => {
  const { channelId } = await cluster.open()
  expect(await channels.openChannel(channelId, offer)).toEqual({
    payee: operator.address,
    deposit: 10_000n,
  })
  const key = keyOf(31).address
  const theirs = await cluster.open({ authorizedSigner: key })
  expect(await channels.openChannel(theirs.channelId, { ...offer, voucherKey: key })).toMatchObject({
    deposit: 10_000n,
  })
})

test('what is not at its address, or is no channel, is not on chain', async () => {
  for (const channelId of ['nowhere', keyOf(9).address, localMint])
    await expect(channels.openChannel(channelId, offer), channelId).rejects.toThrow(refusal('CHANNEL_NOT_ON_CHAIN'))
})

test('a channel of another payer is not yours', async () => {
  const { channelId } = await cluster.open()
  const other = { ...offer, payer: keyOf(9).address }
  await expect(channels.openChannel(channelId, other)).rejects.toThrow(refusal('CHANNEL_NOT_YOURS'))
})

test('a channel on other terms funds nothing, and the fault is named', async () => {
  const cases: readonly (readonly [Parameters<Cluster['open']>[0], string])[] = [
    [{ splits: [{ recipient: laborer.address, bps: 9_000 }] }, 'wrong_splits'],
    [{ splits: [{ recipient: keyOf(9).address, bps: 8_700 }] }, 'wrong_splits'],
    [{ authorizedSigner: keyOf(9).address }, 'wrong_signer'],
    [{ payee: keyOf(9).address }, 'wrong_payee'],
    [{ gracePeriodSec: 899 }, 'short_grace_period'],
  ]
  for (const [change, fault] of cases) {
    const { channelId } = await cluster.open(change)
    await expect(channels.openChannel(channelId, offer), fault).rejects.toThrow(refusal('CHANNEL_NOT_REUSABLE', fault))
  }
  const strict = createChannelLedger(reading(cluster.ledger, { mint: keyOf(9).address }))
  const { channelId } = await cluster.open()
  await expect(strict.openChannel(channelId, offer)).rejects.toThrow(refusal('CHANNEL_NOT_REUSABLE', 'wrong_mint'))
})

test('a channel that is closing, or was settled in part, funds nothing', async () => {
  const closing = await cluster.open()
  await cluster.carryOut([requestCloseInstruction(closing, programs)], [buyer])
  await expect(channels.openChannel(closing.channelId, offer)).rejects.toThrow(
    refusal('CHANNEL_NOT_REUSABLE', 'not_open'),
  )
  const used = await cluster.open()
  await cluster.carryOut([...proofOf(used, 5n), settleInstruction(used.channelId, programs)], [buyer])
  await expect(channels.openChannel(used.channelId, offer)).rejects.toThrow(
    refusal('CHANNEL_NOT_REUSABLE', 'already_used'),
  )
})

function proofOf({ channelId }: Opened, cumulative: bigint) {
  const said = { channelId, cumulative, expiresAt: 0n }
  return [voucherProofInstruction(said, createVoucherSigner(voucher.seed).sign(channelId, cumulative), voucher.address)]
}

test('an escrow that is frozen, gone or short funds nothing', async () => {
  const { channelId } = await cluster.open()
  const escrow = associatedTokenAccount(channelId, localMint)
  const changed = (at: number, byte: number) => (account: LedgerAccount) => ({
    ...account,
    data: account.data.with(at, byte),
  })
  const cases: readonly (readonly [(account: LedgerAccount) => LedgerAccount | null, string])[] = [
    [changed(108, 2), 'escrow_frozen'],
    [changed(40, 7), 'escrow_foreign'],
    [changed(65, 0), 'escrow_short'],
    [() => null, 'escrow_missing'],
  ]
  for (const [change, fault] of cases)
    await expect(lying(escrow, change).openChannel(channelId, offer), fault).rejects.toThrow(
      refusal('CHANNEL_NOT_REUSABLE', fault),
    )
})

test("a ledger that answers with another channel's account is not believed", async () => {
  const [one, other] = [await cluster.open(), await cluster.open()]
  const data = (await cluster.ledger.account(other.channelId))?.data ?? new Uint8Array()
  await expect(
    lying(one.channelId, (account) => ({ ...account, data })).openChannel(one.channelId, offer),
  ).rejects.toThrow(refusal('channel_unreadable'))
})

test('whoever has no account for the token, or a frozen or foreign one, cannot be paid', async () => {
  const at = associatedTokenAccount(laborer.address, localMint)
  expect(await channels.canReceive(laborer.address, asset)).toBe(true)
  expect(await channels.canReceive(keyOf(9).address, asset)).toBe(false)
  const frozen = lying(at, (account) => ({ ...account, data: account.data.with(108, 2) }))
  expect(await frozen.canReceive(laborer.address, asset)).toBe(false)
  const given = lying(at, (account) => ({ ...account, data: account.data.with(40, account.data[40] === 0 ? 1 : 0) }))
  expect(await given.canReceive(laborer.address, asset)).toBe(false)
})

test('a ledger that is down, slow or of another cluster says nothing, each by its code', async () => {
  const away = (urls: readonly string[], genesisHash = cluster.solana.genesisHash) =>
    createChannelLedger(reading(createRpcLedger({ urls, genesisHash, timeoutMs: 50, sleep: () => Promise.resolve() })))
  const foreign = away([cluster.solana.rpcUrl], keyOf(9).address)
  for (const ledger of [away(['http://127.0.0.1:1']), foreign]) {
    await expect(ledger.openChannel(keyOf(9).address, offer)).rejects.toThrow(refusal('channel_unreadable'))
    await expect(ledger.canReceive(laborer.address, asset)).rejects.toThrow(refusal('WORKER_USDC_ATA_UNVERIFIABLE'))
  }
  const slow = createChannelLedger({
    ...reading({ account: () => new Promise(() => undefined) }),
    waitMs: 20,
  })
  await expect(slow.openChannel(keyOf(9).address, offer)).rejects.toThrow(refusal('channel_unreadable'))
})

test('the same words are signed with the same voucher', () => {
  const signer = createVoucherSigner(voucher.seed)
  const channelId = keyOf(7).address
  expect(signer.sign(channelId, 5n)).toBe(signVoucher({ channelId, cumulative: 5n, expiresAt: 0n }, voucher.seed))
  expect(signer.sign(channelId, 5n)).toBe(signer.sign(channelId, 5n))
})
