import { expect, test } from 'vitest'
import { reviewQuestions } from './review-questions.ts'

const always = [
  { id: 'answers_the_task', text: 'Does the evidence show that what the instructions ask for was done?' },
  { id: 'complete', text: 'Is every part of what the instructions ask for covered by the evidence?' },
]
const ofPictures = [
  { id: 'shows_the_subject', text: 'Does each picture show what the task is about, clearly enough to judge?' },
  {
    id: 'looks_captured',
    text: 'Do the pictures look captured for this task, rather than taken from a screen, a catalogue or a generator?',
  },
]

test('a reviewer is asked two questions of any work', () => {
  expect(reviewQuestions({ evidenceRequired: ['text_response', 'document'] })).toEqual(always)
})

test.each(['photo', 'photo_geo', 'screenshot'] as const)('and two more where a %s is required', (type) => {
  expect(reviewQuestions({ evidenceRequired: ['text_response', type] })).toEqual([...always, ...ofPictures])
})
