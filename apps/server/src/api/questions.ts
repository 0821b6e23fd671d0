import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { pageFields, pageRequest } from './present/page.ts'
import { presentQuestion } from './present/question.ts'

export function createQuestionHandlers({ market }: ApiDeps): HandlersOf<'questions'> {
  return {
    'questions.list': async ({ caller }, { task_id, ...paging }) => {
      const found = await market.questions(caller, task_id, pageRequest(paging))
      return done({ questions: found.rows.map(presentQuestion), ...pageFields(found) })
    },
    'questions.ask': async ({ caller }, { task_id, text }) =>
      done(presentQuestion(await market.askQuestion(caller, task_id, text))),
    'questions.answer': async ({ caller }, { task_id, question_id, text }) =>
      done(presentQuestion(await market.answerQuestion(caller, task_id, { questionId: question_id, text }))),
  }
}
