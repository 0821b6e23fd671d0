import { address } from '@solana/kit'
import type { Signature } from '@solana/kit'
import { associatedTokenAccount, createTokenAccountInstruction, transferTokensInstruction } from '@ergon/channels'
import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localKeys, localMint, startEmbeddedLedger, startRpcFront } from '../src/index.ts'
import type { EmbeddedLedger, RpcFront } from '../src/index.ts'
import { foreignClient, signed } from './foreign-client.ts'

const { operator } = localKeys
const receiver = toBase58(ed25519KeyOf(new Uint8Array(32).fill(88)))
let embedded: EmbeddedLedger
let front: RpcFront
let client: ReturnType<typeof foreignClient>
beforeAll(async () => {
  embedded = await startEmbeddedLedger()
  front = await startRpcFront(embedded.machine)
  client = foreignClient(front.url)
  await embedded.fund(operator.address, { tokens: 10_000_000n })
})
afterAll(async () => {
  await front[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

async function payment(amount: bigint, to = receiver) {
  const { blockhash } = (await client.rpc.getLatestBlockhash().send()).value
  const account = createTokenAccountInstruction({ funder: operator.address, owner: to, mint: localMint })
  const terms = { from: operator.address, to, mint: localMint, amount, decimals: 6 }
  return signed(blockhash, [account, transferTokensInstruction(terms)], [operator])
}

describe('an ordinary Solana client', () => {
  test('reads the ledger', async () => {
    const { rpc } = client
    expect(await rpc.getHealth().send()).toBe('ok')
    expect(await rpc.getGenesisHash().send()).toBe(await embedded.machine.genesisHash())
    expect((await rpc.getVersion().send())['solana-core']).toBe('3.0.0')
    expect(await rpc.getSlot().send()).toBeGreaterThan(0n)
    expect(await rpc.getBlockHeight().send()).toBeGreaterThan(0n)
    expect(await rpc.getFirstAvailableBlock().send()).toBe(await embedded.machine.keptFrom())
    expect(await rpc.getMinimumBalanceForRentExemption(256n).send()).toBe(2_672_640n)
    const { blockhash } = (await rpc.getLatestBlockhash().send()).value
    expect((await rpc.isBlockhashValid(blockhash).send()).value).toBe(true)
    expect((await rpc.getBalance(address(receiver)).send()).value).toBe(0n)
    expect((await rpc.getAccountInfo(address(receiver), { encoding: 'base64' }).send()).value).toBeNull()
    const mint = (await rpc.getAccountInfo(address(localMint), { encoding: 'base64' }).send()).value
    expect(mint?.space).toBe(82n)
    const part = { encoding: 'base58', dataSlice: { offset: 44, length: 1 } } as const
    expect((await rpc.getAccountInfo(address(localMint), part).send()).value?.data).toEqual(['7', 'base58'])
    const two = await rpc.getMultipleAccounts([address(localMint), address(receiver)], { encoding: 'base64' }).send()
    expect(two.value.map((account) => account === null)).toEqual([false, true])
  })

  test('reads what named an address page by page, the newest first', async () => {
    const sent: string[] = []
    const other = toBase58(ed25519KeyOf(new Uint8Array(32).fill(87)))
    for (const amount of [11n, 12n, 13n]) {
      const { wire, signature } = await payment(amount, other)
      await embedded.ledger.send(wire)
      sent.unshift(signature)
    }
    const page = async (before: string | undefined, limit = 2): Promise<readonly string[]> => {
      const settings = { limit, ...(before === undefined ? {} : { before: before as Signature }) }
      const found = await client.rpc.getSignaturesForAddress(address(other), settings).send()
      return found.map(({ signature }) => signature)
    }
    expect(await page(undefined)).toEqual(sent.slice(0, 2))
    expect(await page(sent[1])).toEqual(sent.slice(2))
    // One that is not known has none before it.
    expect(await page('1'.repeat(64))).toEqual([])
  })

  test('gets lamports, pays tokens and sees the transaction', async () => {
    const drop = await client.rpc.requestAirdrop(address(receiver), 5n as never).send()
    expect((await client.status(drop))?.confirmationStatus).toBe('finalized')
    expect((await client.rpc.getBalance(address(receiver)).send()).value).toBe(5n)
    const { wire, signature } = await payment(1_234_567n)
    expect(await client.status(signature)).toBeNull()
    expect((await client.simulate(wire)).err).toBeNull()
    expect(await client.send(wire)).toBe(signature)
    expect(await client.status(signature)).toMatchObject({ confirmationStatus: 'finalized', err: null })
    expect(await client.tokens(receiver)).toBe('1.234567')
    const seen = await client.rpc
      .getTransaction(signature as Signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
      .send()
    expect(seen?.transaction[0]).toBe(Buffer.from(wire).toString('base64'))
    expect(seen?.meta?.computeUnitsConsumed).toBeGreaterThan(0n)
    expect((await client.rpc.getTokenSupply(address(localMint)).send()).value.uiAmountString).toBe('10')
  })

  test('is told why a transaction is refused', async () => {
    const { wire } = await payment(10_000_000_000n)
    await expect(client.send(wire)).rejects.toMatchObject({
      cause: { context: { code: 1, index: 1 } },
      context: { unitsConsumed: expect.any(BigInt) },
    })
    expect((await client.simulate(wire)).err).toEqual({ InstructionError: [1n, { Custom: 1n }] })
    const spent = await payment(7n)
    await client.send(spent.wire)
    await expect(client.send(spent.wire)).rejects.toThrow()
  })

  test('who has seen a later slot is not answered from an earlier one', async () => {
    await expect(client.rpc.getSlot({ minContextSlot: 10n ** 12n }).send()).rejects.toThrow()
  })
})

describe('what is no call is refused, and the front stays up', () => {
  async function post(body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) {
    const response = await fetch(front.url, { method: 'POST', body, headers })
    return { status: response.status, body: (await response.json()) as { error?: { code: number } } }
  }
  const call = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  test.each([
    ['not JSON', '{', -32_700],
    ['a batch', '[]', -32_600],
    ['no method', '{"id":1}', -32_600],
    ['an unknown method', call('getProgramAccounts', []), -32_601],
    ['parameters by name', call('getSlot', {}), -32_602],
    ['no address', call('getBalance', ['x']), -32_602],
    ['an EVM address', call('getBalance', ['0x0000000000000000000000000000000000000001']), -32_602],
    ['257 signatures', call('getSignatureStatuses', [Array(257).fill('1'.repeat(64))]), -32_602],
    ['101 accounts', call('getMultipleAccounts', [Array(101).fill(localMint)]), -32_602],
    ['bytes that are no transaction', call('sendTransaction', ['AAAA', { encoding: 'base64' }]), -32_602],
    ['a transaction too long', call('sendTransaction', ['A'.repeat(1_704), { encoding: 'base64' }]), -32_602],
    ['too large an airdrop', call('requestAirdrop', [receiver, 10_000_000_001]), -32_602],
    ['a balance of what is no token account', call('getTokenAccountBalance', [localMint]), -32_602],
    [
      'a token account that is not there',
      call('getTokenAccountBalance', [associatedTokenAccount(localMint, localMint)]),
      -32_602,
    ],
    ['an account too large to ask for', call('getMinimumBalanceForRentExemption', [10 ** 9]), -32_602],
  ])('%s', async (_, body, code) => {
    expect((await post(body)).body.error?.code).toBe(code)
  })

  test('a body of more than 64 KiB, another method and another type', async () => {
    expect((await post('x'.repeat(65 * 1024))).status).toBe(413)
    expect((await fetch(front.url)).status).toBe(405)
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect(await client.rpc.getHealth().send()).toBe('ok')
  })

  test('it listens on loopback alone', () => {
    expect(new URL(front.url).hostname).toBe('127.0.0.1')
  })
})
