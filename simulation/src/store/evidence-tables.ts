import type { Dispute, Statement } from '@ergon/core'
import { createTable, lookup, refersTo, unique, type Index, type Reference } from './engine/table.ts'
import { keyOf } from './key-of.ts'
import type { EvidenceFileRow, PlaceRow, ReceiptRow, SubmissionRow } from './rows.ts'
import type { TaskOf } from './schema.ts'

/** What belongs to a submission or a dispute. */
export function createEvidence(taskOf: TaskOf, submissions: Index<SubmissionRow>, disputes: Index<Dispute>) {
  const submissionOf = <R extends { readonly submissionId: string }>(table: string): Reference<R> =>
    refersTo(
      `${table}_submission_id_fkey`,
      () => submissions,
      ({ submissionId }) => submissionId,
    )
  return {
    statements: createTable({
      name: 'dispute_statements',
      by: { pkey: unique<Statement>(({ id }) => id), dispute: lookup<Statement>(({ disputeId }) => disputeId) },
      refers: [
        refersTo(
          'dispute_statements_dispute_id_fkey',
          () => disputes,
          ({ disputeId }) => disputeId,
        ),
      ],
    }),
    places: createTable({
      name: 'task_places',
      by: { pkey: unique<PlaceRow>(({ taskId }) => taskId) },
      refers: [taskOf('task_places', ({ taskId }) => taskId)],
    }),
    receipts: createTable({
      name: 'position_receipts',
      by: {
        pkey: unique<ReceiptRow>(({ submissionId }) => submissionId),
        worker: lookup<ReceiptRow>(({ executorId }) => executorId),
      },
      refers: [submissionOf<ReceiptRow>('position_receipts')],
    }),
    files: createTable({
      name: 'evidence_files',
      by: {
        pkey: unique<EvidenceFileRow>(({ submissionId, type }) => keyOf(submissionId, type)),
        content: lookup<EvidenceFileRow>(({ sha256 }) => sha256),
      },
      refers: [submissionOf<EvidenceFileRow>('evidence_files')],
    }),
  }
}
