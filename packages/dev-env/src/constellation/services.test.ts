import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localRoles } from '@ergon/contracts'
import { toBase58 } from '@ergon/protocols'
import { localKeys } from '@ergon/solana-ledger'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive } from '../stopping.ts'
import { startConstellation } from './constellation.ts'
import type { Constellation } from './constellation.ts'

/** A stand-in for a service: healthy at once, and answers with its settings. */
const STAND_IN = `
import { createServer } from 'node:http'
createServer((request, response) => response.end(JSON.stringify({ ...process.env, asked: request.url })))
  .listen(Number(process.env.SVC_PORT ?? process.env.FACILITATOR_PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))`

let folder: string
let constellation: Constellation | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ergon-test-'))
  writeFileSync(join(folder, 'main.mjs'), STAND_IN)
})
afterEach(async () => {
  await constellation?.stop()
  constellation = undefined
  rmSync(folder, { recursive: true, force: true })
})

async function settingsOf(url: string | undefined): Promise<Record<string, string>> {
  // The stand-in answers its environment.
  return (await (await fetch(`${String(url)}/health`)).json()) as Record<string, string>
}

async function start(options: { readonly solana?: boolean } = {}): Promise<Constellation> {
  const main = join(folder, 'main.mjs')
  constellation = await startConstellation({
    ephemeral: true,
    paymentMode: 'fase5',
    mains: { server: main, facilitator: main },
    env: { server: { SVC_EXTRA: 'given' } },
    ...options,
  })
  return constellation
}

test('each service gets its own database, the chain, its keys and what the caller adds', async () => {
  const { serverUrl, facilitatorUrl, rpcUrl, databases, adminKeys } = (await start()).record()
  expect(await settingsOf(serverUrl)).toMatchObject({
    DATABASE_URL: databases.server,
    SVC_PAYMENT_MODE: 'fase5',
    SVC_FACILITATOR_URL: facilitatorUrl,
    SVC_RPC_LOCALNET: rpcUrl,
    SVC_ORDER_SIGNER_KEY: localRoles.service.privateKey,
    SVC_ADMIN_KEY: adminKeys.server,
    SVC_EXTRA: 'given',
  })
  expect(await settingsOf(facilitatorUrl)).toMatchObject({
    DATABASE_URL: databases.facilitator,
    FACILITATOR_RPC_LOCALNET: rpcUrl,
    FACILITATOR_KEY: localRoles.facilitator.privateKey,
    FACILITATOR_ORDER_DELEGATES: localRoles.service.address,
  })
})

test('a service is killed and started again at the same address with the same settings', async () => {
  const running = await start()
  const before = running.record()
  const settings = await settingsOf(before.serverUrl)
  await running.restart('server')
  expect(isAlive(before.pids.server ?? 0)).toBe(false)
  expect(running.record().serverUrl).toBe(before.serverUrl)
  expect(await settingsOf(before.serverUrl)).toEqual(settings)
})

test('stopping ends every part, and a service that dies by itself is named', async () => {
  const running = await start()
  process.kill(running.service('facilitator').pid, 'SIGKILL')
  expect(await running.broken).toBe('facilitator')
  const { pids } = running.record()
  await running.stop()
  expect(Object.values(pids).filter((pid) => isAlive(pid))).toEqual([])
})

test('with the local Solana ledger both services are told of it; without, neither is', async () => {
  const { facilitatorUrl, serverUrl, solana } = (await start({ solana: true })).record()
  expect(await settingsOf(facilitatorUrl)).toMatchObject({
    FACILITATOR_NETWORKS: 'localnet,solana',
    FACILITATOR_RPC_SOLANA: solana?.rpcUrl,
    FACILITATOR_SOLANA_KEY: toBase58(localKeys.feePayer.seed),
  })
  expect(await settingsOf(serverUrl)).toMatchObject({ SVC_RPC_SOLANA: solana?.rpcUrl })
  await constellation?.stop()
  const plain = await settingsOf((await start()).record().facilitatorUrl)
  expect([plain['FACILITATOR_NETWORKS'], plain['FACILITATOR_SOLANA_KEY']]).toEqual(['localnet', undefined])
})
