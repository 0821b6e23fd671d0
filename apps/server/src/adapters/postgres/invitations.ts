import type { Invitation, InvitationTx } from '@ergon/core'
import type { TransactionLine } from './transaction-line.ts'

type InvitationRow = { id: string; task_id: string; executor_id: string; publisher: string; at: Date }
type InvitedRow = {
  in_task: bigint
  by_publisher: bigint
  publisher_began: Date | null
  of_worker: bigint
  worker_began: Date | null
}

const toInvitation = ({ task_id: taskId, executor_id: executorId, ...row }: InvitationRow): Invitation => ({
  ...row,
  taskId,
  executorId,
})

/** Workers who were invited to a task (decision 0238). */
export function createInvitationTx(client: TransactionLine): InvitationTx {
  return {
    async invitation(taskId, executorId) {
      const { rows } = await client.query<InvitationRow>(
        'select * from task_invitations where task_id = $1 and executor_id = $2',
        [taskId, executorId],
      )
      return rows[0] === undefined ? null : toInvitation(rows[0])
    },
    async insertInvitation({ id, taskId, executorId, publisher, at }) {
      await client.tell(
        'insert into task_invitations (id, task_id, executor_id, publisher, at) values ($1, $2, $3, $4, $5)',
        [id, taskId, executorId, publisher, at],
      )
    },
    async invited({ taskId, executorId, publisher }, since) {
      const { rows } = await client.query<InvitedRow>(
        `select (select count(*) from task_invitations where task_id = $1) as in_task,
            p.count as by_publisher, p.began as publisher_began, w.count as of_worker, w.began as worker_began
          from (select count(*), min(at) as began from task_invitations where publisher = $3 and at > $4) p,
            (select count(*), min(at) as began from task_invitations where executor_id = $2 and at > $4) w`,
        [taskId, executorId, publisher, since],
      )
      const [row] = rows
      return {
        inTask: Number(row?.in_task ?? 0n),
        byPublisher: Number(row?.by_publisher ?? 0n),
        ofWorker: Number(row?.of_worker ?? 0n),
        publisherDayBegan: row?.publisher_began ?? null,
        workerDayBegan: row?.worker_began ?? null,
      }
    },
  }
}
