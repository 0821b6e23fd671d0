import type { WorkerView } from '../identity/worker.ts'
import { formatUsd } from '../money/amount.ts'
import type { Task } from '../tasks/task.ts'
import type { Place } from './close-dispute.ts'
import { beginStart } from './deadlines.ts'
import { tellUnchosen } from './tell-unchosen.ts'

/**
 * Payout and fee, which no approval is refused for: who works is not told afterwards that there is no gas (decision
 * 0099).
 */
export const paymentsOfApproval = 2

/** A worker is assigned where no money is locked: the task is accepted, and everybody is told. */
export async function takeOn({ deps, tx, task, now }: Place, worker: WorkerView, notes: string | null): Promise<Task> {
  await tx.moveTask(task.id, 'accepted', now, { executorId: worker.id })
  await tx.acceptApplication(task.id, worker.id)
  await beginStart({ deps, tx, task, now })
  await tellUnchosen({ deps, tx, task, now }, 'another_worker')
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'task.assigned',
    taskId: task.id,
    at: now,
    data: {
      task_id: task.id,
      executor_id: worker.id,
      worker_wallet: worker.wallet,
      bounty_usd: Number(formatUsd(task.bounty)),
      escrow_tx: null,
      ...(notes === null ? {} : { notes }),
    },
  })
  return { ...task, status: 'accepted', executorId: worker.id }
}

/** Only where nothing is locked, and only what software published: there an executor may assign itself (spec §1.6). */
export function maySelfAccept(task: Pick<Task, 'escrowStatus' | 'publisherType'>): boolean {
  return task.escrowStatus === 'none' && task.publisherType !== 'human'
}
