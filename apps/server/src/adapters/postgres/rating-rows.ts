import { toRating, type RatingRow } from './rows.ts'
import type { First, Part, Tell } from './tx-query.ts'

/** A rating on its way to a chain. */
export function ratingRows(first: First, tell: Tell): Part<'putRating' | 'lockRating' | 'endRating'> {
  return {
    async putRating(one, dueAt, at) {
      // A prepared rating gives way to a newer one; one that is on its way or on chain does not.
      const row = await first(
        `insert into ratings (id, task_id, direction, rater, ratee, terms, comment, document, status, due_at,
           updated_at, written_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
         on conflict (task_id, direction) do update set id = excluded.id, terms = excluded.terms,
           comment = excluded.comment, document = excluded.document, status = excluded.status, due_at = excluded.due_at,
           attempts = 0, sent_at = null, lands_until = null, updated_at = excluded.updated_at,
           written_at = excluded.written_at
         where ratings.status in ('prepared', 'refused') returning id`,
        [
          one.id,
          one.taskId,
          one.direction,
          one.rater,
          one.ratee,
          JSON.stringify(one.terms),
          one.comment,
          one.document,
          one.status,
          dueAt,
          at,
        ],
      )
      return row !== undefined
    },
    async lockRating(taskId, direction) {
      const row = await first<RatingRow>('select * from ratings where task_id = $1 and direction = $2 for update', [
        taskId,
        direction,
      ])
      return row === undefined ? null : toRating(row)
    },
    async endRating(id, end, at) {
      await tell(
        `update ratings set status = $2, tx_hash = coalesce($3, tx_hash), feedback_index = coalesce($4, feedback_index),
           due_at = coalesce($5, due_at), updated_at = $6,
           attempts = attempts + case when $2 = 'sending' then 1 else 0 end,
           sent_at = case when $2 = 'sending' then coalesce(sent_at, $6)
             when $2 = 'prepared' then null else sent_at end,
           lands_until = case when $2 = 'sending' then greatest(lands_until, $7)
             when $2 = 'prepared' then null else lands_until end
         where id = $1`,
        [id, end.status, end.txHash ?? null, end.feedbackIndex ?? null, end.dueAt ?? null, at, end.landsUntil ?? null],
      )
    },
  }
}
