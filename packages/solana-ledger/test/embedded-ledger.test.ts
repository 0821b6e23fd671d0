import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { associatedTokenAccount, createTokenAccountInstruction, transferTokensInstruction } from '@ergon/channels'
import { channelProgramElf, channelProgramId } from '@ergon/channel-program'
import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { localKeys, localMint, startEmbeddedLedger, TransactionRefused } from '../src/index.ts'
import type { EmbeddedLedger } from '../src/index.ts'
import { readTokenAccount } from '../src/embedded/token-data.ts'
import { signed } from './foreign-client.ts'

let dataDir: string
const running = new Set<EmbeddedLedger>()
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ergon-test-'))
})
afterEach(async () => {
  for (const ledger of running) await ledger[Symbol.asyncDispose]()
  running.clear()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(kept = false): Promise<EmbeddedLedger> {
  const ledger = await startEmbeddedLedger(kept ? { dataDir } : {})
  running.add(ledger)
  return ledger
}

async function stop(ledger: EmbeddedLedger): Promise<void> {
  running.delete(ledger)
  await ledger[Symbol.asyncDispose]()
}

const someone = (() => {
  const seed = new Uint8Array(32).fill(77)
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
})()
const { operator } = localKeys

async function tokensOf({ ledger }: EmbeddedLedger, owner: string): Promise<bigint | undefined> {
  const account = await ledger.account(associatedTokenAccount(owner, localMint))
  return account === null ? undefined : readTokenAccount(account.data)?.amount
}

function transfer(to: string, amount: bigint) {
  return transferTokensInstruction({ from: operator.address, to, mint: localMint, amount, decimals: 6 })
}

async function payment(embedded: EmbeddedLedger, amount: bigint) {
  const { blockhash } = await embedded.ledger.blockhash()
  const account = createTokenAccountInstruction({ funder: operator.address, owner: someone.address, mint: localMint })
  return signed(blockhash, [account, transfer(someone.address, amount)], [operator])
}

describe('the embedded ledger', () => {
  test('has the program, a mint of six decimals, a funded operator, and gives tokens', async () => {
    const embedded = await start()
    expect((await embedded.machine.account(channelProgramId))?.executable).toBe(true)
    expect((await embedded.ledger.account(localMint))?.data[44]).toBe(6)
    expect((await embedded.ledger.account(operator.address))?.lamports).toBe(1_000_000_000_000n)
    expect(await tokensOf(embedded, operator.address)).toBe(0n)
    await embedded.fund(someone.address, { lamports: 5n, tokens: 6n })
    await embedded.fund(someone.address, { tokens: 1n })
    expect((await embedded.ledger.account(someone.address))?.lamports).toBe(5n)
    expect(await tokensOf(embedded, someone.address)).toBe(7n)
    expect(await embedded.ledger.account(toBase58(new Uint8Array(32).fill(9)))).toBeNull()
  })

  test('its clock follows the wall clock, slots and blockhashes with it, and can be moved ahead', async () => {
    const { ledger, skip } = await start()
    const before = { slot: await ledger.slot(), time: await ledger.time(), ...(await ledger.blockhash()) }
    expect(Math.abs(Number(before.time) - Date.now() / 1_000)).toBeLessThan(2)
    expect(before.lastValidBlockHeight - (await ledger.blockHeight())).toBeGreaterThan(148n)
    await skip(900_000)
    expect((await ledger.time()) - before.time).toBeGreaterThanOrEqual(900n)
    expect((await ledger.slot()) - before.slot).toBeGreaterThanOrEqual(2_250n)
    expect((await ledger.blockhash()).blockhash).not.toBe(before.blockhash)
  })

  test('a transaction moves money once: the same bytes again are no fault and no second payment', async () => {
    const embedded = await start()
    await embedded.fund(operator.address, { tokens: 100n })
    const { wire, signature } = await payment(embedded, 30n)
    expect(await embedded.ledger.status(signature)).toEqual({ kind: 'unknown' })
    for (let times = 0; times < 3; times += 1) expect(await embedded.ledger.send(wire)).toBe(signature)
    expect(await tokensOf(embedded, someone.address)).toBe(30n)
    expect(await embedded.ledger.status(signature)).toMatchObject({ kind: 'finalized', error: null })
  })

  test('a blockhash is good for 150 slots and no longer', async () => {
    const embedded = await start()
    await embedded.fund(operator.address, { tokens: 100n })
    const [early, late] = [await payment(embedded, 1n), await payment(embedded, 2n)]
    await embedded.skip(149 * 400)
    expect(await embedded.ledger.send(early.wire)).toBe(early.signature)
    await embedded.skip(2 * 400)
    await expect(embedded.ledger.send(late.wire)).rejects.toThrow('BlockhashNotFound')
    expect(await embedded.ledger.status(late.signature)).toEqual({ kind: 'unknown' })
  })

  test('a transaction that would fail is refused with the ledger’s reason and costs nothing', async () => {
    const embedded = await start()
    const before = await embedded.ledger.account(operator.address)
    const refusal: unknown = await embedded.ledger
      .send((await payment(embedded, 1n)).wire)
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(TransactionRefused)
    expect(refusal).toMatchObject({ transactionError: { InstructionError: [1, { Custom: 1 }] } })
    expect((await embedded.ledger.account(operator.address))?.lamports).toBe(before?.lamports)
  })

  test('unsigned, forged or cut bytes are refused', async () => {
    const embedded = await start()
    const { wire } = await payment(embedded, 0n)
    const forged = wire.slice()
    forged[10] = (forged[10] ?? 0) ^ 1
    await expect(embedded.ledger.send(forged)).rejects.toThrow('SignatureFailure')
    await expect(embedded.ledger.send(wire.slice(0, -1))).rejects.toThrow()
    expect(await embedded.ledger.slot()).toBeGreaterThan(0n)
  })
})

describe('over a restart', () => {
  test('money, time and what was already carried out are kept', async () => {
    const first = await start(true)
    await first.fund(operator.address, { tokens: 100n })
    const { wire, signature } = await payment(first, 30n)
    await first.ledger.send(wire)
    await first.skip(10_000)
    const [slot, genesis] = [await first.ledger.slot(), await first.machine.genesisHash()]
    await stop(first)
    const second = await start(true)
    expect(await second.machine.genesisHash()).toBe(genesis)
    expect(await second.ledger.slot()).toBeGreaterThanOrEqual(slot)
    expect(await second.ledger.send(wire)).toBe(signature)
    expect(await tokensOf(second, someone.address)).toBe(30n)
    expect(await second.ledger.status(signature)).toMatchObject({ kind: 'finalized', error: null })
    expect((await second.machine.account(channelProgramId))?.executable).toBe(true)
    expect(channelProgramElf().length).toBeGreaterThan(0)
  })

  const log = () => join(dataDir, 'solana-ledger.log')
  async function oneKept(): Promise<void> {
    const ledger = await start(true)
    await ledger.fund(someone.address, { tokens: 1n })
    await stop(ledger)
  }

  test('a last line that a crash cut short is dropped, and what came before it stays', async () => {
    await oneKept()
    appendFileSync(log(), '0123456789abcdef {"accounts":[["cut')
    expect(await tokensOf(await start(true), someone.address)).toBe(1n)
  })

  test('half of what was being written is not half a ledger', async () => {
    await oneKept()
    truncateSync(log(), statSync(log()).size - 5)
    expect((await (await start(true)).ledger.account(operator.address))?.lamports).toBe(1_000_000_000_000n)
  })

  test('a line damaged in the middle is refused with its number and the way out', async () => {
    await oneKept()
    const lines = readFileSync(log(), 'utf8').split('\n')
    writeFileSync(log(), lines.with(1, (lines[1] ?? '').replace(':', ';')).join('\n'))
    await expect(start(true)).rejects.toThrow(/line 2 of .*solana-ledger\.log is damaged: put the file aside/)
  })

  test('a log of another format is refused', async () => {
    writeFileSync(log(), '')
    await oneKept()
    const [header = ''] = readFileSync(log(), 'utf8').split('\n')
    const { createHash } = await import('node:crypto')
    const other = header.slice(17).replace('"format":1', '"format":2')
    writeFileSync(log(), `${createHash('sha256').update(other).digest('hex').slice(0, 16)} ${other}\n`)
    await expect(start(true)).rejects.toThrow('has format 2, and this version reads 1')
  })
})
