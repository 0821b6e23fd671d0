import { hexToBytes, loadFastKeccak, networks } from '@ergon/protocols'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectNetwork, type ConnectedNetwork } from '../src/network/connect.ts'
import type { Intent } from '../src/store/intents.ts'
import { createMemoryDatabase, type MemoryDatabase } from '../src/testing/memory-store.ts'
import { facilitator } from '../src/testing/payments.ts'
import { aDraft, createFakeNode, fakeAccount, type FakeNode } from './fake-node.ts'
import { eventually } from './harness.ts'
import { hurried } from './hurried.ts'

beforeAll(async () => {
  await loadFastKeccak()
})

const { escrow: _, erc8004: __, ...localnet } = networks.localnet
const row = { ...localnet, confirmations: 3 }
const hourMs = 3_600_000

/** A chain that undoes blocks, and the database of a facilitator whose clock can be put forward. */
type Scene = {
  readonly node: FakeNode
  readonly database: MemoryDatabase
  /** How often each method was asked for. */
  readonly asked: Map<string, number>
  connect(): Promise<ConnectedNetwork>
  pass(ms: number): void
  only(): Intent
  statusIs(wanted: string): Promise<unknown>
  isDeep(): Promise<boolean>
}

function aScene(): Scene {
  const [node, asked] = [createFakeNode(), new Map<string, number>()]
  node.isLive = true
  node.loses = (method) => {
    asked.set(method, (asked.get(method) ?? 0) + 1)
    return false
  }
  let passed = 0
  const database = createMemoryDatabase(() => hurried.now() + passed)
  const only = (): Intent => {
    const [one] = database.rows()
    if (one === undefined) throw new Error('nothing was written')
    return one
  }
  return {
    node,
    database,
    asked,
    only,
    async connect() {
      const network = await connectNetwork({
        row,
        rpc: node,
        store: database.intents,
        lease: { epoch: database.raise(fakeAccount), lost: () => undefined },
        privateKey: hexToBytes(facilitator.privateKey),
        minesOnDemand: false,
        surroundings: hurried,
        onTrouble: () => undefined,
      })
      onTestFinished(() => network[Symbol.asyncDispose]())
      return network
    },
    pass(ms) {
      passed += ms
    },
    statusIs: (wanted) =>
      eventually(
        () => Promise.resolve(only().status),
        (status) => status === wanted,
        wanted,
      ),
    isDeep: async () => (await database.intents.shallow(row.name, only().account, 0, 1)).length === 0,
  }
}

/** One transaction has landed and its row is written. */
async function landed(scene: Scene): Promise<{ readonly network: ConnectedNetwork; readonly hash: string }> {
  const network = await scene.connect()
  const { transaction } = await network.pipeline.submit(aDraft()).outcome
  await scene.statusIs('succeeded')
  return { network, hash: transaction }
}

describe.each(['while no process ran', 'after the restart'])(
  'what landed on a chain that makes no more blocks, an hour before a restart, and is undone %s',
  (moment) => {
    test('is opened again and sent again, the same bytes', async () => {
      const scene = aScene()
      const { network, hash } = await landed(scene)
      await network[Symbol.asyncDispose]()
      scene.pass(hourMs)
      scene.node.isMining = false
      if (moment === 'while no process ran') scene.node.undo()
      const after = await scene.connect()
      if (moment === 'after the restart') scene.node.undo()
      await scene.statusIs('sent')
      scene.node.isMining = true
      await scene.statusIs('succeeded')
      expect(scene.node.mined.map((known) => known.hash)).toEqual([hash])
      expect(after.tracker.live()).toBe(0)
    })
  },
)

test('what is undone after an hour on a chain that makes no more blocks is noticed by the process that saw it land', async () => {
  const scene = aScene()
  await landed(scene)
  scene.pass(hourMs)
  scene.node.isMining = false
  scene.node.undo()
  await scene.statusIs('sent')
})

test('what is deep is marked so, and is asked for no more, by a process that starts neither', async () => {
  const scene = aScene()
  const { network } = await landed(scene)
  expect(await scene.isDeep()).toBe(false)
  scene.node.empty = 2
  await new Promise((resolve) => setTimeout(resolve, 900))
  expect(await scene.isDeep()).toBe(false)
  scene.node.empty = 3
  await eventually(scene.isDeep, (isDeep) => isDeep, 'the mark')
  await network[Symbol.asyncDispose]()
  scene.pass(hourMs)
  await scene.connect()
  scene.asked.clear()
  await eventually(
    () => Promise.resolve(scene.asked.get('eth_getTransactionCount') ?? 0),
    (count) => count >= 2,
    'two looks',
  )
  expect(scene.asked.get('eth_getTransactionReceipt')).toBeUndefined()
  expect(scene.only().status).toBe('succeeded')
})

test('what was done, and is refused where it was mined again, is followed again and has failed when that is deep', async () => {
  const scene = aScene()
  await landed(scene)
  scene.node.reverts = () => true
  await scene.statusIs('sent')
  scene.node.empty = 3
  await scene.statusIs('failed')
})

test('what was mined again and did something else is answered as it was mined last, until that is deep', async () => {
  const scene = aScene()
  const network = await scene.connect()
  const draft = { ...aDraft(), idempotencyKey: 'sweep' }
  const amount = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const
  scene.node.says = () => amount(700)
  expect((await network.pipeline.submit(draft).outcome).logs[0]?.data).toBe(amount(700))
  await scene.statusIs('succeeded')
  scene.node.says = () => amount(400)
  await eventually(
    () => Promise.resolve(scene.only().outcome?.logs[0]?.data),
    (data) => data === amount(400),
    'the second amount',
  )
  scene.node.says = () => amount(500)
  scene.node.empty = 3
  await eventually(scene.isDeep, (isDeep) => isDeep, 'the mark')
  const again = await network.pipeline.submit(draft).outcome
  expect([again.logs[0]?.data, scene.node.mined.length]).toEqual([amount(500), 1])
})

test('of many that are not deep each is looked at, the last as well', async () => {
  const scene = aScene()
  const network = await scene.connect()
  const count = 210
  await Promise.all(Array.from({ length: count }, () => network.pipeline.submit(aDraft()).outcome))
  scene.node.says = ({ nonce }) => (nonce === count - 1 ? '0x01' : '0x')
  const last = (): Intent | undefined => scene.database.rows().find((one) => one.accountNonce === count - 1)
  await eventually(
    () => Promise.resolve(last()?.outcome?.logs[0]?.data),
    (data) => data === '0x01',
    'the last one',
  )
  scene.node.empty = 3
  await eventually(scene.isDeep, (isDeep) => isDeep, 'the mark')
})

test('what was mined again in another of its forms is named by that form', async () => {
  const scene = aScene()
  const network = await scene.connect()
  scene.node.isMining = false
  const ticket = network.pipeline.submit(aDraft())
  await eventually(
    () => Promise.resolve(scene.node.handed.map(({ hash }) => hash)),
    (hashes) => new Set(hashes).size > 1,
    'a successor that pays more',
  )
  scene.node.isMining = true
  const { transaction } = await ticket.outcome
  await scene.statusIs('succeeded')
  const other = scene.node.handed.find(({ hash }) => hash !== transaction)
  if (other === undefined) throw new Error('there is one form')
  scene.node.remine(other)
  await eventually(
    () => Promise.resolve(scene.only().outcome?.transaction),
    (hash) => hash === other.hash,
    'the other form',
  )
})

test('a receipt that nobody has any more, its nonce used for good, makes no failure and is not waited for', async () => {
  const scene = aScene()
  await landed(scene)
  scene.node.undo()
  scene.node.takeNonce()
  scene.node.empty = 3
  await new Promise((resolve) => setTimeout(resolve, 900))
  expect(await scene.isDeep()).toBe(false)
  scene.pass(hourMs)
  await eventually(scene.isDeep, (isDeep) => isDeep, 'the mark')
  expect(scene.only().status).toBe('succeeded')
})
