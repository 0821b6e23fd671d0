import { categories, evidenceTypes, targets, taskStatuses } from '@ergon/contract'
import { expect, test } from 'vitest'
import { wordMessages } from './words.ts'

test('every word of the closed lists that a screen shows has one for readers', () => {
  const words = Object.entries({
    category: categories,
    evidence: evidenceTypes,
    status: taskStatuses,
    party: targets,
  }).flatMap(([list, members]) => members.map((word) => `${list}.${word}`))
  expect(Object.keys(wordMessages.en)).toEqual(expect.arrayContaining(words))
})
