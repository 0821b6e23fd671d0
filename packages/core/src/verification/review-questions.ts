import type { ClosedQuestion } from './review-answer.ts'
import type { Task } from '../tasks/task.ts'

/**
 * The closed questions a reviewer is asked of a submission: each is answered yes, no or unclear, and yes is what a good
 * submission gets.
 */
export function reviewQuestions({ evidenceRequired }: Pick<Task, 'evidenceRequired'>): readonly ClosedQuestion[] {
  const hasPicture = evidenceRequired.some((type) => type === 'photo' || type === 'photo_geo' || type === 'screenshot')
  return [
    { id: 'answers_the_task', text: 'Does the evidence show that what the instructions ask for was done?' },
    { id: 'complete', text: 'Is every part of what the instructions ask for covered by the evidence?' },
    ...(hasPicture
      ? [
          { id: 'shows_the_subject', text: 'Does each picture show what the task is about, clearly enough to judge?' },
          {
            id: 'looks_captured',
            text: 'Do the pictures look captured for this task, rather than taken from a screen, a catalogue or a generator?',
          },
        ]
      : []),
  ]
}
