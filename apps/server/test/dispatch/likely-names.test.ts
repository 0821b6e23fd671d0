import { expect, test } from 'vitest'
import { likelyNames } from '../../src/dispatch/likely-names.ts'

const known = ['title', 'instructions', 'category', 'bounty_usd', 'deadline_hours', 'evidence_required', 'limit']

test.each([
  ['bounty', 'bounty_usd'],
  ['bountyUsd', 'bounty_usd'],
  ['titel', 'title'],
  ['task_title', 'title'],
  ['deadline', 'deadline_hours'],
  ['instruction', 'instructions'],
  ['evidenceTypes', 'evidence_required'],
  ['Limit', 'limit'],
])('UNKNOWN_FIELD: %s was probably meant to be %s', (given, meant) => {
  expect(likelyNames([given], known)).toEqual([meant])
})

test('a name like none of them means none of them, and a long one costs little', () => {
  expect(likelyNames(['zzz', 'x'.repeat(100_000)], known)).toEqual([])
})
