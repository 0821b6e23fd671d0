import type { ApplicationView, DisputeView, Statement } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Viewer } from '../engine/session.ts'
import { allRows, rowOf, rowsOf, slotsOf } from '../engine/table.ts'
import type { Dispute, Application, SubmissionRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import { wordsOf } from '../tx/words-tx.ts'
import { viewOfWorker } from './people-reads.ts'
import { partOf, sortedBy, type Part, type StoreParts } from './parts.ts'

type WorkReads = Part<
  | 'applications'
  | 'application'
  | 'submission'
  | 'submissions'
  | 'submissionsSlice'
  | 'stampEvidenceAccess'
  | 'disputeOf'
  | 'dispute'
  | 'disputes'
  | 'taskWords'
>

export function workReads(parts: StoreParts): WorkReads {
  const { disk, line, identityNetwork } = parts
  const { applications, submissions } = disk.tables
  return {
    async applications(taskId, page) {
      const among = (viewer: Viewer) => shownApplications(disk, viewer, taskId, identityNetwork)
      const total = await line.read('applications total', (viewer) => among(viewer).length)
      const rows = await line.read('applications', (viewer) => {
        const from =
          page.cursor === null
            ? among(viewer).slice(page.offset)
            : among(viewer).filter(({ id }) => id > (page.cursor ?? ''))
        return from.slice(0, page.limit + 1)
      })
      return pageOf(rows, total, page)
    },
    application: (taskId, executorId) =>
      line.read(
        'application',
        (viewer) => rowOf(viewer, applications.by.task_id_executor_id_key, keyOf(taskId, executorId)) ?? null,
      ),
    submission: (id) => line.read('submission', (viewer) => rowOf(viewer, submissions.by.pkey, id)?.submission ?? null),
    submissions: (taskId) =>
      line.read('submissions', (viewer) =>
        rowsOf(viewer, submissions.by.task, taskId)
          .map(({ submission }) => submission)
          .reverse(),
      ),
    submissionsSlice: (taskId, executorId, slice) =>
      line.read('submissionsSlice', (viewer) => {
        const rows = rowsOf(viewer, submissions.by.task, taskId)
          .map(({ submission }) => submission)
          .filter((one) => executorId === null || one.executorId === executorId)
        return partOf(rows.toReversed(), slice)
      }),
    stampEvidenceAccess: (ids, at) =>
      line.write('stampEvidenceAccess', async (session) => {
        const where = ({ submission }: SubmissionRow): boolean => submission.evidenceAccessedAt === null
        const rows = [...new Set(ids)].flatMap((id) => slotsOf(session, submissions.by.pkey, id, where))
        await submissions.update(session, rows, where, (row) => ({
          ...row,
          submission: { ...row.submission, evidenceAccessedAt: at },
        }))
      }),
    taskWords: (taskId) => line.read('taskWords', (viewer) => wordsOf(disk, viewer, taskId)),
    ...disputeReads(parts),
  }
}

function disputeReads({ disk, line }: StoreParts): Part<'disputeOf' | 'dispute' | 'disputes'> {
  const { disputes } = disk.tables
  return {
    disputeOf: (submissionId) =>
      line.read('disputeOf', (viewer) => rowOf(viewer, disputes.by.submission_id_key, submissionId) ?? null),
    async dispute(id) {
      const view = await line.read('dispute', (viewer) => {
        const row = rowOf(viewer, disputes.by.pkey, id)
        return row === undefined ? undefined : viewOfDispute(disk, viewer, row)
      })
      if (view === undefined) return null
      return { ...view, statements: await line.read('dispute statements', (viewer) => statementsOf(disk, viewer, id)) }
    },
    async disputes(filter, page) {
      const among = (viewer: Viewer): readonly DisputeView[] => {
        const rows = allRows(
          viewer,
          disputes,
          ({ status, taskId }) =>
            (filter.status === null || status === filter.status) &&
            (filter.taskId === null || taskId === filter.taskId),
        )
        const views = rows.flatMap((row) => viewOfDispute(disk, viewer, row) ?? [])
        return sortedBy(
          views.filter(
            (one) =>
              filter.wallet === null || one.publisherWallet === filter.wallet || one.workerWallet === filter.wallet,
          ),
          ({ id }) => id,
        ).reverse()
      }
      const total = await line.read('disputes total', (viewer) => among(viewer).length)
      const rows = await line.read('disputes', (viewer) => {
        const from =
          page.cursor === null
            ? among(viewer).slice(page.offset)
            : among(viewer).filter(({ id }) => id < (page.cursor ?? ''))
        return from.slice(0, page.limit + 1)
      })
      return pageOf(rows, total, page)
    },
  }
}

type Asked = Parameters<WorkReads['applications']>[1]

function pageOf<T extends { readonly id: string }>(rows: readonly T[], total: number, { limit, offset }: Asked) {
  const hasMore = rows.length > limit
  const shown = rows.slice(0, limit)
  return { rows: shown, total, offset, hasMore, nextCursor: hasMore ? (shown.at(-1)?.id ?? null) : null }
}

function shownApplications(
  disk: Disk,
  viewer: Viewer,
  taskId: string,
  identityNetwork: string,
): readonly ApplicationView[] {
  const { applications, workers, bans } = disk.tables
  return sortedBy(rowsOf(viewer, applications.by.task, taskId), ({ id }: Application) => id).flatMap((one) => {
    const row = rowOf(viewer, workers.by.pkey, one.executorId)
    if (row === undefined || rowOf(viewer, bans.by.pkey, row.wallet) !== undefined) return []
    const { wallet, displayName, picture, party, agentId, reputation } = viewOfWorker(
      disk,
      viewer,
      row,
      identityNetwork,
    )
    return [{ ...one, wallet, displayName, picture, party, agentId, reputation }]
  })
}

function viewOfDispute(
  { tables: { tasks, submissions, workers } }: Disk,
  viewer: Viewer,
  row: Dispute,
): DisputeView | undefined {
  const task = rowOf(viewer, tasks.by.pkey, row.taskId)?.task
  const executorId = rowOf(viewer, submissions.by.pkey, row.submissionId)?.submission.executorId
  const worker = executorId === undefined ? undefined : rowOf(viewer, workers.by.pkey, executorId)
  if (task === undefined || worker === undefined) return undefined
  return {
    ...row,
    publisherWallet: task.publisherWallet,
    executorId: worker.id,
    workerWallet: worker.wallet,
    bounty: task.bounty,
    paymentTx: task.paymentTx,
    refundTx: task.refundTx,
    captured: task.captured,
    statements: [],
  }
}

const statementsOf = ({ tables: { statements } }: Disk, viewer: Viewer, disputeId: string): readonly Statement[] =>
  rowsOf(viewer, statements.by.dispute, disputeId)
