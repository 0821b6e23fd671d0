import type { Market } from '@ergon/core'
import type { Recoveries } from './recover.ts'

type Earlier = Required<Pick<Recoveries, 'tasks.assign' | 'tasks.cancel' | 'tasks.approve'>>

/** On the rail of people the same calls are found again as on the signed one. */
export function recoverH2a(
  market: Market,
  moved: Earlier,
): Pick<Recoveries, 'h2a.assign' | 'h2a.cancel' | 'h2a.approve'> {
  return {
    'h2a.assign': moved['tasks.assign'],
    'h2a.cancel': moved['tasks.cancel'],
    'h2a.approve': async (call, input, created) => {
      const { caller } = call
      const { task_id, notes = null } = input
      const { decided, dispute } = created
      const task = await market.readTask(caller, task_id)
      const base = { task_id, task_status: task.status, worker_tx: null, fee_tx: null, notes }
      if (input.verdict === 'accepted') {
        const found = await moved['tasks.approve'](call, { task_id }, created)
        return found === null
          ? null
          : {
              ...found,
              body: {
                ...base,
                submission_id: found.body.submission_id,
                status: found.body.status,
                worker_tx: found.body.payment_tx,
                fee_tx: found.body.fee_tx,
                dispute_id: null,
              },
            }
      }
      if (decided === undefined) return null
      return { body: { ...base, submission_id: decided, status: input.verdict, dispute_id: dispute ?? null } }
    },
  }
}
