import { slotsOf } from '../engine/table.ts'
import type { SubmissionRow } from '../rows.ts'
import { anything, changeTasks } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

type VerificationPart = Part<'putPlace' | 'addVerification' | 'endVerification'>

export function verificationTx({ disk, run }: TxDeps): VerificationPart {
  const { places, submissions, files: fileRows, receipts } = disk.tables
  return {
    async putPlace(taskId, place, at) {
      await run('tx.putPlace', async (session) => {
        if (place === null) await places.remove(session, slotsOf(session, places.by.pkey, taskId), anything)
        else
          await places.upsert(session, { taskId, place: place.exact }, places.by.pkey, (row) => ({
            ...row,
            place: place.exact,
          }))
      })
      await run('tx.putArea', (session) =>
        changeTasks(disk, session, taskId, (row) => ({
          ...row,
          task: { ...row.task, area: place?.area ?? null, updatedAt: at },
        })),
      )
    },
    async addVerification({ id, taskId, executorId, submittedAt }, { device, files, fix }) {
      await run('tx.addVerification', (session) =>
        submissions.update(session, slotsOf(session, submissions.by.pkey, id), anything, (row) => ({
          ...row,
          verificationDueAt: submittedAt.getTime(),
          device,
        })),
      )
      if (files.length > 0) {
        await run('tx.addFiles', async (session) => {
          for (const { type, file } of files)
            await fileRows.insert(session, { submissionId: id, type, taskId, executorId, sha256: file.sha256 })
        })
      }
      if (fix !== null)
        await run('tx.addReceipt', (session) =>
          receipts.insert(session, {
            submissionId: id,
            taskId,
            executorId,
            lat: fix.lat,
            lng: fix.lng,
            accuracyM: fix.accuracyM,
            receivedAt: submittedAt,
          }),
        )
    },
    endVerification: (submissionId, { checks, score, coverage, at }) =>
      run('tx.endVerification', async (session) => {
        const where = ({ submission }: SubmissionRow): boolean => submission.verifiedAt === null
        const ended = await submissions.update(
          session,
          slotsOf(session, submissions.by.pkey, submissionId, where),
          where,
          (row) => ({
            ...row,
            submission: { ...row.submission, checks, preCheckScore: score, coverage, verifiedAt: at },
            verificationDueAt: null,
          }),
        )
        return ended.length > 0
      }),
  }
}
