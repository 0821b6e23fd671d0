import { evidenceTypes } from '@ergon/contract'
import { expect, test } from 'vitest'
import { checksOf } from './checks-of.ts'

test.each([
  [['text_response'], false, ['form', 'review', 'person']],
  [['gps'], false, ['form', 'moves', 'time', 'review', 'person']],
  [['gps'], true, ['form', 'place', 'moves', 'time', 'review', 'person']],
  [['photo'], true, ['form', 'time', 'new', 'camera', 'review', 'person']],
  [['receipt'], false, ['form', 'new', 'review', 'person']],
] as const)('of %o, with a place: %s, is looked at: %o', (evidence, hasArea, checks) => {
  expect(checksOf(evidence, hasArea)).toEqual(checks)
})

test('whatever is asked, the form is checked first and a person decides last', () => {
  for (const type of evidenceTypes) {
    const checks = checksOf([type], true)
    expect([checks[0], checks.at(-1)]).toEqual(['form', 'person'])
  }
})
