import { canMove } from '../tasks/lifecycle.ts'
import type { Place } from './close-dispute.ts'
import { booksRefund } from './confirm-resolution.ts'
import type { Scene } from './scene.ts'

/** The money is back with the payer, so the task may be open again (decision 0046: refund first). */
export async function confirmStepDown(scene: Scene): Promise<void> {
  if (await booksRefund(scene)) await openAgain(scene, scene.settlement.executorId, scene.landed.txHash)
}

/** Open again for others: no worker, and no escrow of the old one. */
export async function openAgain(
  { deps, tx, task, now }: Place,
  executorId: string | null,
  refundTx: string | null,
): Promise<void> {
  if (executorId === null || !canMove(task.status, 'withdraw')) return
  const escrowStatus = task.escrowStatus === 'none' ? 'none' : 'pending_assignment'
  await tx.moveTask(task.id, 'published', now, { executorId: null, escrowStatus, escrowTx: null, startBy: null })
  await tx.clearEscrow(task.id)
  await tx.withdrawApplication(task.id, executorId)
  const said = (await tx.taskWords(task.id)).find((one) => one.kind === 'withdraw' && one.worker?.id === executorId)
  const reason = said === undefined ? {} : { reason: said.text }
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'task.withdrawn',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, executor_id: executorId, refund_tx: refundTx, ...reason },
  })
  if (task.policy !== null) await offerNext({ deps, tx, task, now }, executorId)
}

/** The runner-up who still waits is named to the publisher at once, with what to sign for it (decision 0174). */
async function offerNext({ deps, tx, task, now }: Place, was: string): Promise<void> {
  const [next] = await tx.pendingApplications(task.id, 1)
  if (next === undefined) return
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'task.handed_on',
    taskId: task.id,
    at: now,
    data: {
      task_id: task.id,
      executor_id: next.executorId,
      application_id: next.id,
      was,
      challenge:
        task.escrowStatus === 'none'
          ? null
          : `/api/v1/tasks/${task.id}/assign/challenge?executor_id=${next.executorId}`,
    },
  })
}
