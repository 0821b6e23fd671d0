import { firstLease } from '@ergon/server/testing'
import { allRows, allSlots, rowOf, rowsOf, takeFree, type Slot } from '../engine/table.ts'
import type { RatingRow } from '../rows.ts'
import { keyOf } from '../schema.ts'
import { anything } from '../tx/task-tx.ts'
import { sortedBy, type Part, type StoreParts } from './parts.ts'

type RatingReads = Part<
  | 'rating'
  | 'ratings'
  | 'countedRatings'
  | 'leaseRatings'
  | 'leaseSentRatings'
  | 'stuckRatings'
  | 'leaseRatingAudits'
  | 'auditRatingAt'
>

export function ratingReads(parts: StoreParts): RatingReads {
  const { disk, line } = parts
  const { ratings, tasks } = disk.tables
  return {
    rating: (taskId, direction) =>
      line.read(
        'rating',
        (viewer) => rowOf(viewer, ratings.by.task_id_direction_key, keyOf(taskId, direction))?.rating ?? null,
      ),
    ratings: (taskId) =>
      line.read('ratings', (viewer) => {
        const rows = rowsOf(viewer, ratings.by.task, taskId).map(({ rating }) => rating)
        return sortedBy(rows, ({ status, direction }) => `${status === 'confirmed' ? '1' : '0'}${direction}`).reverse()
      }),
    countedRatings: (network, agentId, direction) =>
      line.read('countedRatings', (viewer) => {
        const scores = allRows(viewer, ratings, ({ rating: { taskId, terms, status, direction: given } }) => {
          const isOfAgent = terms.network === network && terms.agentId === agentId
          const isPaid = (rowOf(viewer, tasks.by.pkey, taskId)?.task.paymentTx ?? null) !== null
          return status === 'confirmed' && isOfAgent && isPaid && (direction === null || given === direction)
        }).map(({ rating }) => rating.terms.score)
        const sum = scores.reduce((all, one) => all + one, 0)
        return { score: scores.length === 0 ? null : sum / scores.length, count: scores.length }
      }),
    leaseRatings: (network, now, leaseUntil, limit) =>
      line.write('leaseRatings', async (session) => {
        const due = allSlots(
          session,
          ratings,
          ({ rating, dueAt }) =>
            rating.terms.network === network && rating.status === 'due' && dueAt !== null && dueAt <= now.getTime(),
        )
        const taken = takeFree(session, due, ({ dueAt }) => dueAt ?? 0, limit)
        const leased = await ratings.update(session, taken, anything, (row) => ({
          ...row,
          rating: { ...row.rating, attempts: row.rating.attempts + 1 },
          dueAt: firstLease(now, leaseUntil).getTime(),
        }))
        return leased.map(({ rating }) => rating)
      }),
    ...ratingAudits(parts),
  }
}

function ratingAudits({
  disk,
  line,
}: StoreParts): Part<'leaseSentRatings' | 'stuckRatings' | 'leaseRatingAudits' | 'auditRatingAt'> {
  const { ratings } = disk.tables
  return {
    leaseSentRatings: (network, now, until, before, limit) =>
      line.write('leaseSentRatings', async (session) => {
        const due = allSlots(
          session,
          ratings,
          ({ rating, sentAt, auditDueAt }) =>
            rating.terms.network === network &&
            rating.status === 'sending' &&
            sentAt !== null &&
            sentAt <= before &&
            auditDueAt <= now.getTime(),
        )
        const taken = takeFree(session, due, ({ auditDueAt }) => auditDueAt, limit)
        const leased = await ratings.update(session, taken, anything, (row) => ({
          ...row,
          auditDueAt: until.getTime(),
        }))
        // What is being sent has a deadline, as it has a time it was sent.
        return leased.map(({ rating, writtenAt, landsUntil }) => ({
          ...rating,
          writtenAt,
          landsUntil: landsUntil ?? writtenAt,
        }))
      }),
    stuckRatings: (before, limit) =>
      line.read('stuckRatings', (viewer) => {
        const rows = allRows(
          viewer,
          ratings,
          ({ rating, sentAt, writtenAt }) =>
            (rating.status === 'sending' || rating.status === 'due') && (sentAt ?? writtenAt) < before,
        )
        return sortedBy(
          rows.map(({ rating, sentAt, writtenAt }) => ({ ...rating, since: sentAt ?? writtenAt })),
          ({ since }) => since.getTime(),
        ).slice(0, limit)
      }),
    leaseRatingAudits: (network, now, until, limit) =>
      line.write('leaseRatingAudits', async (session) => {
        const due = allSlots(
          session,
          ratings,
          ({ rating, auditDueAt }) =>
            rating.terms.network === network && rating.status === 'confirmed' && auditDueAt <= now.getTime(),
        )
        const taken = takeFree(session, due, ({ auditDueAt }) => auditDueAt, limit)
        return (await ratings.update(session, taken, anything, (row) => ({ ...row, auditDueAt: until.getTime() }))).map(
          ({ rating, writtenAt }) => ({ ...rating, writtenAt }),
        )
      }),
    auditRatingAt: (ids, at) =>
      line.write('auditRatingAt', async (session) => {
        const slots: readonly Slot<RatingRow>[] = allSlots(session, ratings, ({ rating }) => ids.includes(rating.id))
        await ratings.update(session, slots, anything, (row) => ({ ...row, auditDueAt: at.getTime() }))
      }),
  }
}
