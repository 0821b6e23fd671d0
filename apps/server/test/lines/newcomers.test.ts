import { newcomerShares, picturesPerDay, reportsPerDay } from '@ergon/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { shareOut, type DayAsk } from '../../src/adapters/postgres/day-counts.ts'
import {
  createBudgetsToday,
  createDayBudget,
  createIsProven,
  createMailBudget,
  createOAuthStore,
  createPaymentBudget,
  createRegistrationBudget,
} from '../../src/adapters/postgres/index.ts'
import { fewOf, newcomerCounts } from '../../src/adapters/postgres/newcomer-counts.ts'
import { gateTask, openStage, publisher, type Stage } from '../market/stage.ts'

/** A crowd of addresses, each within its own limits, before a budget that counts in all (decision 0317). */
let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())
beforeEach(async () => {
  await stage.pool.query('delete from registration_counts')
})

const limits = { perAddress: 30, inAll: 800 }
const proven = '0xproven'
const isProven = (wallet: string) => Promise.resolve(wallet === proven)
const strangers = (many: number, from: (index: number) => string) =>
  Array.from({ length: many }, (_, index) => ({
    wallet: `0xs${String(index)}`,
    network: 'localnet',
    from: from(index),
  }))
/** Each an address of its own, ten of a wide network at the most. */
const scattered = (index: number): string => `${String(1 + (index % 200))}.7.${String(Math.floor(index / 200))}.1`

test('a crowd from everywhere uses up what newcomers share, and nobody who has paid for work waits', async () => {
  const budget = createRegistrationBudget(stage.pool, limits, isProven)
  const spent = await Promise.all(strangers(2_000, scattered).map((one) => budget.take(one)))
  const taken = spent.filter((one) => one === null).length
  // A third of three quarters at midnight, all of them at the end of the day.
  expect(taken).toBeGreaterThanOrEqual(200)
  expect(taken).toBeLessThanOrEqual(600)
  const fresh = await budget.take({ wallet: '0xhonest', network: 'localnet', from: '250.1.1.1' })
  expect(fresh?.by).toBe('newcomers')
  // The next seat is dealt out within minutes, not tomorrow.
  expect(fresh?.secondsLeft).toBeLessThanOrEqual(600)
  for (const network of ['one', 'two', 'three'])
    expect(await budget.take({ wallet: proven, network, from: '250.1.1.1' })).toBeNull()
})

test('the figures read each budget, and what newcomers share of it, where it is counted', async () => {
  const { pool } = stage
  const payments = { ...limits, perWallet: 30 }
  const by = { wallet: '0xstranger', from: '192.0.2.1' }
  await createRegistrationBudget(pool, limits, isProven).take({ ...by, network: 'localnet' })
  await createPaymentBudget(pool, payments, isProven).take(by, 1)
  const refusal = (who: string): string => who
  await createDayBudget(pool, { budget: 'reports', limits: reportsPerDay, refusal }, isProven).take(by)
  await createDayBudget(pool, { budget: 'pictures', limits: picturesPerDay, refusal }, isProven).take(by)
  const told = await createBudgetsToday(pool, { registrations: limits, payments })()
  expect(Object.fromEntries(told.map(({ budget, used }) => [budget, used]))).toEqual({
    registrations: 1,
    registrations_of_newcomers: 1,
    payments: 1,
    payments_of_newcomers: 1,
    reports: 1,
    reports_of_newcomers: 1,
    pictures: 1,
    pictures_of_newcomers: 1,
    tools: 0,
    tools_of_newcomers: 0,
    portfolio_pictures: 0,
  })
})

test.each([
  ['a /24', (index: number) => `203.0.113.${String(index % 250)}`, 75],
  ['a /16', (index: number) => `203.0.${String(index % 250)}.1`, 150],
  ['a /48 of IPv6', (index: number) => `2001:db8:7:${(index % 999).toString(16)}`, 75],
  ['a /32 of IPv6', (index: number) => `2001:db8:${(index % 999).toString(16)}:1`, 150],
])('a crowd out of %s leaves room for everybody else', async (_network, from, most) => {
  const budget = createRegistrationBudget(stage.pool, limits, isProven)
  const spent = await Promise.all(strangers(1_000, from).map((one) => budget.take(one)))
  expect(spent.filter((one) => one === null)).toHaveLength(most)
  expect(spent.find((one) => one !== null)?.by).toBe('network')
  expect(await budget.take({ wallet: '0xhonest', network: 'localnet', from: '250.1.1.1' })).toBeNull()
})

test('while little is left an address that had a few waits, and one that had none does not', () => {
  const shares = { ofAddress: 90, inAll: 800 }
  const ask = (from: string): DayAsk => ({
    counts: [
      { by: 'address', counted: from, amount: 1, limit: 90, ...fewOf(shares) },
      ...newcomerCounts({ what: 'acts', from, amount: 1, limits: shares }),
    ],
  })
  const share = newcomerShares(shares)?.inAll ?? 0
  const before = (used: number) =>
    new Map([
      ['acts of newcomers', used],
      ['10.0.0.1', 3],
    ])
  const by = (used: number, passed: number) =>
    shareOut([ask('10.0.0.1'), ask('10.0.0.2')], before(used), passed).spent.map((over) => over?.count.by ?? null)
  expect(share).toBe(600)
  // Half a day has dealt out 400.
  expect(by(199, 0.5)).toEqual([null, null])
  expect(by(201, 0.5)).toEqual(['address', null])
  expect(by(400, 0.5)).toEqual(['address', 'newcomers'])
  expect(by(400, 0.75)).toEqual(['address', null])
})

test('payments of those who have paid before go on when strangers have begun as many as they may', async () => {
  const budget = createPaymentBudget(stage.pool, { perWallet: 30, ...limits }, isProven)
  const begin = (wallet: string, from: string) =>
    budget.take({ wallet, from }, 1).then(
      () => null,
      (error: unknown) => (error as { readonly code: unknown }).code,
    )
  const codes = await Promise.all(strangers(2_000, scattered).map(({ wallet, from }) => begin(wallet, from)))
  expect(new Set(codes)).toEqual(new Set([null, 'GAS_BUDGET_SPENT']))
  expect(await begin('0xhonest', '250.1.1.1')).toBe('GAS_BUDGET_SPENT')
  expect(await begin(proven, '250.1.1.1')).toBeNull()
})

test('tools of one network leave room for those of others', async () => {
  const oauth = createOAuthStore(stage.pool)
  await stage.pool.query(`insert into registration_counts (day, counted, used)
    values ((now() at time zone 'utc')::date, 'oauth clients of newcomers', 1500)`)
  const register = (index: number, from: string) =>
    oauth.putClient({ id: `t${String(index)} ${from}`, name: 't', redirectUris: [], createdAt: new Date() }, from)
  const many: boolean[] = []
  for (let index = 0; index < 20; index += 1) many.push(await register(index, '2001:db8:1:1'))
  expect(many.filter(Boolean).length).toBeGreaterThanOrEqual(3)
  expect(await register(0, '203.0.113.9')).toBe(true)
})

test('strangers who ask for confirmations leave a quarter of the hour to those who have paid for work', async () => {
  const ofHour = { perWallet: 9, perMailbox: 9, perHour: 80 }
  const limits = { confirmation: ofHour, notice: ofHour }
  const budget = createMailBudget(stage.pool, { key: new Uint8Array(32), limits, now: () => new Date() }, isProven)
  const ask = (wallet: string) => budget.take('confirmation', { wallet, address: `${wallet}@mail.example` })
  const waits = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(`0xm${String(index)}`)))
  expect(waits.filter((wait) => wait === null)).toHaveLength(60)
  expect(Math.max(...waits.map((wait) => wait ?? 0))).toBeLessThanOrEqual(3_600_000)
  expect(await ask(proven)).toBeNull()
})

test('a wallet is proven by work that was paid and began yesterday, on either side', async () => {
  const { task } = await stage.market.publish(publisher, gateTask({}))
  const asked = () => createIsProven(stage.pool)(publisher.wallet)
  const set = (change: string) => stage.pool.query(`update tasks set ${change} where id = $1`, [task.id])
  expect(await asked()).toBe(false)
  await set("created_at = now() - interval '2 days'")
  expect(await asked()).toBe(false)
  await set("status = 'completed', created_at = now()")
  expect(await asked()).toBe(false)
  await set("created_at = now() - interval '2 days'")
  expect(await asked()).toBe(true)
  const worker = `insert into workers (id, wallet, party, tasks_completed, created_at)
    values (gen_random_uuid(), '0xworks', 'agent', 1, now()) returning id`
  const [row] = (await stage.pool.query<{ id: string }>(worker)).rows
  expect(await createIsProven(stage.pool)('0xworks')).toBe(false)
  await stage.pool.query('update tasks set executor_id = $2 where id = $1', [task.id, row?.id])
  expect(await createIsProven(stage.pool)('0xworks')).toBe(true)
})
