import { limits } from '@ergon/contract'
import type { WalletCaller } from '@ergon/core'
import { done } from '../../dispatch/handlers.ts'
import { presentQuestion } from '../present/question.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

export function recoverQuestions({ market }: RecoveryDeps): RecoveriesOf<'questions'> {
  const shown = async (caller: WalletCaller, taskId: string, made: string | undefined) => {
    if (made === undefined) return null
    const { rows } = await market.questions(caller, taskId, { limit: limits.pageMax, offset: 0, cursor: null })
    const found = rows.find(({ id, answer }) => id === made || answer?.id === made)
    return found === undefined ? null : done(presentQuestion(found))
  }
  return {
    'questions.ask': ({ caller }, { task_id }, { message }) => shown(caller, task_id, message),
    'questions.answer': ({ caller }, { task_id }, { message }) => shown(caller, task_id, message),
  }
}
