import { expect, test } from 'vitest'
import { capLeftOf, isOpen } from './cap-words.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const until = '2026-11-23T12:10:00Z'
const approvals = { max_usd: 5, max_count: 3, left: 2, until }

test.each([
  ['what is left, and until when', 'live', approvals, { kind: 'left', left: 2, of: 3, maxUsd: 5, until }],
  ['that all is used', 'live', { ...approvals, left: 0 }, { kind: 'spent', of: 3 }],
  [
    'that its time is over, however much is left',
    'live',
    { ...approvals, until: '2026-11-23T12:00:00Z' },
    { kind: 'over' },
  ],
  ['that it is over with the grant', 'revoked', approvals, { kind: 'over' }],
  [
    'what waits to be fetched',
    'waiting',
    { ...approvals, left: 3, until: null },
    { kind: 'waiting', left: 3, maxUsd: 5 },
  ],
  ['nothing where nothing may be released', 'live', null, undefined],
] as const)('the caps say %s', (_what, state, given, expected) => {
  expect(capLeftOf({ state, approvals: given }, now)).toEqual(expected)
})

test('what is over is not taken back again', () => {
  expect((['live', 'waiting', 'unused', 'expired', 'revoked'] as const).filter((state) => isOpen({ state }))).toEqual([
    'live',
    'waiting',
  ])
})
