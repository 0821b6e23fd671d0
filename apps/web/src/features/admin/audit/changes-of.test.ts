import { expect, test } from 'vitest'
import { changesOf } from './changes-of.ts'

test('a name that is on both sides is one change, and a side that says nothing is left out', () => {
  expect(
    changesOf({
      before: { status: 'submitted', escrow_status: 'locked' },
      after: { status: 'cancelled', refund: true },
    }),
  ).toEqual([
    { name: 'status', before: 'submitted', after: 'cancelled' },
    { name: 'escrow_status', before: 'locked' },
    { name: 'refund', after: true },
  ])
})

test('what went back to the deployment is null, and not nothing said', () => {
  expect(changesOf({ before: { value: 20 }, after: { value: null } })).toEqual([
    { name: 'value', before: 20, after: null },
  ])
})
