import {
  channelAddress,
  distributeInstruction,
  mainnetChannelProgram,
  openInstruction,
  requestCloseInstruction,
  sealInstruction,
  settleAndSealInstruction,
  settleInstruction,
  signVoucher,
  systemProgram,
  topUpInstruction,
  voucherProofInstruction,
  type Instruction,
  type OpenTerms,
} from '@ergon/channels'
import type { Channel, ChannelLedger, LedgerEnd } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannelLedger, type ChannelReading } from '../../src/adapters/channels/channel-ledger.ts'
import { platformTime } from '../../src/surroundings/platform-time.ts'
import { buyer, keyOf, operator, programs, startCluster, voucher, type Cluster, type Opened } from './cluster.ts'

let cluster: Cluster
const stranger = keyOf(83)
beforeAll(async () => {
  cluster = await startCluster()
  await cluster.solana.fund(stranger.address, { lamports: 10_000_000_000n, tokens: 1_000_000n })
})
afterAll(() => cluster[Symbol.asyncDispose]())

type Past = ChannelReading['ledger']

/** How the channel has ended, as a ledger shows it that is read otherwise in some way. */
function endOf({ channelId: id }: Opened, reads: Partial<Past> = {}): Promise<LedgerEnd | null> {
  // Of a channel only its address is asked for.
  return readerOf(reads).endOf({ id } as Channel)
}

function readerOf(reads: Partial<Past>, time: Pick<typeof platformTime, 'monotonic'> = platformTime): ChannelLedger {
  const reading: ChannelReading = {
    ledger: { ...cluster.ledger, ...reads },
    terms: { ...cluster.settings, operator: operator.address, voucherSigner: voucher.address },
    keys: { operator },
    accounts: { take: () => Promise.resolve(true) },
    time: { ...platformTime, ...time },
    waitMs: 8_000,
    onTrouble: () => undefined,
  }
  return createChannelLedger(reading)
}

function proofOf({ channelId }: Opened, cumulative: bigint): Instruction {
  const said = { channelId, cumulative, expiresAt: 0n }
  return voucherProofInstruction(said, signVoucher(said, voucher.seed), voucher.address)
}

const settling = (terms: Opened, cumulative: bigint): readonly Instruction[] => [
  proofOf(terms, cumulative),
  settleInstruction(terms.channelId, programs),
]

/** Lamports from the stranger. */
function gift(to: string, lamports = 1_000_000n): Instruction {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(lamports, 4)
  const [from, at] = [
    { address: stranger.address, signer: true, writable: true },
    { address: to, signer: false, writable: true },
  ]
  return { program: systemProgram, accounts: [from, at], data: new Uint8Array(data) }
}

const naming = (instruction: Instruction, address: string): Instruction => ({
  ...instruction,
  accounts: [...instruction.accounts, { address, signer: false, writable: false }],
})

/** Ends a channel without its service, and answers the id of the transaction that paid it out. */
async function endPastUs(terms: Opened): Promise<string> {
  await cluster.carryOut([requestCloseInstruction(terms, programs)], [buyer])
  await cluster.skip(901_000)
  const sharing = distributeInstruction({ ...terms, treasuryOwner: cluster.settings.treasuryOwner }, programs)
  return cluster.carryOut([sealInstruction(terms.channelId, programs), sharing], [buyer])
}

describe('how a channel ended past us is read from its transactions', () => {
  test('and what strangers do with channels of their own, naming it, is no figure of its', async () => {
    const terms = await cluster.open()
    const { channelId } = terms
    await cluster.carryOut(settling(terms, 4_000n), [buyer])
    const other: OpenTerms = {
      ...{ payer: stranger.address, payee: keyOf(84).address, rentPayer: stranger.address },
      ...{ mint: cluster.solana.mint, authorizedSigner: keyOf(84).address, salt: 1n, deposit: 7n },
      ...{ openSlot: await cluster.ledger.slot(), gracePeriodSec: 900, splits: [] },
    }
    const place = { ...other, channelId: channelAddress(other, mainnetChannelProgram).address }
    await cluster.carryOut([naming(openInstruction(other, programs), channelId)], [stranger])
    await cluster.carryOut([naming(topUpInstruction(place, 11n, programs), channelId)], [stranger])
    await endPastUs(terms)
    expect(await endOf(terms)).toMatchObject({ settled: 4_000n, deposit: 10_000n })
  })

  test('and its end is the transaction that paid it out, whoever names it afterwards', async () => {
    const terms = await cluster.open()
    const { channelId } = terms
    await cluster.carryOut([topUpInstruction(terms, 500n, programs)], [buyer])
    const txHash = await endPastUs(terms)
    await cluster.carryOut([gift(channelId)], [stranger])
    expect((await cluster.ledger.account(channelId))?.owner).toBe(systemProgram)
    expect(await endOf(terms)).toMatchObject({ settled: 0n, deposit: 10_500n, txHash })
  })

  test('and while its account is there, its end is not what a stranger sent last', async () => {
    const terms = await cluster.open()
    const { channelId } = terms
    const closing = { ...terms, treasuryOwner: cluster.settings.treasuryOwner }
    const txHash = await cluster.carryOut(
      [proofOf(terms, 600n), settleAndSealInstruction(terms, true, programs), distributeInstruction(closing, programs)],
      [operator],
    )
    const nothing = naming(gift(keyOf(86).address), channelId)
    await cluster.carryOut([nothing], [stranger])
    expect(await endOf(terms)).toMatchObject({ settled: 600n, deposit: 10_000n, txHash })
  })

  test('and what came through another program counts', async () => {
    const terms = await cluster.open()
    const [raised, settled] = [
      await cluster.carryOut([topUpInstruction(terms, 500n, programs)], [buyer]),
      await cluster.carryOut(settling(terms, 7_000n), [buyer]),
    ]
    await endPastUs(terms)
    const wrapped = through([raised, settled], terms.channelId)
    expect(await endOf(terms, wrapped('recorded'))).toMatchObject({ settled: 7_000n, deposit: 10_500n })
    expect(await endOf(terms, wrapped('unknown'))).toBeNull()
  })

  test('and hundreds of transactions of strangers hide neither its opening nor its end', async () => {
    const terms = await cluster.open()
    await cluster.carryOut(settling(terms, 3_000n), [buyer])
    const to = keyOf(87).address
    for (let sent = 0n; sent < 210n; sent += 1n)
      await cluster.carryOut([naming(gift(to, 1_000_000n + sent), terms.channelId)], [stranger])
    const txHash = await endPastUs(terms)
    expect(await endOf(terms)).toMatchObject({ settled: 3_000n, deposit: 10_000n, txHash })
    // As a node answers that tells fewer at once than it is asked for.
    const sparse: Partial<Past> = { history: (address, _, before) => cluster.ledger.history(address, 50, before) }
    expect(await endOf(terms, sparse)).toMatchObject({ settled: 3_000n, deposit: 10_000n, txHash })
  })

  test('and where there are more than anybody looks at, it is not known', async () => {
    const terms = await cluster.open()
    await endPastUs(terms)
    let pages = 0
    const endless: Partial<Past> = {
      history(_, limit) {
        pages += 1
        const one = { signature: `of page ${String(pages)}`, slot: 1n, isFailed: true }
        return Promise.resolve(Array.from({ length: limit }, () => one))
      },
    }
    expect(await endOf(terms, endless)).toBeNull()
    expect(pages).toBe(10)
    // The opening is among the oldest: a node that has forgotten those shows no channel without a deposit.
    const forgetful: Partial<Past> = {
      history: async (address, limit, before) =>
        before === undefined ? (await cluster.ledger.history(address, limit)).slice(0, 1) : [],
    }
    expect(await endOf(terms, forgetful)).toBeNull()
  })

  test('and what one attempt has no time for, the next begins with', async () => {
    const terms = await cluster.open()
    for (let sent = 0n; sent < 20n; sent += 1n)
      await cluster.carryOut([naming(gift(keyOf(88).address, 1_000_000n + sent), terms.channelId)], [stranger])
    const txHash = await endPastUs(terms)
    let [now, read] = [0, 0]
    const slow: Partial<Past> = {
      transaction(signature) {
        read += 1
        now += 1_000
        return cluster.ledger.transaction(signature)
      },
    }
    const reader = readerOf(slow, { monotonic: () => now })
    const attempt = () => reader.endOf({ id: terms.channelId } as Channel)
    expect(await attempt()).toBeNull()
    expect(read).toBe(8)
    expect(await attempt()).toBeNull()
    expect(await attempt()).toMatchObject({ settled: 0n, deposit: 10_000n, txHash })
    expect(read).toBe(23)
  })

  test('a ledger that records no calls is believed where no other program was given the channel and ours', async () => {
    const terms = await cluster.open()
    await cluster.carryOut([naming(gift(keyOf(86).address), terms.channelId)], [stranger])
    await endPastUs(terms)
    const silent: Partial<Past> = {
      async transaction(signature) {
        const found = await cluster.ledger.transaction(signature)
        return found && { ...found, instructions: found.instructions.map((one) => ({ ...one, calls: null })) }
      },
    }
    expect(await endOf(terms, silent)).toMatchObject({ settled: 0n, deposit: 10_000n })
  })
})

/** Reads the transactions as if our program had been called by a program of others, recorded or not. */
function through(signatures: readonly string[], channelId: string) {
  const caller = keyOf(85).address
  return (kind: 'recorded' | 'unknown'): Partial<Past> => ({
    async transaction(signature) {
      const found = await cluster.ledger.transaction(signature)
      if (found === null || !signatures.includes(signature)) return found
      const instructions = found.instructions.map((one) => {
        if (one.program !== programs.channelProgram) return one
        const call = naming(naming({ ...one, program: caller }, channelId), one.program)
        return { ...call, data: Uint8Array.of(9), calls: kind === 'recorded' ? [one] : null }
      })
      return { ...found, instructions }
    },
  })
}
