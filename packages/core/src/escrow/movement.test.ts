import { describe, expect, test } from 'vitest'
import { isAfter, totalsOf, type MovementKind } from './movement.ts'

const moved = (kind: MovementKind, atomic: bigint) => ({ kind, atomic })

describe('the movements of a payment add up', () => {
  test('nothing moved is nothing', () => {
    expect(totalsOf([])).toEqual({ capturable: 0n, captured: 0n, returned: 0n, refunded: 0n })
  })

  test('what was held and neither paid out nor given back is capturable', () => {
    const held = [moved('authorized', 100n), moved('captured', 30n), moved('voided', 20n)]
    expect(totalsOf(held)).toEqual({ capturable: 50n, captured: 30n, returned: 20n, refunded: 0n })
    expect(totalsOf([...held, moved('reclaimed', 50n), moved('refunded', 7n)])).toEqual({
      capturable: 0n,
      captured: 30n,
      returned: 70n,
      refunded: 7n,
    })
  })

  test('what was charged is paid out and was never held', () => {
    expect(totalsOf([moved('charged', 100n)])).toEqual({ capturable: 0n, captured: 100n, returned: 0n, refunded: 0n })
  })

  test('a payment is collected once: of two that say so, the later one counts', () => {
    expect(totalsOf([moved('authorized', 100n), moved('authorized', 90n)]).capturable).toBe(90n)
  })
})

describe('a log lies after a place when', () => {
  const place = { blockNumber: 7n, logIndex: 3 }
  test.each([
    ['its block is later, whatever its index', { blockNumber: 8n, logIndex: 0 }, true],
    ['its index in the same block is higher', { blockNumber: 7n, logIndex: 4 }, true],
    ['not when it is the log of that place', { blockNumber: 7n, logIndex: 3 }, false],
    ['not when its index in the same block is lower', { blockNumber: 7n, logIndex: 2 }, false],
    ['not when its block is earlier, whatever its index', { blockNumber: 6n, logIndex: 9 }, false],
  ])('%s', (_what, log, expected) => {
    expect(isAfter(log, place)).toBe(expected)
  })

  test('there is no place', () => {
    expect(isAfter({ blockNumber: 0n, logIndex: 0 }, undefined)).toBe(true)
  })
})
