/** So many of the oldest are looked at, and so many lanes by themselves, that a full one holds up no other. */
const [mostOldest, mostLanes] = [1_000, 100]

type Due = {
  readonly table: string
  readonly key: string
  /** SQL: what shares a limit, as an index has it before `due_at`; null where all do. */
  readonly lane: string | null
  /** SQL: how many of a lane may be claimed. */
  readonly ofLane: string
  /** SQL: which of the rows may be claimed at all. */
  readonly may?: string
}

/**
 * SQL that begins a statement: `found` has the keys of what may be claimed, a few thousand rows however many are due.
 * `now()` bounds an index; what changes within a statement, such as `clock_timestamp()`, does not (decision 0318).
 */
export function dueByLane({ table, key, lane, ofLane, may = 'true' }: Due): string {
  const due = `due_at <= now() and ${may} order by due_at`
  const oldest = `select ${key} from ${table} where ${due} limit ${String(mostOldest)}`
  if (lane === null) return `with found as (${oldest})`
  // Asked for an equal lane the database walks through all that is due, and finds a rare one at the end: so it is asked
  // for a range, which the index of lanes alone has in this order.
  return `with recursive lanes_at as (
    select (select ${lane} from ${table} order by ${lane} limit 1) as lane, 1 as place
    union all
    select (select ${lane} from ${table} where ${lane} > n.lane order by ${lane} limit 1), n.place + 1
    from lanes_at n where n.lane is not null and n.place < ${String(mostLanes)}
  ), found as (
    (${oldest})
    union
    select d.* from lanes_at n cross join lateral (
      select ${key} from ${table}
      where ${lane} >= n.lane and (${lane}, due_at) <= (n.lane, now()) and ${may}
      order by ${lane}, due_at limit ${ofLane}) d
    where n.lane is not null
  )`
}
