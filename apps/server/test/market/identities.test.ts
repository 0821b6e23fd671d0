import { createMarket, type IdentityRegistry, type MarketDeps } from '@ergon/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { gateTask, openStage, publisher, worker, type Stage } from './stage.ts'

/** What is stored of identities, on real SQL, beside a registry whose numbers change. */

let stage: Stage
let owners: Record<number, string>
let market: ReturnType<typeof createMarket>
beforeAll(async () => {
  stage = await openStage('fase1')
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
})
beforeEach(() => {
  owners = {}
  const identities: IdentityRegistry = {
    ...stage.deps.identities,
    lookup: (_network, wallet) => {
      const [found] = Object.entries(owners).filter(([, owner]) => owner === wallet)
      return Promise.resolve(found === undefined ? null : Number(found[0]))
    },
    holder(_network, agentId) {
      const owner = owners[agentId]
      return Promise.resolve(owner === undefined ? null : { owner, wallet: owner, uri: null, isSettled: true })
    },
  }
  const deps: MarketDeps = { ...stage.deps, identities }
  market = createMarket(deps)
})

const [minuteMs, dayMs] = [60_000, 86_400_000]
const round = async (afterMs = minuteMs): Promise<number> => {
  stage.clock.advance(afterMs)
  return market.duties.checkIdentities()
}
const stored = (wallet: string) => stage.store.identity('localnet', wallet)
const put = (wallet: string, agentId: number) =>
  stage.store.putIdentity('localnet', wallet, { agentId, txHash: '0xminted' }, stage.clock.now())
const publishedAs = async (taskId: string): Promise<unknown> => (await stage.store.task(taskId))?.publisherAgentId
const publishAs = async (agentId: number): Promise<string> =>
  (await market.publish({ ...publisher, agentId }, gateTask())).task.id

test('two wallets whose numbers the chain gave anew have their own, and so has what they published', async () => {
  await put(publisher.wallet, 5)
  await put(worker.wallet, 6)
  const [own, others] = [await publishAs(5), await publishAs(4)]
  owners = { 5: 'stranger', 6: publisher.wallet, 7: worker.wallet }
  expect(await round()).toBe(2)
  expect([await stored(publisher.wallet), await stored(worker.wallet)]).toEqual([
    { agentId: 6, txHash: null },
    { agentId: 7, txHash: null },
  ])
  expect([await publishedAs(own), await publishedAs(others)]).toEqual([6, 4])
})

test('what was published days before an agent changed hands was published by that agent', async () => {
  await put(publisher.wallet, 15)
  const old = await publishAs(15)
  stage.clock.advance(2 * dayMs)
  owners = { 15: 'stranger', 16: publisher.wallet }
  await round()
  expect([(await stored(publisher.wallet))?.agentId, await publishedAs(old)]).toEqual([16, 15])
})

test('a wallet that gave its agent away is stored with none, an hour after it was stored', async () => {
  await put(worker.wallet, 25)
  owners = { 25: 'stranger' }
  await round()
  expect((await stored(worker.wallet))?.agentId).toBe(25)
  await round(60 * minuteMs)
  expect(await stored(worker.wallet)).toBeNull()
})

test('an identity is due after a minute, and then after as long as it is old, at most a month', async () => {
  await stage.pool.query('delete from identities')
  await put(worker.wallet, 35)
  owners = { 35: worker.wallet }
  expect([await round(minuteMs - 1), await round(1)]).toEqual([0, 1])
  expect([await round(minuteMs - 1), await round(1)]).toEqual([0, 1])
  expect([await round(2 * minuteMs - 1), await round(1)]).toEqual([0, 1])
  expect(await round(400 * dayMs)).toBe(1)
  expect([await round(30 * dayMs - 1), await round(1)]).toEqual([0, 1])
})

test('an identity of a network that is served no more is not asked for', async () => {
  await stage.pool.query('delete from identities')
  await stage.store.putIdentity('gone', worker.wallet, { agentId: 55, txHash: null }, stage.clock.now())
  expect(await round()).toBe(0)
})

test('what changed since it was read is left as it is', async () => {
  await put(worker.wallet, 45)
  const at = stage.clock.now()
  const change = { network: 'localnet', wallet: worker.wallet, from: 44, at }
  await stage.store.changeIdentity({ ...change, to: 43, publishedSince: at })
  await stage.store.forgetIdentity({ ...change, storedBefore: new Date(at.getTime() + dayMs) })
  expect((await stored(worker.wallet))?.agentId).toBe(45)
})
