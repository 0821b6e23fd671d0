import { done } from '../../dispatch/handlers.ts'
import { presentDeadline } from '../present/deadline.ts'
import { answerAssignment, answerCancellation, answerWithdrawal } from '../present/task.ts'
import { presentApplied, presentHandedIn } from '../present/work.ts'
import { approved, rejected } from './decided.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

/** What moves money is answered by where the money is: a second run would be refused because of the first. */
export function recoverTasks(deps: RecoveryDeps): RecoveriesOf<'tasks'> {
  const { market } = deps
  return {
    'tasks.apply': async ({ caller }, { task_id: taskId }, { application: id, executor: executorId }) => {
      if (id === undefined || executorId === undefined) return null
      const task = await market.readTask(caller, taskId)
      return done(
        presentApplied({ id, taskId, executorId, status: task.executorId === executorId ? 'accepted' : 'pending' }),
      )
    },
    'tasks.submit': async ({ caller }, input, { submission }) => {
      if (submission === undefined) return null
      const handedIn = await market.readSubmission(caller, submission)
      return done(presentHandedIn(handedIn, await market.readTask(caller, input.task_id)))
    },
    'tasks.assign': async ({ caller }, input) => {
      const task = await market.readTask(caller, input.task_id)
      const isUnderWay = task.status === 'assigning'
      if (!isUnderWay && task.executorId !== input.executor_id) return null
      const { id: executorId, wallet: workerWallet } = await market.readWorker(input.executor_id)
      return answerAssignment({ state: isUnderWay ? 'assigning' : 'accepted', task, executorId, workerWallet })
    },
    'tasks.approve': async ({ caller }, input) =>
      approved(deps, caller, await market.currentSubmission(input.task_id), input.rating),
    'tasks.reject': ({ caller }, _input, created) => rejected(deps, caller, created),
    'tasks.cancel': async ({ caller }, input) => {
      const { id: taskId, status, refundTx, escrowStatus } = await market.readTask(caller, input.task_id)
      if (escrowStatus === 'refunding') return answerCancellation({ state: 'cancelling', taskId, status, refundTx })
      return status === 'cancelled' ? answerCancellation({ state: 'cancelled', taskId, status, refundTx }) : null
    },
    'tasks.extend': async ({ caller }, { task_id }, { extension }) =>
      extension === undefined ? null : done(presentDeadline(await market.taskDeadline(caller, task_id))),
    'tasks.withdraw': async ({ caller }, input) => {
      const { id: taskId, status, refundTx, ...task } = await market.readTask(caller, input.task_id)
      if (task.escrowStatus === 'refunding') return answerWithdrawal({ state: 'withdrawing', taskId, status, refundTx })
      // The handler is for whoever works on the task; a worker who stepped down is nobody to it.
      return task.executorId === null ? answerWithdrawal({ state: 'withdrawn', taskId, status, refundTx }) : null
    },
  }
}
