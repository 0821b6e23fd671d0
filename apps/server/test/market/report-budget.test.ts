import { createMarket, reportsPerDay, type DayLimits, type Market, type WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDayBudget, createIsProven } from '../../src/adapters/postgres/index.ts'
import { gateTask, openStage, publisher, type Stage } from './stage.ts'

/** A report is read by a person: how many there are in a day has an end, for a wallet, an address and in all. */
let stage: Stage
let tasks: readonly string[]
beforeAll(async () => {
  stage = await openStage()
  const published = await Promise.all([1, 2, 3].map(() => stage.market.publish(publisher, gateTask({}))))
  tasks = published.map(({ task }) => task.id)
})
afterAll(() => stage[Symbol.asyncDispose]())
beforeEach(async () => {
  await stage.pool.query('delete from reports')
  await stage.pool.query('delete from registration_counts')
})

const wallet = (n: number, from = '10.0.0.1'): WalletCaller => ({
  kind: 'wallet',
  wallet: `0x${n.toString(16).padStart(40, '0')}`,
  agentId: null,
  via: 'signature',
  from,
})
const marketWith = (limits: Partial<DayLimits>): Market =>
  createMarket({
    ...stage.deps,
    reports: stage.watch(
      createDayBudget(
        stage.pool,
        {
          budget: 'reports',
          limits: { ...reportsPerDay, ...limits },
          refusal: (who) => `Too many reports were made ${who} today.`,
        },
        createIsProven(stage.pool),
      ),
    ),
  })
/** Reports these in turn, and answers what refused each. */
async function reported(market: Market, ...given: readonly (readonly [WalletCaller, number])[]): Promise<unknown[]> {
  const outcomes: unknown[] = []
  for (const [by, task] of given)
    outcomes.push(
      await market
        .report(by, { target: 'task', targetId: tasks[task] ?? crypto.randomUUID(), reason: 'fraud', note: null })
        .then(
          () => 'told',
          ({ code, details }: { code: string; details?: { by?: string } }) => details?.by ?? code,
        ),
    )
  return outcomes
}

test('a wallet reports so many things in a day, and the same again as often as it likes', async () => {
  const market = marketWith({ ofWallet: 2 })
  const [one, other] = [wallet(1), wallet(2)]
  expect(await reported(market, [one, 0], [one, 0], [one, 1], [one, 0], [one, 2], [other, 2])).toEqual([
    'told',
    'told',
    'told',
    'told',
    'wallet',
    'told',
  ])
  expect((await stage.pool.query('select 1 from reports')).rowCount).toBe(3)
})

test('so many come from an address, and in all', async () => {
  const elsewhere = wallet(3, '10.0.0.2')
  expect(
    await reported(marketWith({ ofAddress: 2 }), [wallet(1), 0], [wallet(2), 0], [wallet(4), 0], [elsewhere, 0]),
  ).toEqual(['told', 'told', 'address', 'told'])
  await stage.pool.query('delete from registration_counts')
  expect(await reported(marketWith({ inAll: 1 }), [wallet(1), 1], [elsewhere, 1])).toEqual(['told', 'all'])
})

test('what is not there is not counted', async () => {
  const market = marketWith({ ofWallet: 1 })
  expect(await reported(market, [wallet(1), 7], [wallet(1), 0])).toEqual(['TASK_NOT_FOUND', 'told'])
})
