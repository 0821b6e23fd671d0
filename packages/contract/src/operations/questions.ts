import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { question } from '../resources/question.ts'
import { closed, id, open, page, paging, text } from '../schema.ts'
import { limits } from '../vocabulary.ts'

const section = 'tasks'
const task_id = id('The task.')
const path = '/api/v1/tasks/{task_id}/questions'
const said = (description: string) => text(description, 1, limits.questionMax)

export const questions = {
  'questions.list': operation({
    section,
    summary: 'What was asked about a task in public, with the answers of its publisher, newest first.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({ task_id, ...paging }),
    output: open({ questions: Type.Array(question), ...page }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED'],
    rest: [{ method: 'GET', path }],
  }),
  'questions.ask': operation({
    section,
    summary: 'Ask the publisher of an open task something before applying; everybody reads it.',
    access: { by: 'wallet', scope: 'worker:apply', unsigned: 401, session: true },
    sameWordsAnew: true,
    input: closed({ task_id, text: said('Plain text; five questions of one worker a task.') }),
    output: question,
    success: 201,
    resend: 'recovered',
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'TASK_NOT_OPEN', 'FORBIDDEN', 'PARTY_BLOCKED', 'SESSION_NOT_FOR_PARTY'],
    rest: [{ method: 'POST', path }],
  }),
  'questions.answer': operation({
    section,
    summary: 'Answer a question about a task of yours, once; everybody reads it.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({ task_id, question_id: id('The question.'), text: said('Plain text.') }),
    output: question,
    success: 201,
    resend: 'recovered',
    errors: ['TASK_NOT_FOUND', 'TASK_NOT_OPEN', 'FORBIDDEN'],
    rest: [{ method: 'POST', path: `${path}/{question_id}/answer` }],
  }),
}
