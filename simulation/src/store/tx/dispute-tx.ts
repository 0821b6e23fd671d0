import { lockRows, slotsOf } from '../engine/table.ts'
import { anything } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

type DisputePart = Part<
  'insertDispute' | 'lockDispute' | 'lockDisputeOf' | 'changeDispute' | 'insertStatement' | 'expireDisputes'
>

export function disputeTx({
  disk: {
    tables: { disputes, statements },
  },
  run,
}: TxDeps): DisputePart {
  return {
    insertDispute: (one) =>
      run('tx.insertDispute', async (session) => {
        await disputes.insert(session, { ...one, resolution: null, resolvedAt: null })
      }),
    lockDispute: (id) =>
      run(
        'tx.lockDispute',
        async (session) => (await lockRows(session, slotsOf(session, disputes.by.pkey, id), anything))[0] ?? null,
      ),
    lockDisputeOf: (submissionId) =>
      run(
        'tx.lockDisputeOf',
        async (session) =>
          (await lockRows(session, slotsOf(session, disputes.by.submission_id_key, submissionId), anything))[0] ?? null,
      ),
    changeDispute: (id, { status, resolution, resolvedAt }) =>
      run('tx.changeDispute', async (session) => {
        await disputes.update(session, slotsOf(session, disputes.by.pkey, id), anything, (row) => ({
          ...row,
          status,
          resolution,
          resolvedAt,
        }))
      }),
    insertStatement: (one) =>
      run('tx.insertStatement', async (session) => {
        await statements.insert(session, one)
      }),
    expireDisputes: (taskId, at) =>
      run('tx.expireDisputes', async (session) => {
        const where = ({ status }: { readonly status: string }): boolean => status === 'open' || status === 'resolving'
        await disputes.update(session, slotsOf(session, disputes.by.task, taskId, where), where, (row) => ({
          ...row,
          status: 'expired',
          resolvedAt: at,
        }))
      }),
  }
}
