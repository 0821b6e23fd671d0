import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { message } from '../resources/message.ts'
import { closed, id, open, page, paging, text } from '../schema.ts'
import { limits } from '../vocabulary.ts'

const section = 'tasks'
const task_id = id('The task.')
const path = '/api/v1/tasks/{task_id}/messages'

export const messages = {
  'messages.list': operation({
    section,
    summary:
      'What publisher and worker of a task wrote to one another, newest first. Of a disputed task whoever may rule ' +
      'reads it too, and leaves a line in the audit log.',
    access: { by: 'wallet', scope: 'task:read', unsigned: 403, admin: true, session: true },
    input: closed({ task_id, ...paging }),
    output: open({ messages: Type.Array(message), ...page }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path }],
  }),
  'messages.send': operation({
    section,
    summary:
      'Write to the other side of a task, from its assignment to its end. It is never changed, and part of the ' +
      'evidence of a dispute.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    sameWordsAnew: true,
    input: closed({
      task_id,
      text: text('Plain text; 200 messages a thread.', 1, limits.messageMax),
    }),
    output: message,
    success: 201,
    resend: 'recovered',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_OPEN'],
    rest: [{ method: 'POST', path }],
  }),
}
