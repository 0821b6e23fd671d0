import * as Type from 'typebox'
import { changeOfOwn, operation, readOfOwn } from '../operation.ts'
import { portfolioPiece, shownWork } from '../resources/portfolio.ts'
import { closed, id, open, page, paging } from '../schema.ts'
import { limits } from '../vocabulary.ts'

const section = 'workers'
const task_id = id('The task.')
const path = '/api/v1/tasks/{task_id}/portfolio'
/** Task, worker and file, as every key of evidence names them. */
const keyPattern = '^[0-9a-f-]{36}/[0-9a-f-]{36}/[0-9a-f-]{36,64}\\.[a-z0-9]{1,5}$'

export const portfolio = {
  'portfolio.list': operation({
    section,
    summary: 'Work of a worker that its publishers allowed it to show, newest first.',
    access: { by: 'anyone', session: true },
    input: closed({ executor_id: id('The worker.'), ...paging }),
    output: open({ works: Type.Array(shownWork), ...page }),
    success: 200,
    errors: ['WORKER_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/workers/{executor_id}/portfolio' }],
  }),
  'portfolio.read': operation({
    section,
    summary: 'Whether the work of a task may be shown on the profile of its worker; for its two sides.',
    access: readOfOwn,
    input: closed({ task_id }),
    output: portfolioPiece,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path }],
  }),
  'portfolio.ask': operation({
    section,
    summary:
      'Ask the publisher of a completed task whether its work may be shown on your profile, with up to four pictures ' +
      'of the accepted evidence. Nothing is shown before it allows that; asking again meanwhile changes nothing.',
    access: changeOfOwn,
    sameWordsAnew: true,
    input: closed({
      task_id,
      pictures: Type.Array(Type.String({ pattern: keyPattern, maxLength: 150 }), {
        maxItems: limits.portfolioPictures,
        uniqueItems: true,
        description: 'Keys of pictures, from `choices`; what is shown is made of them, without metadata.',
      }),
    }),
    output: portfolioPiece,
    success: 200,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'PARTY_BLOCKED', 'PORTFOLIO_NOT_OPEN'],
    rest: [{ method: 'PUT', path }],
  }),
  'portfolio.answer': operation({
    section,
    summary: 'Allow the worker to show the work of your task on its profile, or decline, which is for good.',
    access: changeOfOwn,
    sameWordsAnew: true,
    input: closed({ task_id, allow: Type.Boolean({ description: 'False: declined.' }) }),
    output: portfolioPiece,
    success: 200,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'PORTFOLIO_NOT_OPEN'],
    rest: [{ method: 'POST', path: `${path}/answer` }],
  }),
  'portfolio.takeBack': operation({
    section,
    summary:
      'Take the work of a task off the profile, or an ask back, as either side and at any time. Taken back by its ' +
      'publisher it is declined; if it is gone already, that is no error.',
    access: changeOfOwn,
    sameWordsAnew: true,
    input: closed({ task_id }),
    output: portfolioPiece,
    success: 200,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'DELETE', path }],
  }),
}
