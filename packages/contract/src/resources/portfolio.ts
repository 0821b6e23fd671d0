import * as Type from 'typebox'
import { id, instant, nullable, open, score } from '../schema.ts'
import { categories, portfolioStates } from '../vocabulary.ts'

const work = {
  title: Type.String({ description: 'The title of the task.' }),
  category: Type.Enum([...categories]),
  month: Type.String({ description: 'When the work was accepted, as YYYY-MM in UTC; the day is not told.' }),
  score: nullable(score('What its publisher rated it; null while it has not.')),
  pictures: Type.Array(
    Type.String({ description: 'A JPEG without metadata, at most 1,280 pixels a side: a path of this service.' }),
  ),
}

/** A piece of work as everybody sees it on the profile of its worker (decision 0256). */
export const shownWork = open({ id: id('The piece.'), task_id: id('The task.'), ...work })

/** Whether the work of one task may be shown, for its two sides. */
export const portfolioPiece = open({
  task_id: id('The task.'),
  executor_id: nullable(id('The worker of the task.')),
  state: Type.Enum([...portfolioStates], {
    description: 'Only what is `allowed` is on the profile. `declined` is for good; `ended` may be asked again.',
  }),
  may_ask: Type.Boolean({ description: 'Whether the worker can ask now.' }),
  choices: Type.Array(Type.String(), {
    description: 'Keys of the pictures of the accepted evidence; to the worker, while it can ask.',
  }),
  work: nullable(
    open(work, 'What is shown, or would be: links to pictures that are not public yet end after a quarter of an hour.'),
  ),
  asked_at: nullable(instant('When the worker asked.')),
  answered_at: nullable(instant('When the publisher answered.')),
})
