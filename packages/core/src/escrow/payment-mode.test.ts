import { paymentModes } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import { modeOfRows } from './payment-mode.ts'

describe.each(paymentModes)('while the deployment is in %s', (deployed) => {
  const held = { escrowStatus: 'released', isMetered: false } as const
  test.each([
    ['paid out of no escrow is fase1', { escrowStatus: 'none', isMetered: false, lastLock: null }, 'fase1'],
    ['paid by the tick is held from the start', { escrowStatus: 'none', isMetered: true, lastLock: null }, 'fase2'],
    ['whose lock asked for the balance is fase2', { ...held, lastLock: 'fase2' }, 'fase2'],
    ['whose lock did not is fase5', { ...held, lastLock: 'fase5' }, 'fase5'],
  ] as const)('a task %s', (_what, rows, mode) => {
    expect(modeOfRows(rows, deployed)).toBe(mode)
  })
})

test.each([
  ['fase1', 'fase5'],
  ['fase2', 'fase2'],
  ['fase5', 'fase5'],
] as const)('a lock that is still to come is one as %s makes them', (deployed, mode) => {
  expect(modeOfRows({ escrowStatus: 'pending_assignment', isMetered: false, lastLock: null }, deployed)).toBe(mode)
})
