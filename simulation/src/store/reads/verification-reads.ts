import { firstLease } from '@ergon/server/testing'
import { fixOf, type DueVerification } from '@ergon/core'
import { rowOf, rowsOf, slotsOf, takeFree } from '../engine/table.ts'
import { anything } from '../tx/task-tx.ts'
import { sortedBy, type Part, type StoreParts } from './parts.ts'

type VerificationReads = Part<'taskPlace' | 'assignedAt' | 'leaseVerifications' | 'positionReceipts' | 'exactTwins'>

export function verificationReads(parts: StoreParts): VerificationReads {
  const { disk, line } = parts
  const { places, history, submissions, tasks } = disk.tables
  return {
    taskPlace: (taskId) => line.read('taskPlace', (viewer) => rowOf(viewer, places.by.pkey, taskId)?.place ?? null),
    assignedAt: (taskId) =>
      line.read(
        'assignedAt',
        (viewer) =>
          sortedBy(
            rowsOf(viewer, history.by.task, taskId, ({ status }) => status === 'accepted'),
            ({ at }) => at.getTime(),
          ).at(-1)?.at ?? null,
      ),
    async leaseVerifications(now, leaseUntil, limit) {
      const leased = await line.write('leaseVerifications', async (session) => {
        const due = slotsOf(
          session,
          submissions.by.due,
          'due',
          ({ verificationDueAt }) => verificationDueAt !== null && verificationDueAt <= now.getTime(),
        )
        const taken = takeFree(session, due, ({ verificationDueAt }) => verificationDueAt ?? 0, limit)
        return submissions.update(session, taken, anything, (row) => ({
          ...row,
          verificationDueAt: firstLease(now, leaseUntil).getTime(),
          verificationAttempts: row.verificationAttempts + 1,
        }))
      })
      return line.read('leaseVerifications tasks', (viewer) =>
        leased.flatMap(({ submission, device, verificationAttempts }): readonly DueVerification[] => {
          const task = rowOf(viewer, tasks.by.pkey, submission.taskId)?.task
          return task === undefined
            ? []
            : [
                {
                  submission,
                  task,
                  device: device ?? { clock: null, utcOffsetMin: null },
                  attempts: verificationAttempts,
                },
              ]
        }),
      )
    },
    ...earlierWork(parts),
  }
}

function earlierWork({ disk, line }: StoreParts): Part<'positionReceipts' | 'exactTwins'> {
  const { submissions, receipts, files } = disk.tables
  return {
    positionReceipts: ({ submissionId, executorId }, limit) =>
      line.read('positionReceipts', (viewer) => {
        const earlier = rowsOf(viewer, receipts.by.worker, executorId, (row) => row.submissionId < submissionId)
        return sortedBy(earlier, ({ receivedAt }) => -receivedAt.getTime())
          .slice(0, limit)
          .map((row) => {
            const gps = rowOf(viewer, submissions.by.pkey, row.submissionId)?.submission.evidence.gps
            return {
              submissionId: row.submissionId,
              taskId: row.taskId,
              lat: row.lat,
              lng: row.lng,
              accuracyM: row.accuracyM,
              capturedAt: fixOf(gps)?.at ?? null,
              receivedAt: row.receivedAt,
            }
          })
      }),
    exactTwins: (sha256, search, limit) =>
      line.read('exactTwins', (viewer) => {
        const others = rowsOf(
          viewer,
          files.by.content,
          sha256,
          (row) =>
            row.submissionId < search.submissionId &&
            !(row.taskId === search.taskId && row.executorId === search.executorId),
        )
        const twins = new Map(
          others.map(({ submissionId, taskId, executorId }) => [submissionId, { submissionId, taskId, executorId }]),
        )
        return [...twins.values()].slice(0, limit)
      }),
  }
}
