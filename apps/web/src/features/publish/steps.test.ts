import { expect, test } from 'vitest'
import { faultsUpTo, firstToMend, stepNamed } from './steps.ts'

const faults = {
  bounty_usd: { rule: 'required' },
  'evidence_required.0': { rule: 'not_listed' },
  lat: { rule: 'no_number' },
} as const

test('a step is held up by what it and those before it ask for, and by nothing that comes later', () => {
  expect(faultsUpTo('what', faults)).toEqual({})
  expect(Object.keys(faultsUpTo('proof', faults))).toEqual(['evidence_required.0', 'lat'])
  expect(faultsUpTo('money', faults)).toEqual(faults)
})

test('what is wrong first is shown first; a field of no step is shown at the end', () => {
  expect(firstToMend(faults)).toBe('proof')
  expect(firstToMend({ bounty_usd: { rule: 'too_small' } })).toBe('money')
  expect(firstToMend({ insist: { rule: 'malformed' } })).toBe('check')
  expect(firstToMend({})).toBeUndefined()
})

test('an address that names no step begins at the first', () => {
  expect([undefined, '', 'money', 'else'].map(stepNamed)).toEqual(['what', 'what', 'money', 'what'])
})
