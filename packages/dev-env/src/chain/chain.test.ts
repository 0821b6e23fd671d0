import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, createTestClient, createWalletClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { localRoles } from '@ergon/contracts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isAlive } from '../stopping.ts'
import { waitFor } from '../waiting.ts'
import { startChain } from './chain.ts'
import type { Chain, ChainOptions } from './chain.ts'

let dataDir: string
const running = new Set<Chain>()

async function start(options: ChainOptions = {}): Promise<Chain> {
  const chain = await startChain(options)
  running.add(chain)
  return chain
}

function clients(chain: Chain) {
  const transport = http(chain.rpcUrl)
  return {
    reader: createPublicClient({ chain: foundry, transport, pollingInterval: 10 }),
    node: createTestClient({ chain: foundry, transport, mode: 'anvil' }),
    wallet: createWalletClient({
      chain: foundry,
      transport,
      account: privateKeyToAccount(localRoles.deployer.privateKey),
    }),
  }
}

const stranger = '0x00000000000000000000000000000000000000aa'

async function pay(chain: Chain): Promise<void> {
  const { reader, wallet } = clients(chain)
  const hash = await wallet.sendTransaction({ to: stranger, value: parseEther('1') })
  // viem asks once a block, and an idle chain makes no second one.
  const receipt = await waitFor(() => reader.getTransactionReceipt({ hash }).catch(() => undefined), {
    timeoutMs: 30_000,
    everyMs: 10,
    what: 'a receipt',
  })
  expect(receipt.status).toBe('success')
}

const balance = (chain: Chain): Promise<bigint> => clients(chain).reader.getBalance({ address: stranger })

function kept(name: string): boolean {
  return readdirSync(dataDir).includes(name)
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ergon-test-'))
})
afterEach(async () => {
  await Promise.all([...running].map((chain) => chain.kill()))
  running.clear()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the local chain', () => {
  test('a transaction of any client is mined soon, and an idle chain makes no blocks', async () => {
    const chain = await start()
    const { reader } = clients(chain)
    expect(await reader.getChainId()).toBe(31337)
    await pay(chain)
    expect(await balance(chain)).toBe(parseEther('1'))
    expect(await reader.getBlockNumber({ cacheTime: 0 })).toBe(1n)
  })

  test('blocks mined many a second never run ahead of the wall clock', async () => {
    for (const options of [{}, { blockTimeSec: 1 }]) {
      const chain = await start(options)
      const { reader, node } = clients(chain)
      for (let i = 0; i < 100; i++) await node.mine({ blocks: 1 })
      const block = await reader.getBlock()
      const aheadSec = Number(block.timestamp) - Date.now() / 1_000
      expect(aheadSec).toBeLessThanOrEqual(0)
      expect(aheadSec).toBeGreaterThan(-2)
    }
  })

  test('state, blocks and receipts survive a stop, and no process is left', async () => {
    const first = await start({ dataDir })
    await pay(first)
    await first.stop()
    expect(isAlive(first.pid)).toBe(false)
    const second = await start({ dataDir })
    expect(await balance(second)).toBe(parseEther('1'))
    const block = await clients(second).reader.getBlock({ blockNumber: 1n })
    const [hash] = block.transactions
    expect(hash === undefined ? undefined : (await clients(second).reader.getTransactionReceipt({ hash })).status).toBe(
      'success',
    )
    await pay(second)
    expect(await balance(second)).toBe(parseEther('2'))
  })

  test('what was mined over a second before SIGKILL survives it', async () => {
    const first = await start({ dataDir })
    await pay(first)
    await waitFor(() => kept('chain.json') || undefined, {
      timeoutMs: 30_000,
      everyMs: 10,
      what: 'a copy of the state',
    })
    await first.kill()
    expect(await balance(await start({ dataDir }))).toBe(parseEther('1'))
  })

  test('a copy cut short by a crash is put aside and the one before is used', async () => {
    const first = await start({ dataDir })
    await pay(first)
    await waitFor(() => kept('chain.json') || undefined, {
      timeoutMs: 30_000,
      everyMs: 10,
      what: 'a copy of the state',
    })
    await first.kill()
    const whole = readFileSync(join(dataDir, 'chain.json'), 'utf8')
    writeFileSync(join(dataDir, 'chain.exit.json'), whole.slice(0, whole.length / 2))
    expect(await balance(await start({ dataDir }))).toBe(parseEther('1'))
    expect(kept('chain.exit.json.unreadable')).toBe(true)
  })

  test('a chain of which no copy can be read is not silently begun anew', async () => {
    writeFileSync(join(dataDir, 'chain.json'), '{"block":')
    await expect(start({ dataDir })).rejects.toThrow('start with --reset')
  })

  test('a busy port makes it take the next free one', async () => {
    const first = await start()
    const second = await start({ port: first.port })
    expect(second.port).toBeGreaterThan(first.port)
  })
})
