import { jsonb } from '../jsonb.ts'
import { lockRows, slotsOf } from '../engine/table.ts'
import { keyOf } from '../schema.ts'
import { latest } from './settlement-tx.ts'
import { anything } from './task-tx.ts'
import type { Part, TxDeps } from './parts.ts'

export function ratingTx({ disk, run }: TxDeps): Part<'putRating' | 'lockRating' | 'endRating'> {
  const { ratings } = disk.tables
  return {
    putRating: (one, dueAt, at) =>
      run('tx.putRating', async (session) => {
        const fresh = {
          rating: { ...one, terms: jsonb(one.terms), txHash: null, feedbackIndex: null, attempts: 0 },
          dueAt: dueAt?.getTime() ?? null,
          auditDueAt: -Infinity,
          writtenAt: at,
          sentAt: null,
          landsUntil: null,
        }
        const { id, terms, comment, document, status } = fresh.rating
        const put = await ratings.upsert(
          session,
          fresh,
          ratings.by.task_id_direction_key,
          (row) => ({
            ...row,
            rating: { ...row.rating, id, terms, comment, document, status, attempts: 0 },
            dueAt: fresh.dueAt,
            writtenAt: at,
            sentAt: null,
            landsUntil: null,
          }),
          ({ rating }) => rating.status === 'prepared' || rating.status === 'refused',
        )
        return put !== undefined
      }),
    lockRating: (taskId, direction) =>
      run(
        'tx.lockRating',
        async (session) =>
          (
            await lockRows(
              session,
              slotsOf(session, ratings.by.task_id_direction_key, keyOf(taskId, direction)),
              anything,
            )
          )[0]?.rating ?? null,
      ),
    endRating: (id, end, at) =>
      run('tx.endRating', async (session) => {
        await ratings.update(session, slotsOf(session, ratings.by.pkey, id), anything, (row) => ({
          ...row,
          rating: {
            ...row.rating,
            status: end.status,
            txHash: end.txHash ?? row.rating.txHash,
            feedbackIndex: end.feedbackIndex ?? row.rating.feedbackIndex,
            attempts: row.rating.attempts + (end.status === 'sending' ? 1 : 0),
          },
          dueAt: end.dueAt?.getTime() ?? row.dueAt,
          sentAt: end.status === 'sending' ? (row.sentAt ?? at) : end.status === 'prepared' ? null : row.sentAt,
          landsUntil:
            end.status === 'sending'
              ? latest(row.landsUntil, end.landsUntil)
              : end.status === 'prepared'
                ? null
                : row.landsUntil,
        }))
      }),
  }
}
