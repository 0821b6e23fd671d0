import { expect, test } from 'vitest'
import { toldOf } from './told-of.ts'

test.each([
  ['config.set', { value: null }, { value: 40 }, { says: 'config', from: null, to: 40 }],
  [
    'task.force',
    { status: 'submitted', escrow_status: 'locked' },
    { status: 'cancelled', refund: true },
    { says: 'forceRefund', from: 'submitted', to: 'cancelled' },
  ],
  [
    'task.force',
    { status: 'published', escrow_status: 'none' },
    { status: 'cancelled', refund: false },
    { says: 'force', from: 'published', to: 'cancelled' },
  ],
  ['task.elapse', { deadline: '2026-01-01' }, { deadline: '2026-01-01', hours: 2 }, { says: 'elapse', hours: 2 }],
  ['dispute.resolve', { status: 'open' }, { verdict: 'release', split_pct: null }, { says: 'release' }],
  ['dispute.resolve', { status: 'open' }, { verdict: 'split', split_pct: 30 }, { says: 'split', payerPct: 30 }],
  ['report.decide', { state: 'open' }, { state: 'decided' }, undefined],
] as const)('a line of %s from %j to %j is told as a sentence of its own', (action, before, after, told) => {
  expect(toldOf({ action, before, after })).toEqual(told)
})
