import type { Query } from './database.ts'

export type Counted = {
  readonly channels: Readonly<Record<'opening' | 'open' | 'closing', number>>
  /** Null where no channel waits to be looked at. */
  readonly lateSeconds: number | null
  readonly callsHeld: number
  readonly sponsoredToday: number
}

type Row = {
  readonly opening: number
  readonly open: number
  readonly closing: number
  readonly late: number | null
  readonly held: number
  readonly sponsored: number
}

const text = `select count(*) filter (where status = 'opening')::int as opening,
    count(*) filter (where status = 'open')::int as open, count(*) filter (where status = 'closing')::int as closing,
    extract(epoch from clock_timestamp() - min(watch_at))::float8 as late,
    (select count(*)::int from (select 1 from deliveries where state = 'asked' order by channel_id limit 1000) d)
      as held,
    coalesce((select used from sponsored where day = (now() at time zone 'utc')::date and counted = 'all'), 0)::int
      as sponsored
  from (select status, watch_at from channels where status in ('opening', 'open', 'closing')
    order by watch_at limit 1000) c`

/** What the gateway has to do, by its indexes; whatever there is costs no more than a thousand rows. */
export async function readCounted(query: Query): Promise<Counted> {
  const [row] = await query<Row>(text)
  if (row === undefined) throw new Error('a question without an answer')
  const { opening, open, closing, late, held, sponsored } = row
  return {
    channels: { opening, open, closing },
    lateSeconds: late === null ? null : Math.max(0, late),
    callsHeld: held,
    sponsoredToday: sponsored,
  }
}
