import { networks } from '@ergon/protocols'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createTestClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playChapters } from '../demo/chapters/play-all.ts'
import { runDemo } from '../demo/demo.ts'
import { createNarrator } from '../demo/narrator.ts'
import { freePort } from '../ports.ts'
import { startNodeProxy, type NodeProxy } from '../testing/node-proxy.ts'
import { startConstellation, type Constellation } from './constellation.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ergon-ordinary-'))
let node: NodeProxy
let constellation: Constellation
let ticking: NodeJS.Timeout

/**
 * A node as providers sell them: small batches, narrow ranges of logs, no old state, now and then too much asked, and
 * behind one address several that are not at one block.
 */
const ordinary = { isPublic: true, batchLimit: 3, logBlocks: 40, stateBlocks: 128, busyEvery: 25, delayMs: 10 }

beforeAll(async () => {
  const port = await freePort()
  node = await startNodeProxy(`http://127.0.0.1:${String(port)}`)
  Object.assign(node, ordinary)
  const rows = join(dataDir, 'networks.json')
  writeFileSync(rows, JSON.stringify([{ ...networks.localnet, confirmations: 3 }]))
  constellation = await startConstellation({
    dataDir,
    ports: { chain: port },
    env: {
      server: { SVC_RPC_LOCALNET: node.url, SVC_NETWORKS_FILE: rows },
      facilitator: { FACILITATOR_RPC_LOCALNET: node.url, FACILITATOR_NETWORKS_FILE: rows },
    },
  })
  ticking = setInterval(() => {
    void grow(1)
  }, 700)
  // Where the contracts are older than that.
  await grow(5)
  node.behindBlocks = 2
})
afterAll(async () => {
  clearInterval(ticking)
  await constellation.stop()
  await node[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

function grow(blocks: number): Promise<void> {
  const transport = http(constellation.record().rpcUrl, { timeout: 60_000 })
  return createTestClient({ mode: 'anvil', transport }).mine({ blocks })
}

async function money(): Promise<unknown> {
  const answer = await fetch(`${constellation.record().serverUrl ?? ''}/api/v1/health/payments`)
  return answer.json()
}

const quiet = () => createNarrator(new PassThrough())
const sound = { status: 'healthy', in_doubt: 0, ledger_balanced: true, oldest_finding_at: null }

test('new wallets do the main job through it, with more history behind it each time than it answers at once', async () => {
  for (const isRestarted of [false, true]) {
    await grow(300)
    if (isRestarted) await Promise.all([constellation.restart('server'), constellation.restart('facilitator')])
    const { faults, report } = await runDemo(constellation.record(), 1_000_000n, quiet())
    expect(faults).toEqual([])
    expect([report.worker_delta, report.treasury_delta, report.payer_delta]).toEqual(['870000', '130000', '-1000000'])
  }
  expect(await money()).toMatchObject(sound)
})

test('and every other ending', async () => {
  const reports = await playChapters(constellation.record(), 1_000_000n, quiet())
  expect(reports.map(({ name, faults }) => [name, faults])).toEqual(reports.map(({ name }) => [name, []]))
  expect(reports.length).toBeGreaterThan(6)
  expect(await money()).toMatchObject(sound)
})
