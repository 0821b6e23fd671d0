import {
  associatedTokenAccount,
  createTokenAccountInstruction,
  systemProgram,
  tokenProgram,
  transferTokensInstruction,
} from '@ergon/channels'
import { channelProgramElf, channelProgramId } from '@ergon/channel-program'
import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  checkCluster,
  codeHash,
  createRpcLedger,
  deliver,
  localKeys,
  localMint,
  startEmbeddedLedger,
  startRpcFront,
  TransactionRefused,
} from '../src/index.ts'
import type { EmbeddedLedger, RpcFront, RpcLedger, RpcLedgerOptions } from '../src/index.ts'
import { foreignClient, signed } from './foreign-client.ts'
import { startHostileProxy } from './hostile-proxy.ts'
import type { HostileProxy, Mischief } from './hostile-proxy.ts'

const { operator } = localKeys
const addressOf = (byte: number): string => toBase58(ed25519KeyOf(new Uint8Array(32).fill(byte)))
const receiver = addressOf(55)
let embedded: EmbeddedLedger
let front: RpcFront
let proxies: readonly [HostileProxy, HostileProxy]
let genesisHash: string
const troubles: string[] = []

beforeAll(async () => {
  embedded = await startEmbeddedLedger()
  front = await startRpcFront(embedded.machine)
  genesisHash = await embedded.machine.genesisHash()
  await embedded.fund(operator.address, { tokens: 1_000_000n })
})
afterAll(async () => {
  await front[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})
beforeEach(async () => {
  proxies = [await startHostileProxy(front.url), await startHostileProxy(front.url)]
  troubles.length = 0
})
afterEach(async () => {
  for (const proxy of proxies) await proxy[Symbol.asyncDispose]()
})

function ledgerOf(options: Partial<RpcLedgerOptions> = {}): RpcLedger {
  return createRpcLedger({
    urls: proxies.map(({ url }) => url),
    genesisHash,
    timeoutMs: 300,
    onTrouble: (message) => troubles.push(message),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 10)),
    ...options,
  })
}

async function payment(amount: bigint) {
  const { blockhash, lastValidBlockHeight } = await embedded.ledger.blockhash()
  const account = createTokenAccountInstruction({ funder: operator.address, owner: receiver, mint: localMint })
  const terms = { from: operator.address, to: receiver, mint: localMint, amount, decimals: 6 }
  return { ...signed(blockhash, [account, transferTokensInstruction(terms)], [operator]), lastValidBlockHeight }
}

const tokens = () => foreignClient(front.url).tokens(receiver)

test('every read of the port says what the embedded ledger says', async () => {
  const ledger = ledgerOf()
  expect(await ledger.account(localMint)).toMatchObject({ owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' })
  expect(await ledger.account(receiver)).toBeNull()
  expect(Number((await ledger.time()) - (await embedded.ledger.time()))).toBeCloseTo(0, -1)
  expect(Number((await ledger.slot()) - (await embedded.ledger.slot()))).toBeCloseTo(0, -1)
  expect((await ledger.blockhash()).lastValidBlockHeight - (await ledger.blockHeight())).toBeGreaterThan(140n)
  expect(await ledger.priorityFee([localMint])).toBe(0n)
  const { wire, signature } = await payment(1n)
  expect(await ledger.status(signature)).toEqual({ kind: 'unknown' })
  expect(await ledger.send(wire)).toBe(signature)
  expect(await ledger.send(wire)).toBe(signature)
  expect(await ledger.status(signature)).toMatchObject({ kind: 'finalized', error: null })
  expect(ledger.standing()).toEqual({ all: 2, answering: 2 })
})

test('a transaction is told with what its programs called', async () => {
  const ledger = ledgerOf()
  const { blockhash } = await ledger.blockhash()
  const account = createTokenAccountInstruction({ funder: operator.address, owner: addressOf(77), mint: localMint })
  const { wire, signature } = signed(blockhash, [account], [operator])
  await ledger.send(wire)
  const found = await ledger.transaction(signature)
  expect(found?.wire).toEqual(wire)
  const [made] = found?.instructions ?? []
  const called = made?.calls?.map(({ program, accounts: [first] }) => [program, first?.address]) ?? []
  expect(called).toContainEqual([systemProgram, operator.address])
  expect(called).toContainEqual([tokenProgram, associatedTokenAccount(addressOf(77), localMint)])
  expect(await ledger.transaction(toBase58(new Uint8Array(64).fill(9)))).toBeNull()
})

test('a transaction is tried as it is, and nothing moves', async () => {
  const ledger = ledgerOf()
  const { wire, signature } = await payment(7n)
  expect(await ledger.simulate(wire)).toMatchObject({ error: null })
  expect(await ledger.status(signature)).toEqual({ kind: 'unknown' })
  const tooMuch = await payment(10n ** 12n)
  expect((await ledger.simulate(tooMuch.wire)).error).toEqual({ InstructionError: [1, { Custom: 1 }] })
})

describe('a node that misbehaves is passed over', () => {
  const bad: readonly Mischief[] = [
    'stall',
    'too-many-requests',
    'server-error',
    'lose-answer',
    'stale',
    'future',
    'other-cluster',
    'endless',
    'not-json',
  ]
  test.each(bad)('%s', async (mischief) => {
    const ledger = ledgerOf()
    const before = await ledger.slot()
    proxies[0].mischief = mischief
    // A node is proven to be of the cluster once, and again after it has failed.
    if (mischief === 'other-cluster') await failOnce(ledger)
    expect((await ledger.account(localMint))?.data[44]).toBe(6)
    expect(await ledger.slot()).toBeGreaterThanOrEqual(before)
    expect(ledger.standing()).toEqual({ all: 2, answering: 1 })
    expect(troubles.join()).toContain('Solana node 1 of 2')
    expect(troubles.join()).not.toContain('127.0.0.1')
  })

  async function failOnce(ledger: RpcLedger): Promise<void> {
    proxies[0].mischief = 'not-json'
    await ledger.slot()
    proxies[0].mischief = 'other-cluster'
  }

  const unfit = bad.filter((mischief) => mischief !== 'other-cluster')
  test.each(unfit)('and where there is no other, it is never believed: %s', async (mischief) => {
    const ledger = ledgerOf()
    await ledger.slot()
    for (const proxy of proxies) proxy.mischief = mischief
    await expect(ledger.account(localMint)).rejects.toThrow('no Solana node gives an answer that can be believed')
  })

  test('from the start on: a node of another cluster, and one that tells of a slot a year ahead', async () => {
    for (const mischief of ['other-cluster', 'future'] as const) {
      proxies[0].mischief = mischief
      const ledger = ledgerOf()
      expect((await ledger.account(localMint))?.data[44]).toBe(6)
      expect(await ledger.slot()).toBeLessThan(10_000_000n)
    }
  })

  test('it is asked again when its rest is over', async () => {
    let now = 0
    const ledger = ledgerOf({ now: () => now })
    await ledger.slot()
    proxies[0].mischief = 'too-many-requests'
    await ledger.slot()
    proxies[0].mischief = 'none'
    proxies[0].calls.length = 0
    await ledger.slot()
    expect(proxies[0].calls).toEqual([])
    now = 3_001
    await ledger.slot()
    expect(proxies[0].calls).toContain('getSlot')
  })

  test('one that denies what is there is found out by a second witness', async () => {
    const { wire, signature } = await payment(2n)
    await embedded.ledger.send(wire)
    proxies[0].mischief = 'deny'
    expect(await ledgerOf().account(localMint)).toBeNull()
    const careful = ledgerOf({ witnesses: 2 })
    await expect(careful.account(localMint)).rejects.toThrow('can be believed')
    await expect(careful.status(signature)).rejects.toThrow('can be believed')
    proxies[0].mischief = 'none'
    expect(await careful.status(signature)).toMatchObject({ kind: 'finalized' })
  })
})

describe('delivering a transaction', () => {
  const quick = { pollMs: 20, resendMs: 40, patienceMs: 5_000 }

  test('an answer lost after the landing: it is sent again, seen, and has paid once', async () => {
    const before = Number(await tokens())
    const ledger = ledgerOf()
    await ledger.slot()
    const due = await payment(100_000n)
    const sent = () => proxies.flatMap(({ calls }) => calls).filter((method) => method === 'sendTransaction').length
    for (const proxy of proxies) proxy.mischief = 'lose-answer'
    const delivered = deliver(ledger, due, { ...quick, patienceMs: 20_000 })
    await vi.waitFor(() => expect(sent()).toBeGreaterThan(0), { timeout: 15_000, interval: 10 })
    for (const proxy of proxies) proxy.mischief = 'late-status'
    const first = sent()
    await vi.waitFor(() => expect(sent()).toBeGreaterThan(first), { timeout: 15_000, interval: 10 })
    for (const proxy of proxies) proxy.mischief = 'none'
    expect(await delivered).toMatchObject({ end: 'landed', status: { kind: 'finalized', error: null } })
    expect(Number(await tokens()) - before).toBeCloseTo(0.1, 9)
  })

  test('while no node answers nothing is decided, and the same bytes land later', async () => {
    for (const proxy of proxies) proxy.mischief = 'stall'
    const due = await payment(3n)
    expect((await deliver(ledgerOf({ timeoutMs: 30 }), due, { ...quick, patienceMs: 200 })).end).toBe('undecided')
    for (const proxy of proxies) proxy.mischief = 'none'
    expect((await deliver(ledgerOf(), due, quick)).end).toBe('landed')
  })

  test('a blockhash that has expired at the finalized height is proof that it never lands', async () => {
    const due = await payment(4n)
    await embedded.skip(152 * 400)
    const delivered = await deliver(ledgerOf(), due, quick)
    expect(delivered.end).toBe('expired')
    expect((await embedded.ledger.status(due.signature)).kind).toBe('unknown')
  })

  test('neither a node ahead of time nor one that lags makes a living transaction expire', async () => {
    for (const mischief of ['future', 'stale'] as const) {
      const ledger = ledgerOf()
      await ledger.slot()
      proxies[0].mischief = mischief
      const due = await payment(5n)
      expect(await ledger.blockHeight()).toBeLessThanOrEqual(due.lastValidBlockHeight)
      expect((await deliver(ledger, due, quick)).end).toBe('landed')
    }
  })

  test('a status of before the finalized height proves nothing', async () => {
    let skipped = 0
    const ledger = ledgerOf({ now: () => Date.now() + skipped })
    const due = await payment(6n)
    await embedded.ledger.send(due.wire)
    skipped = 152 * 400
    await embedded.skip(skipped)
    expect(await ledger.blockHeight()).toBeGreaterThan(due.lastValidBlockHeight)
    for (const proxy of proxies) proxy.mischief = 'late-status'
    await expect(ledger.status(due.signature)).rejects.toThrow('can be believed')
  })

  test('a transaction that would fail is refused with the ledger’s reason, and is undecided until it expires', async () => {
    const due = await payment(10n ** 12n)
    await expect(ledgerOf().send(due.wire)).rejects.toBeInstanceOf(TransactionRefused)
    const delivered = await deliver(ledgerOf(), due, { ...quick, patienceMs: 100 })
    expect(delivered).toMatchObject({ end: 'undecided' })
    expect(delivered.end === 'landed' ? undefined : delivered.refusal?.transactionError).toEqual({
      InstructionError: [1, { Custom: 1 }],
    })
  })

  test('a refusal behind a node that may have the bytes already decides nothing', async () => {
    const ledger = ledgerOf()
    await ledger.slot()
    proxies[0].mischief = 'lose-answer'
    const due = await payment(10n ** 12n)
    await expect(ledger.send(due.wire)).rejects.toThrow('no Solana node took the transaction for certain')
  })
})

describe('at the start', () => {
  const ownKey = toBase58(ed25519KeyOf(new Uint8Array(32).fill(66)))
  const good = () => ({
    programId: channelProgramId,
    programHash: codeHash(channelProgramElf()),
    mint: localMint,
    keys: [ownKey],
  })

  test('the program, its code, the mint and the keys are held against the cluster', async () => {
    await checkCluster(ledgerOf(), good())
  })

  test.each([
    ['a program that is not there', { programId: receiver.replace(/.$/, '1') }, /has no program|32 bytes/],
    ['an account that is no program', { programId: localMint }, 'not a program'],
    ['another code', { programHash: '00'.repeat(32) }, 'has the hash'],
    ['a mint that is none', { mint: channelProgramId }, 'is no mint of SPL Token'],
    ['a key that everybody has', { keys: [ownKey, operator.address] }, 'public: make one of your own'],
  ])('%s is refused', async (_, wrong, sentence) => {
    await expect(checkCluster(ledgerOf(), { ...good(), ...wrong })).rejects.toThrow(sentence)
  })

  test('a mint of another number of decimals is refused', async () => {
    const mint = await embedded.ledger.account(localMint)
    const clusterAccount = async (address: string) => {
      const account = await ledgerOf().clusterAccount(address)
      if (address !== localMint || account === null || mint === null) return account
      return { ...account, data: mint.data.with(44, 9) }
    }
    await expect(checkCluster({ clusterAccount }, good())).rejects.toThrow('has 9 decimals, not 6')
  })

  test('a program of the upgradeable loader is judged by the code its account points at', async () => {
    const loader = 'BPFLoaderUpgradeab1e11111111111111111111111'
    const elf = channelProgramElf()
    const base = { owner: loader, lamports: 1n, slot: 1n, executable: true }
    const clusterAccount = async (address: string) => {
      if (address === channelProgramId)
        return { ...base, data: Uint8Array.from([2, 0, 0, 0, ...new Uint8Array(32).fill(9)]) }
      if (address !== toBase58(new Uint8Array(32).fill(9))) return ledgerOf().clusterAccount(address)
      return { ...base, data: Buffer.concat([Buffer.from([3, 0, 0, 0]), Buffer.alloc(41), elf, Buffer.alloc(1_000)]) }
    }
    await checkCluster({ clusterAccount }, good())
    await expect(
      checkCluster({ clusterAccount }, { ...good(), programHash: codeHash(elf.with(400, 7)) }),
    ).rejects.toThrow('has the hash')
  })
})
