import { hexToBytes, loadFastKeccak, networks } from '@ergon/protocols'
import { beforeAll, expect, test } from 'vitest'
import { connectNetwork, type ConnectedNetwork } from '../src/network/connect.ts'
import { createMemoryDatabase, type MemoryDatabase } from '../src/testing/memory-store.ts'
import { facilitator } from '../src/testing/payments.ts'
import { aDraft, createFakeNode, fakeAccount, type FakeNode } from './fake-node.ts'
import { eventually } from './harness.ts'
import { hurried } from './hurried.ts'

beforeAll(async () => {
  await loadFastKeccak()
})

const { escrow: _, erc8004: __, ...row } = networks.localnet

function connect(node: FakeNode, database: MemoryDatabase): Promise<ConnectedNetwork> {
  return connectNetwork({
    row,
    rpc: node,
    store: database.intents,
    lease: { epoch: database.raise(fakeAccount), lost: () => undefined },
    privateKey: hexToBytes(facilitator.privateKey),
    minesOnDemand: true,
    surroundings: hurried,
    onTrouble: () => undefined,
  })
}

test('how long the chain has been past an intent without its receipt counts on over a restart', async () => {
  const [node, database] = [createFakeNode(), createMemoryDatabase(() => hurried.now())]
  await using first = await connect(node, database)
  node.isMining = false
  const ticket = first.pipeline.submit(aDraft())
  await eventually(
    () => Promise.resolve(node.handed.length),
    (count) => count > 0,
    'the broadcast',
  )
  node.takeNonce()
  const [{ id = '' } = {}] = database.rows()
  const missedFor = async (): Promise<number> => (await database.intents.miss([id])).get(id) ?? 0
  await eventually(missedFor, (ms) => ms > 6_000, 'the first looks')
  expect(database.rows()[0]?.status).toBe('sent')
  await first[Symbol.asyncDispose]()
  await using second = await connect(node, database)
  const [open] = database.rows()
  const outcome = open === undefined ? undefined : await second.tracker.follow(open)
  expect(outcome?.failure?.code).toBe('superseded')
  // Ten seconds since the first look, not since the restart; a look every two.
  expect(await missedFor()).toBeLessThan(10_000 + 5_000)
  ticket.outcome.catch(() => undefined)
})

test('a nonce that a node refused is taken by the next settlement, and those behind it land', async () => {
  const [node, database] = [createFakeNode(), createMemoryDatabase(() => hurried.now())]
  await using network = await connect(node, database)
  node.refuses = ({ nonce }) => (nonce === 0 ? 'insufficient funds for gas' : undefined)
  const [one, two] = [network.pipeline.submit(aDraft()), network.pipeline.submit(aDraft())]
  expect((await one.outcome).failure?.code).toBe('broadcast_refused')
  node.refuses = () => undefined
  // One takes the nonce that is free, the other goes behind the one that is held.
  const later = [two, network.pipeline.submit(aDraft()), network.pipeline.submit(aDraft())]
  for (const { outcome } of later) expect((await outcome).failure).toBeUndefined()
  expect(node.mined.map((known) => known.nonce)).toEqual([0, 1, 2])
})

test('a gap that no settlement takes is filled with nothing', async () => {
  const [node, database] = [createFakeNode(), createMemoryDatabase(() => hurried.now())]
  await using network = await connect(node, database)
  node.refuses = ({ nonce }) => (nonce === 0 ? 'insufficient funds for gas' : undefined)
  const [one, two] = [network.pipeline.submit(aDraft()), network.pipeline.submit(aDraft())]
  expect((await one.outcome).failure?.code).toBe('broadcast_refused')
  node.refuses = () => undefined
  expect((await two.outcome).failure).toBeUndefined()
  expect(node.mined.map((known) => [known.nonce, known.data === '0x'])).toEqual([
    [0, true],
    [1, false],
  ])
})

test('a nonce that has landed is not given out again because a node lags', async () => {
  const [node, database] = [createFakeNode(), createMemoryDatabase(() => hurried.now())]
  await using network = await connect(node, database)
  for (let round = 0; round < 4; round += 1) {
    node.lag = round
    expect((await network.pipeline.submit(aDraft()).outcome).failure).toBeUndefined()
  }
  expect(node.mined.map((known) => known.nonce)).toEqual([0, 1, 2, 3])
})

test('what a reorganisation takes back is sent again, the same bytes, while the process runs', async () => {
  const [node, database] = [createFakeNode(), createMemoryDatabase(() => hurried.now())]
  await using network = await connect(node, database)
  const landed = await network.pipeline.submit(aDraft()).outcome
  await eventually(
    () => Promise.resolve(database.rows()[0]?.status),
    (status) => status === 'succeeded',
    'the row',
  )
  node.undo()
  node.isMining = false
  await eventually(
    () => Promise.resolve(database.rows()[0]?.status),
    (status) => status === 'sent',
    'the notice',
  )
  node.isMining = true
  await eventually(
    () => Promise.resolve(database.rows()[0]?.status),
    (status) => status === 'succeeded',
    'the second landing',
  )
  expect(node.mined.map((known) => known.hash)).toEqual([landed.transaction])
})

test('what a reorganisation takes back after a restart is noticed by the new process and sent again', async () => {
  const [node, database] = [createFakeNode(), createMemoryDatabase(() => hurried.now())]
  const before = await connect(node, database)
  const landed = await before.pipeline.submit(aDraft()).outcome
  const statusIs = (wanted: string): Promise<unknown> =>
    eventually(
      () => Promise.resolve(database.rows()[0]?.status),
      (status) => status === wanted,
      wanted,
    )
  await statusIs('succeeded')
  await before[Symbol.asyncDispose]()
  await using after = await connect(node, database)
  node.undo()
  node.isMining = false
  await statusIs('sent')
  node.isMining = true
  await statusIs('succeeded')
  expect(node.mined.map((known) => known.hash)).toEqual([landed.transaction])
  expect(after.tracker.live()).toBe(0)
})

test('a broadcast whose answer was lost is made again; refused then, it ends with its nonce used and nothing moved', async () => {
  const [node, database] = [createFakeNode(), createMemoryDatabase(() => hurried.now())]
  await using network = await connect(node, database)
  node.loses = (method) => method === 'eth_sendRawTransaction'
  node.refuses = ({ data }) => (data === '0x' ? undefined : 'intrinsic gas too low')
  const ticket = network.pipeline.submit(aDraft())
  await eventually(
    () => Promise.resolve(node.handed.length),
    (count) => count > 2,
    'the broadcasts',
  )
  node.loses = () => false
  // Only a transaction that was mined in its place proves that it never lands.
  expect((await ticket.outcome).failure?.code).toBe('missing_event')
  expect(node.mined.map((known) => [known.nonce, known.data])).toEqual([[0, '0x']])
  node.refuses = () => undefined
  expect((await network.pipeline.submit(aDraft()).outcome).failure).toBeUndefined()
})
