import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAddresses, localRoles, mintTestUsd } from '@ergon/contracts'
import { createPublicClient, http, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isAlive } from '../stopping.ts'
import { queryDatabase } from '../testing/query-database.ts'
import { startConstellation } from './constellation.ts'
import type { Constellation } from './constellation.ts'
import type { ConstellationOptions } from './options.ts'
import { choosePorts } from './port-plan.ts'
import { findRunning } from './record.ts'

let dataDir: string
const running = new Set<Constellation>()

async function start(options: ConstellationOptions = {}): Promise<Constellation> {
  const constellation = await startConstellation({
    dataDir,
    services: 'none',
    ports: { server: 0, facilitator: 0, chain: 0, postgres: 0 },
    ...options,
  })
  running.add(constellation)
  return constellation
}

const [wallet, other] = localRoles.wallets.map(({ address }) => address)
const balanceOf = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

async function dollars(constellation: Constellation, owner = wallet): Promise<bigint> {
  if (owner === undefined) throw new Error('there is a test wallet')
  return createPublicClient({ transport: http(constellation.chain.rpcUrl) }).readContract({
    abi: balanceOf,
    address: localAddresses.TestUSD,
    functionName: 'balanceOf',
    args: [owner],
  })
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ergon-test-'))
})
afterEach(async () => {
  await Promise.all([...running].map((constellation) => constellation.stop()))
  running.clear()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the constellation', () => {
  test('databases, contracts, funded wallets and secrets are there, and survive a restart', async () => {
    const first = await start()
    expect(await dollars(first)).toBe(1_000_000_000n)
    if (wallet !== undefined) await mintTestUsd(first.chain.rpcUrl, wallet, 5n)
    await queryDatabase(first.record().databases.server, 'CREATE TABLE kept AS SELECT 7 AS n')
    await queryDatabase(first.record().databases.facilitator, 'SELECT 1')
    const { adminKeys, pids } = first.record()
    await first.stop()
    expect(Object.values(pids).filter((pid) => isAlive(pid))).toEqual([])

    const second = await start()
    expect(await dollars(second)).toBe(1_000_000_005n)
    expect(await queryDatabase(second.record().databases.server, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
    expect(second.record().adminKeys).toEqual(adminKeys)
  })

  test('other commands find it while it runs, in a file that is the owner’s alone', async () => {
    const constellation = await start()
    const file = join(dataDir, 'constellation.json')
    expect(findRunning(dataDir)).toEqual(JSON.parse(JSON.stringify(constellation.record())))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await constellation.stop()
    expect(findRunning(dataDir)).toBeUndefined()
    expect(existsSync(file)).toBe(false)
  })

  test('a second start on the same folder is refused and leaves the first one alone', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(`in use by process ${String(process.pid)}`)
    expect(await dollars(first)).toBe(1_000_000_000n)
  })

  test('reset forgets the state and touches nothing that is not its own', async () => {
    const first = await start()
    if (other !== undefined) await mintTestUsd(first.chain.rpcUrl, other, 5n)
    await first.stop()
    const stranger = mkdtempSync(join(dataDir, 'mine-'))
    const second = await start({ reset: true })
    expect(await dollars(second, other)).toBe(1_000_000_000n)
    expect(existsSync(stranger)).toBe(true)
  })

  test('an ephemeral one leaves nothing', async () => {
    const constellation = await start({ ephemeral: true })
    const { dataDir: folder, pids } = constellation.record()
    await constellation.stop()
    expect(existsSync(folder)).toBe(false)
    expect(Object.values(pids).filter((pid) => isAlive(pid))).toEqual([])
  })

  test('a part that dies by itself is named', async () => {
    const constellation = await start()
    process.kill(constellation.chain.pid, 'SIGKILL')
    expect(await constellation.broken).toBe('chain')
  })

  test('busy ports give way to free ones that no other part wants', async () => {
    const plan = await choosePorts({ ephemeral: true })
    expect(new Set(Object.values(plan)).size).toBe(5)
    const blocker = createServer()
    await new Promise<void>((resolve) =>
      blocker.listen(plan.server, '127.0.0.1', () => {
        resolve()
      }),
    )
    const next = await choosePorts({ ports: { ...plan, facilitator: plan.server + 1 } })
    blocker.close()
    // Others on this machine may hold the next port too, so only the rules are certain.
    expect(next.server).toBeGreaterThan(plan.server + 1)
    expect(next.facilitator).toBeGreaterThan(plan.server)
    expect(new Set(Object.values(next)).size).toBe(5)
  })

  test('the secrets file is the owner’s alone', async () => {
    await start()
    const file = join(dataDir, 'secrets.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual([
      'serverSecret',
      'serverAdminKey',
      'facilitatorAdminToken',
    ])
  })
})
