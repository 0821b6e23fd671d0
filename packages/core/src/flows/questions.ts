import type { Caller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { dayBefore, type Message } from '../messages/message.ts'
import { requireRoomForQuestion, takesQuestions, type Question } from '../messages/question.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Tx } from '../ports/store.ts'
import type { Task } from '../tasks/task.ts'
import { requireNotOrdered } from './apply.ts'
import type { MarketDeps } from './deps.ts'
import { requireNotApart } from './keep-apart.ts'
import { existingTask, ownTask, requireVisible } from './read.ts'
import { workerBehind } from './register-worker.ts'

/** Whoever may see a task that is open asks in public, before it applies (decision 0233). */
export async function askQuestion(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  text: string,
): Promise<Question> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  if (task.publisherWallet === caller.wallet) throw new MarketError('FORBIDDEN', { task_id: taskId })
  requireOpen(task, deps.clock.now())
  const worker = await workerBehind(deps, caller, deps.clock.now())
  await requireNotApart(deps, task.publisherWallet, worker.wallet)
  return deps.store.transaction(async (tx) => {
    const now = deps.clock.now()
    await lockOpen(tx, task, now)
    await requireNotOrdered(tx, task, worker)
    const question: Message = {
      id: deps.ids.next(),
      taskId,
      audience: 'public',
      executorId: worker.id,
      side: 'worker',
      author: caller.wallet,
      text,
      answers: null,
      createdAt: now,
    }
    requireRoomForQuestion(await tx.asked(question, dayBefore(now)), taskId, now)
    await tx.insertMessage(question)
    await tell(deps, tx, 'question.asked', question, now)
    return { ...question, answer: null }
  })
}

/** The publisher answers a question of its task, once. */
export async function answerQuestion(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  { questionId, text }: { readonly questionId: string; readonly text: string },
): Promise<Question> {
  const task = await ownTask(deps, caller, taskId)
  return deps.store.transaction(async (tx) => {
    const now = deps.clock.now()
    await lockOpen(tx, task, now)
    const question = await tx.question(taskId, questionId)
    if (question === null || question.answer !== null)
      throw new MarketError('VALIDATION_FAILED', {
        field: 'question_id',
        constraint: 'a question of this task that has no answer yet',
        received: questionId,
      })
    const answer: Message = {
      ...question,
      id: deps.ids.next(),
      side: 'publisher',
      author: caller.wallet,
      text,
      answers: question.id,
      createdAt: now,
    }
    await tx.insertMessage(answer)
    await tell(deps, tx, 'question.answered', question, now)
    return { ...question, answer }
  })
}

/** What was asked and answered, newest first, for whoever may see the task. */
export async function questions(
  deps: MarketDeps,
  caller: Caller,
  taskId: string,
  page: PageRequest,
): Promise<Page<Question>> {
  await requireVisible(deps, caller, await existingTask(deps, taskId))
  return deps.store.questions(taskId, page)
}

async function lockOpen(tx: Tx, { id }: Task, now: Date): Promise<void> {
  const task = await tx.lockTask(id)
  if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: id })
  requireOpen(task, now)
}

function requireOpen(task: Task, now: Date): void {
  if (!takesQuestions(task, now))
    throw new MarketError(
      'TASK_NOT_OPEN',
      { task_id: task.id, status: task.status },
      { message: 'Questions are asked and answered while a task is open for applications.' },
    )
}

async function tell(
  { ids }: MarketDeps,
  tx: Tx,
  type: 'question.asked' | 'question.answered',
  { id, taskId, executorId }: Message,
  at: Date,
): Promise<void> {
  const data = { task_id: taskId, question_id: id, executor_id: executorId }
  await tx.addEvent({ id: ids.next(), type, taskId, at, data })
}
