import type { DueNotice, NoticeQueue } from '@ergon/core'
import type { Pool } from 'pg'
import { dueByLane } from './due-by-lane.ts'
import { leaseKeeperOf, leaseMs as firstMs, type queues } from './lease-keeper.ts'

type NoticeTable<Row, Due> = {
  readonly queue: (typeof queues)['subscriptions' | 'mails']
  /** SQL: what shares a limit, of a row, as an index has it before `due_at`; null where all do. */
  readonly lane: string | null
  /** SQL: which rows are told of what happens. */
  readonly isOpen: string
  readonly toDue: (row: Row) => Due
}
type Leased = { readonly id: string; readonly due_at: Date }

/** The oldest of each lane first, as many as it has room for beside what is under way. */
const claimOf = (
  table: string,
  lane: string | null,
): string => `${dueByLane({ table, key: 'id', lane, ofLane: '$5' })}, lanes as (
    select lane, count from unnest($3::text[], $4::int[]) as u (lane, count)
  ), ranked as (
    select id, due_at, row_number() over (partition by ${lane ?? oneLane} order by due_at, id)
        + coalesce((select l.count from lanes l where l.lane = ${lane ?? oneLane}), 0) as of_lane
    from ${table} where id = any(array(select id from found))
  ), picked as (
    select s.id from ${table} s
    where s.id = any(array(select id from ranked where of_lane <= $5 order by due_at limit $1)) and s.due_at <= now()
    for update of s skip locked
  )
  update ${table} s
  set due_at = date_trunc('milliseconds', clock_timestamp()) + $2 * interval '1 millisecond', is_leased = true,
    was_told = false, lease = gen_random_uuid()
  where s.id = any(array(select id from picked)) returning s.*`

const oneLane = "''::text"

/** When a row of a table of subscriptions is due. Times are the database's, which all processes share. */
export function noticeQueueOf<Row, Due extends DueNotice>(
  pool: Pool,
  { queue, lane, isOpen, toDue }: NoticeTable<Row, Due>,
): NoticeQueue<Due> {
  const { name, table } = queue
  return {
    async claim({ most, leaseMs, perLane, underWay }) {
      const { rows } = await pool.query<Row & Leased>({
        name: `${name}-claim`,
        text: claimOf(table, lane),
        values: [most, Math.min(leaseMs, firstMs), [...underWay.keys()], [...underWay.values()], perLane],
      })
      const held = rows.map((row) => ({ keys: [row.id], due: row.due_at }))
      leaseKeeperOf(pool).keep(queue, held, leaseMs)
      return rows.map(toDue)
    },
    async heard({ id, lease }, place, idleMs, quietMs) {
      await pool.query({
        name: `${name}-heard`,
        text: `update ${table} set place = $2, attempts = 0, is_leased = false,
            due_at = clock_timestamp()
              + (case when was_told then $4::int else greatest($3::int, $4::int) end) * interval '1 millisecond',
            quiet_until = clock_timestamp() + $4::int * interval '1 millisecond' where id = $1 and lease = $5`,
        values: [id, place, idleMs, quietMs, lease],
      })
    },
    async failed({ id, lease }, waitMs) {
      await pool.query({
        name: `${name}-failed`,
        text: `update ${table} set attempts = attempts + 1, is_leased = false,
            due_at = clock_timestamp() + $2 * interval '1 millisecond' where id = $1 and lease = $3`,
        values: [id, waitMs, lease],
      })
    },
    async postpone({ id, lease }, waitMs) {
      await pool.query({
        name: `${name}-postpone`,
        text: `update ${table} set is_leased = false, due_at = clock_timestamp() + $2 * interval '1 millisecond',
            quiet_until = clock_timestamp() + $2 * interval '1 millisecond' where id = $1 and lease = $3`,
        values: [id, waitMs, lease],
      })
    },
    async tell(wallets) {
      await pool.query({
        name: `${name}-tell`,
        text: `with told as materialized (
            select id from ${table} where wallet = any($1) and ${isOpen} order by id for no key update
          )
          update ${table} set was_told = true,
            due_at = case when is_leased or attempts > 0 then due_at
              else greatest(clock_timestamp(), quiet_until) end
          where id in (select id from told) and ${isOpen}`,
        values: [wallets],
      })
    },
  }
}
