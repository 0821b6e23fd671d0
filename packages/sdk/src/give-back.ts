import type { ErrorCode } from '@ergon/contract'
import { poll, sent, settlementFailure } from './await-settlement.ts'
import type { Input, OperationsClient, Output } from './client.ts'
import { railOf } from './rail.ts'
import type { Answer } from './transport.ts'

type Task = Output<'tasks.get'>
type Withdrawal = Output<'tasks.withdraw'>
type Refund = Output<'escrow.refund'>

/** A call that gives held money back, and how the task shows that it has. */
type Return<T> = {
  readonly taskId: string
  readonly subject: string
  readonly call: () => Promise<Answer<T>>
  /** Undefined while, or unless, it has been done. */
  readonly done: (task: Task) => T | undefined
}

/** Cancels a task, and waits until what was held is back. @throws SettlementPending */
export function cancelTask(client: OperationsClient, input: Input<'tasks.cancel'>): Promise<Output<'tasks.cancel'>> {
  return giveBack(client, {
    taskId: input.task_id,
    subject: `the refund of task ${input.task_id}`,
    call: () => railOf(client).cancel(input),
    done: ({ id, status, refund_tx }) => (status === 'cancelled' ? { id, status, refund_tx } : undefined),
  })
}

/** Steps down from a task as its worker, and waits until what was held is back. @throws SettlementPending */
export function withdrawFromTask(client: OperationsClient, input: Input<'tasks.withdraw'>): Promise<Withdrawal> {
  return giveBack(client, {
    taskId: input.task_id,
    subject: `the refund of task ${input.task_id}`,
    call: () => client.call('tasks.withdraw', input),
    done({ id, status, executor_id, refund_tx }) {
      return executor_id === null ? { task_id: id, status, state: 'withdrawn', refund_tx } : undefined
    },
  })
}

/** Asks for the money that a task which is over still holds, and waits until it is back. @throws SettlementPending */
export function refundEscrow(client: OperationsClient, input: Input<'escrow.refund'>): Promise<Refund> {
  return giveBack(client, {
    taskId: input.task_id,
    subject: `the refund of task ${input.task_id}`,
    call: () => client.call('escrow.refund', input),
    done({ id, status, escrow_status, refund_tx }) {
      return escrow_status === 'refunded' ? { task_id: id, status, refund_tx } : undefined
    },
  })
}

const inFlight: ErrorCode = 'APPROVAL_IN_FLIGHT'

async function giveBack<T>(client: OperationsClient, { taskId, subject, call, done }: Return<T>): Promise<T> {
  const begun = await sent(call(), inFlight)
  if ('answer' in begun && begun.answer.status !== 202) return begun.answer.data
  const idempotencyKey = 'answer' in begun ? begun.answer.idempotencyKey : begun.doubt.idempotencyKey
  if ('doubt' in begun) {
    const task = await client.tasks.get({ task_id: taskId }).catch(() => undefined)
    const found = task === undefined ? undefined : done(task)
    if (found !== undefined) return found
    if (task?.escrow_status !== 'refunding') throw begun.doubt
  }
  return poll(client, { taskId, subject, idempotencyKey }, async () => {
    const task = await client.tasks.get({ task_id: taskId })
    const found = done(task)
    if (found !== undefined || task.escrow_status === 'refunding') return found
    return settlementFailure(client, taskId, 'REFUND_FAILED')
  })
}
