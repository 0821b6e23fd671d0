import type { Application } from '@ergon/core'
import { lockRows, rowOf, rowsOf, slotsOf } from '../engine/table.ts'
import { jsonb } from '../jsonb.ts'
import { keyOf } from '../schema.ts'
import { anything } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

type WorkPart = Part<
  | 'insertApplication'
  | 'application'
  | 'acceptApplication'
  | 'pendingApplications'
  | 'withdrawApplication'
  | 'insertSubmission'
  | 'lockSubmission'
  | 'decideSubmission'
  | 'pendingSubmission'
  | 'countCompleted'
  | 'agentOf'
>

export function workTx(deps: TxDeps): WorkPart {
  const {
    disk: {
      tables: { applications, submissions, words },
    },
    run,
  } = deps
  const becomes = (label: string, status: 'accepted' | 'withdrawn') => (taskId: string, executorId: string) =>
    run(label, async (session) => {
      await applications.update(
        session,
        slotsOf(session, applications.by.task_id_executor_id_key, keyOf(taskId, executorId)),
        anything,
        (row) => ({ ...row, status }),
      )
    })
  return {
    insertApplication: (one) =>
      run('tx.insertApplication', async (session) => {
        const key = keyOf(one.taskId, one.executorId)
        const isWithdrawn = (row: Application): boolean => row.status === 'withdrawn'
        if (await applications.insert(session, one, [applications.by.task_id_executor_id_key])) return true
        const slots = slotsOf(session, applications.by.task_id_executor_id_key, key)
        // What conflicts is locked, whether it is changed then or not.
        return (await applications.update(session, slots, isWithdrawn, () => one)).length > 0
      }),
    application: (taskId, executorId) =>
      run('tx.application', (session) => {
        const row = rowOf(session, applications.by.task_id_executor_id_key, keyOf(taskId, executorId))
        if (row === undefined) return null
        const notes = rowOf(session, words.by.pkey, keyOf(taskId, 'assign', executorId))
        return { ...row, hasNotes: notes !== undefined }
      }),
    pendingApplications: (taskId, limit) =>
      run('tx.pendingApplications', (session) =>
        rowsOf(session, applications.by.task, taskId, ({ status }) => status === 'pending')
          .map(({ id, executorId }) => ({ id, executorId }))
          .toSorted((one, other) => (one.id < other.id ? -1 : 1))
          .slice(0, limit),
      ),
    acceptApplication: becomes('tx.acceptApplication', 'accepted'),
    withdrawApplication: becomes('tx.withdrawApplication', 'withdrawn'),
    insertSubmission: (one) =>
      run('tx.insertSubmission', async (session) => {
        await submissions.insert(session, {
          submission: { ...one, evidence: jsonb(one.evidence), checks: jsonb(one.checks) },
          device: null,
          verificationDueAt: null,
          verificationAttempts: 0,
        })
      }),
    ...reviewTx(deps),
  }
}

function reviewTx({
  disk: { tables },
  run,
}: TxDeps): Part<'lockSubmission' | 'decideSubmission' | 'pendingSubmission' | 'countCompleted' | 'agentOf'> {
  const { submissions, workers } = tables
  return {
    lockSubmission: (id) =>
      run(
        'tx.lockSubmission',
        async (session) =>
          (await lockRows(session, slotsOf(session, submissions.by.pkey, id), anything))[0]?.submission ?? null,
      ),
    decideSubmission: (id, decision) =>
      run('tx.decideSubmission', async (session) => {
        await submissions.update(session, slotsOf(session, submissions.by.pkey, id), anything, (row) => ({
          ...row,
          submission: {
            ...row.submission,
            status: decision.status,
            decidedAt: decision.at,
            rejectionReason: decision.reason ?? null,
            paymentTx: decision.paymentTx ?? null,
          },
        }))
      }),
    pendingSubmission: (taskId) =>
      run('tx.pendingSubmission', async (session) => {
        const [row] = await lockRows(
          session,
          slotsOf(session, submissions.by.one_pending, taskId),
          ({ submission }) => submission.status === 'pending_review',
        )
        return row?.submission.id ?? null
      }),
    countCompleted: (executorId) =>
      run('tx.countCompleted', async (session) => {
        await workers.update(session, slotsOf(session, workers.by.pkey, executorId), anything, (row) => ({
          ...row,
          tasksCompleted: row.tasksCompleted + 1,
        }))
      }),
    agentOf: (executorId, network) =>
      run('tx.agentOf', (session) => {
        const wallet = rowOf(session, workers.by.pkey, executorId)?.wallet
        const agentId =
          wallet === undefined ? undefined : rowOf(session, tables.identities.by.pkey, keyOf(network, wallet))?.agentId
        return wallet === undefined || agentId === undefined ? null : { wallet, agentId }
      }),
  }
}
