import type { AdminCaller, WalletCaller } from '../caller.ts'
import { sideOf } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import { dayBefore, requireRoomForMessage, takesMessages, type Message } from '../messages/message.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Task } from '../tasks/task.ts'
import { arbiterRead } from './arbiter-read.ts'
import { auditLine } from './audit.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, existingWorker } from './read.ts'

/** One side of a task writes to the other, from the assignment to the end (decision 0232). */
export async function sendMessage(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  text: string,
): Promise<Message> {
  const task = await existingTask(deps, taskId)
  const worker = task.executorId === null ? null : await existingWorker(deps, task.executorId)
  const side = sideOf({ publisherWallet: task.publisherWallet, workerWallet: worker?.wallet ?? '' }, caller.wallet)
  if (side === null) throw new MarketError('FORBIDDEN', { task_id: taskId })
  return deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(taskId)
    if (current === null || worker === null || current.executorId !== worker.id || !takesMessages(current))
      throw closed(current ?? task)
    const now = deps.clock.now()
    const message: Message = {
      id: deps.ids.next(),
      taskId,
      audience: 'parties',
      executorId: worker.id,
      side,
      author: caller.wallet,
      text,
      answers: null,
      createdAt: now,
    }
    requireRoomForMessage(await tx.said(message, dayBefore(now)), taskId, now)
    await tx.insertMessage(message)
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'message.sent',
      taskId,
      at: now,
      data: { task_id: taskId, message_id: message.id, executor_id: worker.id, by: side },
    })
    return message
  })
}

const closed = ({ id, status }: Pick<Task, 'id' | 'status'>): MarketError =>
  new MarketError(
    'TASK_NOT_OPEN',
    { task_id: id, status },
    { message: 'The two sides of a task write to one another from its assignment to its end.' },
  )

/**
 * What the two sides wrote, newest first: the publisher reads every thread, a worker its own, also after it stepped
 * down; of a disputed task whoever may rule reads all, and leaves a line.
 */
export async function messages(
  deps: MarketDeps,
  caller: WalletCaller | AdminCaller,
  taskId: string,
  page: PageRequest,
  requestId = '',
): Promise<Page<Message>> {
  const task = await existingTask(deps, taskId)
  const read = (executorId: string | null): Promise<Page<Message>> =>
    deps.store.messages({ taskId, audience: 'parties', executorId }, page)
  if (caller.kind === 'wallet') {
    if (task.publisherWallet === caller.wallet) return read(null)
    const worker = await deps.store.workerByWallet(caller.wallet)
    const own = worker === null ? null : await read(worker.id)
    if (own !== null && (own.total > 0 || worker?.id === task.executorId)) return own
  }
  await rulerRead(deps, caller, taskId, requestId)
  return read(null)
}

/** @throws FORBIDDEN to whoever may not rule on a dispute of the task */
async function rulerRead(
  deps: MarketDeps,
  caller: WalletCaller | AdminCaller,
  taskId: string,
  requestId: string,
): Promise<void> {
  const { rows } = await deps.store.disputes(
    { status: null, taskId, wallet: null },
    { limit: 1, offset: 0, cursor: null },
  )
  const [dispute] = rows
  if (dispute === undefined) throw new MarketError('FORBIDDEN', { task_id: taskId })
  if (caller.kind === 'wallet') return arbiterRead(deps, caller, dispute, 'messages')
  const act = { actor: 'admin', reason: 'the operator reads the messages', requestId }
  await deps.store.transaction((tx) =>
    tx.addAudit(auditLine(deps, act, 'dispute.read', dispute.id, {}, { what: 'messages', task_id: taskId })),
  )
}
