import type { ChannelStore, PricedStream, StreamsOf } from '@ergon/core'
import type { Pool } from 'pg'
import { termsOf, type TermsRow } from './channel-rows.ts'
import { countedBy, namedRows } from './named-rows.ts'
import { pageOf } from './page-of.ts'
import { toTask, type TaskRow } from './rows.ts'

type StreamRow = TaskRow & TermsRow

/** Each side has its index and its statements, which say what the index covers. */
const sides = {
  buyer: "tasks t where t.publisher_wallet = $1 and t.evidence_required = '{}'",
  worker: "tasks t where t.executor_id = $1 and t.evidence_required = '{}'",
} as const

/** Metered sessions of one side: tasks that ask for nothing to be handed in (decision 0204). */
export function createStreams(pool: Pool): Pick<ChannelStore, 'streamsOf'> {
  const all = namedRows(pool)
  const counted = countedBy(all)
  return {
    async streamsOf(whose, page) {
      const [side, of] = sideOf(whose)
      const { limit, offset, cursor } = page
      const [rows, total] = await Promise.all([
        all<StreamRow>(
          `streams-of-${side}`,
          `select t.*, m.unit, m.price_atomic, m.cap_atomic
             from (select * from ${sides[side]} and ($2::uuid is null or t.id < $2)
               order by t.id desc limit $3 offset $4) t
             join meter_terms m on m.task_id = t.id order by t.id desc`,
          [of, cursor, limit + 1, cursor === null ? offset : 0],
        ),
        counted(`streams-of-${side}-total`, sides[side], [of]),
      ])
      return pageOf(rows, total, page, toPriced)
    },
  }
}

const sideOf = (whose: StreamsOf): readonly ['buyer' | 'worker', string] =>
  'buyer' in whose ? ['buyer', whose.buyer] : ['worker', whose.worker]

const toPriced = (row: StreamRow): PricedStream => ({ stream: toTask(row), terms: termsOf(row) })
