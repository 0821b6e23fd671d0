import { describe, expect, test } from 'vitest'
import { chainsBehind, lagOf } from './chain-lag.ts'
import type { Following } from './following.ts'

const now = new Date('2026-11-21T12:00:00Z')
const before = (ms: number): Date => new Date(now.getTime() - ms)
const following = (change: Partial<Following> = {}): Following => ({
  network: 'localnet',
  first: 0n,
  followed: { number: 90n, at: before(20_000) },
  head: { number: 100n, at: now },
  readAt: now,
  ...change,
})

test('a chain lags by the blocks that are left of it, and by their time', () => {
  expect(lagOf(following({ readAt: before(1_000) }))).toEqual({
    network: 'localnet',
    block: 90n,
    lagBlocks: 10n,
    lagSeconds: 20,
    readAt: before(1_000),
    headAt: now,
  })
})

test('a chain that was followed further than its head is seen lags by nothing', () => {
  const ahead = { head: { number: 80n, at: before(60_000) } }
  expect(lagOf(following(ahead))).toMatchObject({ lagBlocks: 0n, lagSeconds: 0 })
})

describe('a chain is behind', () => {
  const minutes = 5 * 60_000
  test.each([
    ['not when it was read five minutes ago', { readAt: before(minutes) }, false],
    ['when nobody read it since', { readAt: before(minutes + 1) }, true],
    ['not by five minutes of its time', { followed: { number: 90n, at: before(minutes) } }, false],
    ['by more of its time', { followed: { number: 90n, at: before(minutes + 1_000) } }, true],
  ] as const)('%s', (_when, change, isBehind) => {
    expect(chainsBehind([following(), following(change)], now)).toHaveLength(isBehind ? 1 : 0)
  })

  test('in words that say how far', () => {
    expect(chainsBehind([following({ readAt: before(minutes + 1) })], now)).toEqual([
      {
        kind: 'behind',
        subject: 'localnet',
        taskId: null,
        settlementId: null,
        network: 'localnet',
        asset: null,
        atomic: null,
        detail: 'followed up to block 90, 10 behind, last read 2026-11-21T11:54:59.999Z',
      },
    ])
  })
})
