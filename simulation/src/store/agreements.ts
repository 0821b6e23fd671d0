import type { Dispute, Offer, Ruling } from '@ergon/core'
import { createTable, lookup, refersTo, unique, type Index } from './engine/table.ts'
import type { TaskOf, WorkerOf } from './schema.ts'

/** What two parties offer one another, and what arbiters ruled. */
export function createAgreements(taskOf: TaskOf, workerOf: WorkerOf, disputes: Index<Dispute>) {
  return {
    offers: createTable({
      name: 'settlement_offers',
      by: { pkey: unique<Offer>(({ id }) => id), task: lookup<Offer>(({ taskId }) => taskId) },
      refers: [
        taskOf('settlement_offers', ({ taskId }) => taskId),
        workerOf('settlement_offers_executor_id_fkey', ({ executorId }) => executorId),
      ],
    }),
    rulings: createTable({
      name: 'rulings',
      by: {
        pkey: unique<Ruling>(({ id }) => id),
        dispute_id_key: unique<Ruling>(({ disputeId }) => disputeId),
        task: lookup<Ruling>(({ taskId }) => taskId),
      },
      refers: [
        taskOf('rulings', ({ taskId }) => taskId),
        refersTo(
          'rulings_dispute_id_fkey',
          () => disputes,
          ({ disputeId }) => disputeId,
        ),
      ],
    }),
  }
}
