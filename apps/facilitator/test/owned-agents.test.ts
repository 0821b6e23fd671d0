import type { Chain } from '@ergon/dev-env'
import { createTestDatabase, startNodeProxy, type NodeProxy } from '@ergon/dev-env/testing'
import { identityRegistryAbi, networks } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeCall } from '../src/identity/contract-calls.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'
import { account, stranger, worker } from '../src/testing/payments.ts'
import { facilitatorEnv, rpc } from './harness-env.ts'
import { createClient, registerAgent, startFacilitator, startFundedChain, type Client } from './harness.ts'

/** Who was given two agents and gave the first of them away. */
const giver = account(8)
const newcomer = '0x00000000000000000000000000000000000a0b0c'
const registry = networks.localnet.erc8004?.identity

/** Ranges of 37 blocks that hold the newest ones, which may have been undone and are read anew. */
const undoable = Math.ceil(256 / 37)

let chain: Chain
let proxy: NodeProxy
let client: Client
let ids: { readonly worker: string; readonly given: string; readonly kept: string }
const cleanup = new AsyncDisposableStack()

beforeAll(async () => {
  chain = await startFundedChain()
  cleanup.defer(async () => {
    await chain.stop()
  })
  proxy = cleanup.use(await startNodeProxy(chain.rpcUrl))
  const database = cleanup.use(await createTestDatabase(facilitatorSchema))
  const service = cleanup.use(await startFacilitator(facilitatorEnv(proxy.url, database.url)))
  client = createClient(await service.listen())
  const given = await registerAgent(client, giver.address)
  ids = {
    worker: await registerAgent(client, worker.address),
    given,
    kept: await registerAgent(client, giver.address),
  }
  await giveAway(given)
  // What public nodes answer for is far behind.
  await rpc(chain.rpcUrl, 'anvil_mine', ['0x190'])
})
afterAll(() => cleanup.disposeAsync())

async function giveAway(id: string): Promise<void> {
  const data = await encodeCall({
    abi: identityRegistryAbi,
    functionName: 'transferFrom',
    args: [giver.address, stranger.address, BigInt(id)],
  })
  await rpc(chain.rpcUrl, 'anvil_setBalance', [giver.address, '0xde0b6b3a7640000'])
  await rpc(chain.rpcUrl, 'anvil_impersonateAccount', [giver.address])
  await rpc(chain.rpcUrl, 'eth_sendTransaction', [{ from: giver.address, to: registry, data }])
  await rpc(chain.rpcUrl, 'evm_mine', [])
}

const ownedBy = async (address: string) => (await client.get(`/identity/localnet/owner/${address}`)).body
const logsAsked = (): number => proxy.seen.flat().filter((method) => method === 'eth_getLogs').length

describe.each([
  ['answers for the whole chain', Infinity],
  ['answers logs of forty blocks', 40],
])('at a node that %s', (_, logBlocks) => {
  beforeAll(() => {
    proxy.logBlocks = logBlocks
    proxy.seen.length = 0
  })

  test('a wallet without an agent is known by one call, and no log is read', async () => {
    expect(await ownedBy(account(9).address)).toEqual({
      owner: account(9).address,
      agentIds: [],
      count: 0,
      network: 'localnet',
    })
    expect(logsAsked()).toBe(0)
  })

  test('an agent is found by its wallet', async () => {
    expect(await ownedBy(worker.address)).toMatchObject({ agentIds: [ids.worker], count: 1 })
  })

  test('what was given away is its new owner’s alone', async () => {
    expect(await ownedBy(giver.address)).toMatchObject({ agentIds: [ids.kept], count: 1 })
    expect(await ownedBy(stranger.address)).toMatchObject({ agentIds: [ids.given], count: 1 })
  })

  test('who is asked about again costs no second search', async () => {
    await ownedBy(worker.address)
    proxy.seen.length = 0
    expect(await ownedBy(worker.address)).toMatchObject({ agentIds: [ids.worker] })
    expect(logsAsked()).toBeLessThanOrEqual(undoable)
  })

  test('the agents of the registry are counted without its log', async () => {
    proxy.seen.length = 0
    const { body } = await client.get('/identity/localnet/total-supply')
    expect(body).toEqual({ totalSupply: String(Number(ids.kept) + 1), network: 'localnet' })
    expect(logsAsked()).toBe(0)
  })
})

test('a node that fails halfway is no wallet without agents, and the next search finds it', async () => {
  proxy.logBlocks = 40
  const another = await registerAgent(client, account(7).address)
  await rpc(chain.rpcUrl, 'anvil_mine', ['0x190'])
  proxy.seen.length = 0
  const all = await ownedBy(account(7).address)
  expect(all).toMatchObject({ agentIds: [another] })
  const whole = logsAsked()
  expect(whole).toBeGreaterThan(8)

  const halfway = await registerAgent(client, newcomer)
  expect(Number(halfway)).toBe(Number(another) + 1)
  await rpc(chain.rpcUrl, 'anvil_mine', ['0x190'])
  proxy.seen.length = 0
  proxy.delayMs = 20
  const broken = ownedBy(newcomer)
  await expect.poll(logsAsked, { interval: 5 }).toBeGreaterThan(whole / 2)
  proxy.locked = { status: 503, how: 'in HTML' }
  expect(await broken).toMatchObject({ success: false, errorCode: 'rpc_unavailable', broadcast: false })
  proxy.locked = false
  proxy.delayMs = 0
  expect(await ownedBy(newcomer)).toMatchObject({ agentIds: [halfway] })
})
