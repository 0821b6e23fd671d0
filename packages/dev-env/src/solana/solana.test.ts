import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRpcLedger, localKeys } from '@ergon/solana-ledger'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSolana } from './solana.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ergon-test-'))
})
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true })
})

test('the local Solana ledger answers over HTTP, and is the same one after a restart', async () => {
  const first = await startSolana({ dataDir })
  await first.fund(localKeys.voucher.address, { lamports: 7n })
  await first.stop()
  await expect(fetch(first.rpcUrl, { method: 'POST' })).rejects.toThrow()
  await using second = await startSolana({ dataDir })
  expect(second.genesisHash).toBe(first.genesisHash)
  const reader = createRpcLedger({ urls: [second.rpcUrl], genesisHash: first.genesisHash })
  expect((await reader.account(localKeys.voucher.address))?.lamports).toBe(7n)
  expect((await reader.account(second.mint))?.data[44]).toBe(6)
  // Filled up, not piled up.
  expect((await reader.account(localKeys.feePayer.address))?.lamports).toBe(100_000_000_000n)
})

test('a busy port makes it take the next free one', async () => {
  await using first = await startSolana()
  await using second = await startSolana({ port: first.port })
  expect(second.port).toBeGreaterThan(first.port)
})

test('two ledgers are two clusters: what is signed for one is worth nothing on the other', async () => {
  await using first = await startSolana()
  await using second = await startSolana()
  expect(first.genesisHash).not.toBe(second.genesisHash)
  expect((await first.ledger.blockhash()).blockhash).not.toBe((await second.ledger.blockhash()).blockhash)
})
