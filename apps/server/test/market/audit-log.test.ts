import type { RunConfig } from '@ergon/contract'
import { createMarket, type AdminAct, type Market, type Tx } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appliedJob, openStage, publisher, type Stage } from './stage.ts'

const act: AdminAct = { actor: 'ada', reason: 'It was asked for.', requestId: 'request-1' }
const page = { limit: 20, offset: 0, cursor: null }
const wallet = '0x5555555555555555555555555555555555555555'
const defaults: RunConfig = {
  'bounty.min_usd': 0.01,
  'bounty.max_usd': 100,
  'rates.anonymous_per_minute': 60,
  'rates.wallet_per_minute': 600,
  'rates.publish_per_hour': 100,
  'features.services': true,
  'features.h2a': true,
  'disputes.arbiters': '',
  'networks.closed': '',
  'review.enabled': true,
}
let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
})

/** A market whose transactions break at one step. */
function breaking(step: Partial<Tx>): Market {
  const { deps } = stage
  return createMarket({
    ...deps,
    store: { ...deps.store, transaction: (work) => deps.store.transaction((tx) => work({ ...tx, ...step })) },
  })
}
const broken = (): Promise<never> => Promise.reject(new Error('the disk is full'))
const lines = async (): Promise<number> => (await stage.market.auditLines(null, page)).total

describe('the audit log (decision 0057)', () => {
  test('grows and never changes, not even by hand', async () => {
    await stage.market.setBan(wallet, true, act)
    for (const sql of ["update audit_log set reason = 'other'", 'delete from audit_log', 'truncate audit_log'])
      await expect(stage.pool.query(sql)).rejects.toThrow('the audit log only grows')
    expect(await lines()).toBe(1)
    await stage.market.setBan(wallet, false, act)
  })

  test('has no line of a change that did not happen, and no change is without its line', async () => {
    const { taskId } = await appliedJob(stage)
    const before = await lines()
    const acts: readonly (readonly [(market: Market) => Promise<unknown>, Partial<Tx>])[] = [
      [(market) => market.forceTask(taskId, 'cancelled', act), { addEvent: broken }],
      [(market) => market.forceTask(taskId, 'cancelled', act), { addAudit: broken }],
      [(market) => market.setBan(wallet, true, act), { addAudit: broken }],
      [(market) => market.changeRunConfig({ key: 'bounty.max_usd', value: 50, defaults }, act), { addAudit: broken }],
      [
        (market) => market.changeRunConfig({ key: 'bounty.max_usd', value: 50, defaults }, act),
        { putRunChange: broken },
      ],
    ]
    for (const [doing, step] of acts) await expect(doing(breaking(step))).rejects.toThrow('the disk is full')
    expect([
      await lines(),
      (await stage.store.task(taskId))?.status,
      await stage.store.isBanned(wallet),
      await stage.market.runChanges(),
    ]).toEqual([before, 'published', false, {}])
  })

  test('is read by its subject, the latest first, in pages', async () => {
    for (const value of [1, 2, 3])
      await stage.market.changeRunConfig({ key: 'rates.publish_per_hour', value, defaults }, act)
    const first = await stage.market.auditLines('rates.publish_per_hour', { ...page, limit: 2 })
    const rest = await stage.market.auditLines('rates.publish_per_hour', {
      ...page,
      limit: 2,
      cursor: first.nextCursor,
    })
    expect([...first.rows, ...rest.rows].map(({ before, after }) => [before, after])).toEqual([
      [{ value: 2 }, { value: 3 }],
      [{ value: 1 }, { value: 2 }],
      [{ value: null }, { value: 1 }],
    ])
  })
})

describe('a setting of the running service (decision 0058)', () => {
  test('that is in force already is no change; null goes back to what the deployment set', async () => {
    const { market } = stage
    const change = (value: number | null) => market.changeRunConfig({ key: 'bounty.max_usd', value, defaults }, act)
    expect((await change(50))['bounty.max_usd']).toBe(50)
    const before = await lines()
    await change(50)
    expect(await lines()).toBe(before)
    expect((await change(null))['bounty.max_usd']).toBe(100)
    expect((await market.runChanges())['bounty.max_usd']).toBeUndefined()
  })

  test('never crosses another that is changed in the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.allSettled([
        stage.market.changeRunConfig({ key: 'bounty.min_usd', value: 30, defaults }, act),
        stage.market.changeRunConfig({ key: 'bounty.max_usd', value: 20, defaults }, act),
      ])
      const { 'bounty.min_usd': min = 0.01, 'bounty.max_usd': max = 100 } = await stage.market.runChanges()
      expect(min).toBeLessThanOrEqual(max)
      for (const key of ['bounty.min_usd', 'bounty.max_usd'] as const)
        await stage.market.changeRunConfig({ key, value: null, defaults }, act)
    }
  })

  test('bounds the next bounty, and none that was promised', async () => {
    const market = createMarket({
      ...stage.deps,
      settings: { ...stage.deps.settings, bounds: { min: '2', escrowMax: '5', max: '5' } },
    })
    await expect(appliedJob({ ...stage, market }, undefined, '10')).rejects.toMatchObject({
      code: 'INVALID_BOUNTY',
      details: { max: 5 },
    })
    expect((await appliedJob({ ...stage, market }, undefined, '5')).taskId).toBeDefined()
    expect(
      (await stage.market.adminTasks({ status: 'published', search: publisher.wallet }, page)).total,
    ).toBeGreaterThan(1)
  })
})
