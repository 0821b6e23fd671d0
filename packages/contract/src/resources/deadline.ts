import * as Type from 'typebox'
import { id, instant, nullable, open } from '../schema.ts'

/** The deadline of a task, and what is left of putting it off (decision 0237). */
export const taskDeadline = open({
  task_id: id('The task.'),
  deadline: instant('When it ends now.'),
  was: nullable(instant('When it would have ended before it was last extended; null: it never was.')),
  extensions_left: Type.Integer({ description: 'How often its publisher may still extend it.' }),
  latest: nullable(instant('The latest deadline that can be asked for; null: it can be extended no more.')),
  authorization_expires_at: nullable(
    instant(
      'The end of the authorization by which the bounty is locked: it bounds the latest; null: nothing is locked.',
    ),
  ),
})
