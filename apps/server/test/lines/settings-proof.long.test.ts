import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAccounts } from '@ergon/contracts'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { networks } from '@ergon/protocols'
import { expect, onTestFinished, test } from 'vitest'
import type { Env } from '../../src/index.ts'
import { eventually, rpc, startRig, type Rig } from '../adapters/rig.ts'
import { send } from '../dispatch/send.ts'
import { beginServer, startServer } from './server-process.ts'

/** What two processes must agree on is asked when they start, and whoever differs does not start. */

const other = localAccounts[7]

async function place(env: Readonly<Record<string, string>> = {}): Promise<{ readonly rig: Rig; readonly url: string }> {
  const rig = await startRig(env)
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const database = await createTestDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  return { rig, url: database.url }
}

async function ending(url: string, rig: Rig, env: Env): Promise<readonly [number | null, string]> {
  const begun = await beginServer(url, { rig, env })
  return [await begun.ended, begun.said()]
}

test('a server whose order key the facilitator does not know does not start', async () => {
  const { rig, url } = await place({ FACILITATOR_ORDER_DELEGATES: '' })
  expect(await ending(url, rig, {})).toEqual([
    1,
    expect.stringMatching(
      /^server: the facilitator takes no orders from 0x\w{40}, .* add it to FACILITATOR_ORDER_DELEGATES\n$/,
    ),
  ])
})

test('a node of another chain is refused by name', async () => {
  const { rig, url } = await place()
  const node = rig.settings.networks[0]?.rpcUrls[0]
  expect(await ending(url, rig, { SVC_NETWORKS: 'localnet,base-sepolia', SVC_RPC_BASE_SEPOLIA: node })).toEqual([
    1,
    expect.stringMatching(/the node of base-sepolia is on chain 31337, not 84532: change SVC_RPC_BASE_SEPOLIA/),
  ])
})

test('a token that counts in other decimals than its row says is refused', async () => {
  const { rig, url } = await place()
  const node = rig.settings.networks[0]?.rpcUrls[0] ?? ''
  const address = `0x${'18'.repeat(20)}`
  // Whatever it is asked, it answers 18.
  await rpc(node, 'anvil_setCode', [address, '0x601260005260206000f3'])
  const folder = mkdtempSync(join(tmpdir(), 'server-rows-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const file = join(folder, 'rows.json')
  const { USDC } = networks.localnet.tokens
  const row = { ...networks.localnet, name: 'my-chain', tokens: { USDC, EURC: { ...USDC, address } } }
  writeFileSync(file, JSON.stringify([row]))
  const env = { SVC_NETWORKS: 'localnet,my-chain', SVC_NETWORKS_FILE: file, SVC_RPC_MY_CHAIN: node }
  expect(await ending(url, rig, env)).toEqual([
    1,
    expect.stringMatching(/the token EURC has 18 decimals, not 6: change the row of my-chain/),
  ])
})

test('servers of one database have the same settings', async () => {
  const { rig, url } = await place()
  await startServer(url, { rig })
  const env = {
    SVC_PAYMENT_MODE: 'fase5',
    SVC_ADMIN_KEY: 'an admin key that the other one has not',
    SVC_BASE_URL: 'http://elsewhere.test',
  }
  expect(await ending(url, rig, env)).toEqual([
    1,
    expect.stringMatching(
      /^server: SVC_ADMIN_KEY and SVC_PAYMENT_MODE and SVC_BASE_URL differ from what another server on this database has: .*\n$/,
    ),
  ])
})

test('a secret is changed on all servers or on none', async () => {
  const { rig, url } = await place()
  const env = { SVC_SECRET: 'another secret of this test, long enough' }
  const first = await startServer(url, { rig })
  expect(await ending(url, rig, env)).toEqual([1, expect.stringMatching(/^server: SVC_SECRET differs from/)])
  // Stopped, it is in nobody's way; killed, not for long.
  first.child.kill('SIGTERM')
  await first.ended
  const second = await startServer(url, { rig, env })
  second.child.kill('SIGKILL')
  await second.ended
  await startServer(url, { rig })
})

test('alarm settings_contradict: a facilitator that is started later is proven then', async () => {
  const { rig, url } = await place({ FACILITATOR_ORDER_DELEGATES: other?.address ?? '' })
  await rig.facilitatorLine.close()
  const server = await startServer(url, { rig, env: { SVC_LOG_LEVEL: 'warn' } })
  const said = (): Promise<string> => Promise.resolve(server.said())
  const warning = /the facilitator cannot be reached; payments wait, and the settings are not proven yet/
  expect(await eventually(said, (text) => warning.test(text))).toMatch(warning)
  await rig.facilitatorLine.open()
  const ready = await eventually(
    () => send(server.url, 'GET', '/readyz'),
    ({ status }) => status === 503,
    45_000,
  )
  expect(ready.body).toMatchObject({ status: 'not_ready', reasons: ['settings_contradict'] })
  const complaint = /the settings contradict each other: the facilitator takes no orders from/
  expect(await eventually(said, (text) => complaint.test(text))).toMatch(complaint)
})
