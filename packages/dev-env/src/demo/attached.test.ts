import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConstellation } from '../constellation/constellation.ts'
import type { Constellation } from '../constellation/constellation.ts'
import { findRunning } from '../constellation/record.ts'
import { faultsOfTransactions } from './chain-proof.ts'
import { runDemo } from './demo.ts'
import { createNarrator } from './narrator.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ergon-demo-'))
let constellation: Constellation

beforeAll(async () => {
  constellation = await startConstellation({ dataDir })
})
afterAll(async () => {
  await constellation.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const play = async () => {
  const record = findRunning(dataDir)
  if (record === undefined) throw new Error('nothing runs')
  return runDemo(record, 1_000_000n, createNarrator(new PassThrough()))
}

test('what runs already is used, as often as one likes, and its chain still answers afterwards', async () => {
  const [first, second] = [await play(), await play()]
  expect([first.faults, second.faults]).toEqual([[], []])
  expect(first.report.task_id).not.toBe(second.report.task_id)
  expect([second.report.worker_delta, second.report.treasury_delta, second.report.payer_delta]).toEqual([
    '870000',
    '130000',
    '-1000000',
  ])
  expect(await second.ground.chain.getChainId()).toBe(31337)
})

test('a transaction that proves something else is told apart', async () => {
  const { ground, job } = await play()
  const { txs } = job
  const faultsWith = (change: Partial<typeof txs>) =>
    faultsOfTransactions(ground, { ...job, txs: { ...txs, ...change } })
  const nowhere = `0x${'12'.repeat(32)}`
  expect(await faultsWith({ authorize: txs.release })).toEqual([`authorize ${String(txs.release)} lacks its event`])
  expect(await faultsWith({ release: txs.authorize })).toEqual([`release ${String(txs.authorize)} lacks its event`])
  expect(await faultsWith({ distribute_fees: txs.release })).toEqual([
    `distribute_fees ${String(txs.release)} lacks its event`,
  ])
  // The author counts: each wallet's rating is its own and not the other's.
  expect(await faultsWith({ rate_worker: txs.rate_publisher, rate_publisher: txs.rate_worker })).toHaveLength(2)
  expect(await faultsWith({ authorize: nowhere, release: null })).toEqual(
    [`release was not named`, `authorize ${nowhere} is not on chain`].sort((a, b) => a.localeCompare(b)),
  )
  const other = { ...ground, parties: { ...ground.parties, worker: ground.parties.treasury } }
  expect((await faultsOfTransactions(other, job)).map((fault) => fault.split(' ')[0])).toEqual([
    'rate_publisher',
    'authorize',
    'release',
  ])
})
