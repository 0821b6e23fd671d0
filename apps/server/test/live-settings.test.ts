import type { RunConfig } from '@ergon/contract'
import type { AdminStore } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import { startLiveSettings } from '../src/live/live-settings.ts'
import { eventually } from './adapters/rig.ts'

const wallet = '0x1111111111111111111111111111111111111111'
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

/** What processes share, with a database that can be away. */
function createRows() {
  const rows = { version: 0n, banned: [] as string[], changes: {} as Record<string, unknown>, isAway: false, reads: 0 }
  const asked = async <T>(answer: () => T): Promise<T> =>
    rows.isAway ? Promise.reject(new Error('away')) : Promise.resolve(answer())
  const store: Pick<AdminStore, 'adminVersion' | 'bannedWallets' | 'runChanges'> = {
    adminVersion: () => asked(() => rows.version),
    bannedWallets: () =>
      asked(() => {
        rows.reads += 1
        return rows.banned
      }),
    runChanges: () => asked(() => rows.changes),
  }
  return { rows, store }
}

describe('what a process has in mind (decision 0057, 0058)', () => {
  test('is read again when the version moved, and only then', async () => {
    const { rows, store } = createRows()
    await using live = await startLiveSettings({ store, defaults, onError: () => undefined, intervalMs: 5 })
    expect([live.isBanned(wallet), live.isOff('services'), rows.reads]).toEqual([false, false, 1])
    Object.assign(rows, {
      version: 1n,
      banned: [wallet],
      changes: { 'features.services': false, 'rates.wallet_per_minute': 7 },
    })
    await eventually(() => Promise.resolve(live.isBanned(wallet)), Boolean)
    expect([
      live.isOff('services'),
      live.isOff('h2a'),
      live.isOff('tasks'),
      live.rates.walletPerMinute,
      live.rates.anonymousPerMinute,
      rows.reads,
    ]).toEqual([true, false, false, 7, 60, 2])
  })

  test('stays as it was while the database is away, and is caught up with when it is back', async () => {
    const { rows, store } = createRows()
    Object.assign(rows, { banned: [wallet] })
    const errors: unknown[] = []
    await using live = await startLiveSettings({
      store,
      defaults,
      onError: (error) => {
        errors.push(error)
      },
      intervalMs: 5,
    })
    rows.isAway = true
    await eventually(
      () => Promise.resolve(errors.length),
      (count) => count > 2,
    )
    expect(live.isBanned(wallet)).toBe(true)
    await expect(live.refresh()).rejects.toThrow('away')
    Object.assign(rows, { isAway: false, version: 1n, banned: [] })
    expect(
      await eventually(
        () => Promise.resolve(live.isBanned(wallet)),
        (isBanned) => !isBanned,
      ),
    ).toBe(false)
  })

  test('is never guessed: a process that cannot read it does not start', async () => {
    const { rows, store } = createRows()
    rows.isAway = true
    await expect(startLiveSettings({ store, defaults, onError: () => undefined })).rejects.toThrow('away')
  })

  test('refreshed, it holds all that was committed before, whatever is under way', async () => {
    const { rows, store } = createRows()
    await using live = await startLiveSettings({ store, defaults, onError: () => undefined, intervalMs: 60_000 })
    const early = live.refresh()
    Object.assign(rows, { version: 1n, banned: [wallet] })
    await Promise.all([early, live.refresh()])
    expect(live.isBanned(wallet)).toBe(true)
  })

  test('yields to what the deployment is set to now, and passes over what it does not know', async () => {
    const { rows, store } = createRows()
    const errors: unknown[] = []
    Object.assign(rows, {
      changes: { 'bounty.max_usd': 5_000, 'rates.publish_per_hour': 9, 'features.teleport': true },
    })
    await using live = await startLiveSettings({
      store,
      defaults,
      onError: (error) => {
        errors.push(error)
      },
    })
    expect([live.config(), errors.length]).toEqual([{ ...defaults, 'rates.publish_per_hour': 9 }, 1])
  })
})
