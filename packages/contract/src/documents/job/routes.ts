import { executorOtherwise, executorSteps } from './executor-steps.ts'
import { openingSteps } from './opening-steps.ts'
import { publisherOtherwise, publisherSteps } from './publisher-steps.ts'
import type { Route, Step } from './step.ts'

const namesOf = (steps: readonly Step[]): readonly string[] => steps.map(({ name }) => name)
const until = (names: readonly string[], last: string): readonly string[] => names.slice(0, names.indexOf(last) + 1)

const opening = namesOf(openingSteps)
const publisher = [...opening, ...namesOf(publisherSteps)]
const executor = [...opening, ...namesOf(executorSteps)]

/** Every step, in the order in which it is printed. */
export const steps: readonly Step[] = [
  ...openingSteps,
  ...publisherSteps,
  ...publisherOtherwise,
  ...executorSteps,
  ...executorOtherwise,
]

/** The ways a job goes; each is played by a test, from the printed file alone. */
export const routes: readonly Route[] = [
  { name: 'paid', what: 'The work is good.', publisher, executor },
  {
    name: 'changed',
    what: 'The publisher asks for changes once.',
    publisher: [...until(publisher, 'work'), 'ask-again', ...publisher.slice(publisher.indexOf('handed-in'))],
    executor: [...until(executor, 'hand-in'), 'asked-again', ...executor.slice(executor.indexOf('upload-link'))],
  },
  {
    name: 'rejected',
    what: 'The publisher rejects, and both wait for the operator.',
    publisher: [...until(publisher, 'work'), 'reject'],
    executor: [...until(executor, 'hand-in'), 'rejected', 'disputes', 'statement'],
  },
  {
    name: 'stepped-down',
    what: 'The executor cannot do it, and the publisher does not look for another.',
    publisher: [...until(publisher, 'lock'), 'reopened', 'cancel', 'refunded'],
    executor: [...until(executor, 'chosen'), 'step-down'],
  },
]
