import {
  cutText,
  MarketError,
  publicEvents,
  type EventPlace,
  type EventQuery,
  type EventStore,
  type RecordedEvent,
} from '@ergon/core'
import type { Pool } from 'pg'
import { keepEventEpoch, type EpochReason } from './event-epoch.ts'

export type Place = { readonly xid: string; readonly seq: string }
type EventRow = {
  readonly id: string
  readonly type: RecordedEvent['type']
  readonly task_id: string | null
  readonly at: Date
  readonly data: Readonly<Record<string, unknown>>
  readonly xid: string
  readonly seq: bigint
  readonly wallets: string[]
  /** Below it nothing is under way any more: every event there is seen by the statement that tells it. */
  readonly horizon: string
}
/** What tells the horizon where there is no event. */
type NoEventRow = Pick<EventRow, 'horizon'> & { readonly id: null }

export const beginning: Place = { xid: '0', seq: '0' }
/** Sorts behind every event of the transactions before `xid`, which carries its epoch (decision 0115). */
const horizon = 'select event_horizon()::text as xid'

/**
 * The outbox as a stream. Sequence numbers are taken before commits, so their order alone would skip rows that commit
 * late; by (xid, seq), and only below the oldest transaction still running, what a reader passed never grows.
 */
export function createEventFeed(pool: Pool, onEpoch: (reason: EpochReason) => void = () => undefined): EventStore {
  /** With the horizon of the same snapshot: a place at it is never behind an event that was not given. */
  const read = async (query: EventQuery, from: Place, limit: number, offset: number) => {
    const { name, text, values } = statement(query, from, limit, offset)
    const { rows } = await pool.query<EventRow | NoEventRow>({ name, text, values: [...values] })
    const [first] = rows
    if (first === undefined) throw new Error('a horizon without a row')
    return { horizon: { xid: first.horizon, seq: '0' }, rows: rows.filter((row) => row.id !== null) }
  }
  return {
    async eventsAfter(query, after, limit, offset = 0) {
      const from = after === null ? beginning : readPlace(after)
      let { rows, horizon: place } = await read(query, from, limit, offset)
      // It only grows; a place beyond it is nobody's, or was given by a database that has gone back since.
      if (isBehind(from, place)) {
        const reason = await keepEventEpoch(pool)
        if (reason !== null) onEpoch(reason)
        ;({ rows, horizon: place } = await read(query, from, limit, offset))
        if (isBehind(from, place)) throw notGiven(after ?? '')
      }
      const found = rows.slice(0, limit)
      const hasMore = rows.length > limit
      const last = found.at(-1)
      const end = hasMore && last !== undefined ? { xid: last.xid, seq: String(last.seq) } : place
      return { events: found.map(toEvent), place: writePlace(end), hasMore }
    },
    async areKept(after) {
      const { xid, seq } = readPlace(after)
      const { rowCount } = await pool.query({
        name: 'events-forgotten',
        text: 'select 1 from forgotten_events where (xid, seq) > ($1::xid8, $2::bigint)',
        values: [xid, seq],
      })
      return rowCount === 0
    },
    async eventHorizon() {
      return writePlace(await readHorizon(pool))
    },
    async forgetEvents(before, limit) {
      const { rowCount } = await pool.query({
        name: 'events-forget',
        text: `with old as materialized (select seq, xid from (
              select seq, xid, at from outbox order by xid, seq limit $2) oldest where at < $1),
          addressed as (delete from event_recipients where ctid = any(array(select r.ctid from old cross join lateral (
              select ctid from event_recipients r where r.xid = old.xid and r.seq = old.seq offset 0) r))),
          mark as (insert into forgotten_events (xid, seq)
            select xid, seq from old order by xid desc, seq desc limit 1
            on conflict (one) do update set xid = excluded.xid, seq = excluded.seq)
          delete from outbox where seq = any(array(select seq from old))`,
        values: [before, limit],
      })
      return rowCount ?? 0
    },
  }
}

function statement(
  query: EventQuery,
  from: Place,
  limit: number,
  offset: number,
): { readonly name: string; readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [from.xid, from.seq, offset + limit + 1, offset]
  const given = (value: unknown): string => `$${String(values.push(value))}`
  const types = query.types === null ? null : given(query.types)
  const where = [
    types === null ? null : ` and o.type = any(${types}::text[])`,
    query.publicOnly === true ? ` and ${isOfNoOrder}` : null,
    query.taskId === null ? null : ` and o.task_id = ${given(query.taskId)}`,
    query.category === null
      ? null
      : ` and exists (select 1 from tasks t where t.id = o.task_id and t.category = ${given(query.category)})`,
  ].filter((one) => one !== null)
  const { wallet, orPublic = false } = query
  const isFeed = wallet !== null && !orPublic
  const key = isFeed ? 'm' : 'o'
  const mine =
    wallet === null ? '' : orPublic ? told(given(wallet), given(publicEvents)) : ` and m.wallet = ${given(wallet)}`
  const after = (name: string): string =>
    `(${name}.xid, ${name}.seq) > ($1::xid8, $2::bigint) and ${name}.xid < h.horizon`
  // Of everything, a few types are read type by type: what lies between them may be the whole history.
  const ofTypes = `(select distinct unnest(${types ?? ''}::text[]) as type) k cross join lateral (
      select * from outbox x where x.type = k.type and ${after('x')} order by x.xid, x.seq limit $3) o`
  const source = isFeed
    ? 'event_recipients m join outbox o on o.xid = m.xid and o.seq = m.seq'
    : types !== null && wallet === null && query.taskId === null && query.category === null
      ? ofTypes
      : 'outbox o'
  const filters = [
    query.wallet,
    types,
    query.publicOnly === true || null,
    query.taskId,
    query.category,
    orPublic || null,
  ]
  return {
    // One text for each set of filters.
    name: `events-after-${filters.map((one) => (one === null ? 0 : 1)).join('')}`,
    text: `with h as materialized (select event_horizon() as horizon)
      select h.horizon::text as horizon, e.* from h left join lateral (
        select o.id, o.type, o.task_id, o.at, o.data, o.xid::text as xid, o.seq,
          array(select r.wallet from event_recipients r where r.xid = o.xid and r.seq = o.seq) as wallets
        from ${source} where ${after(key)}${mine}${where.join('')}
        order by ${key}.xid, ${key}.seq offset $4 limit $3) e on true`,
    values,
  }
}

/** Of a public type: an order is between two. */
const isOfNoOrder = "not (o.data ? 'listing_id')"

/** What is in the feed of a wallet, or public. */
const told = (wallet: string, types: string): string =>
  ` and (o.type = any(${types}::text[]) and ${isOfNoOrder}
    or exists (select 1 from event_recipients r where r.xid = o.xid and r.seq = o.seq and r.wallet = ${wallet}))`

function toEvent(row: EventRow): RecordedEvent {
  return {
    id: row.id,
    type: row.type,
    taskId: row.task_id,
    at: row.at,
    data: row.data,
    wallets: row.wallets,
    place: writePlace({ xid: row.xid, seq: String(row.seq) }),
  }
}

async function readHorizon(pool: Pool): Promise<Place> {
  const { rows } = await pool.query<{ xid: string }>({ name: 'event-horizon', text: horizon })
  return { xid: rows[0]?.xid ?? '0', seq: '0' }
}

/** Whether a place lies behind another one, in the order of the stream. */
export function isBehindPlace(one: EventPlace, other: EventPlace): boolean {
  return isBehind(readPlace(one), readPlace(other))
}

function isBehind(one: Place, other: Place): boolean {
  const [a, b] = [BigInt(one.xid), BigInt(other.xid)]
  return a > b || (a === b && BigInt(one.seq) > BigInt(other.seq))
}

export function writePlace({ xid, seq }: Place): EventPlace {
  return `${BigInt(xid).toString(36)}.${BigInt(seq).toString(36)}`
}

const placeText = /^([0-9a-z]{1,13})\.([0-9a-z]{1,13})$/

/** @throws VALIDATION_FAILED for a place that no answer gave */
export function readPlace(text: EventPlace): Place {
  const [, xid, seq] = placeText.exec(text) ?? []
  const place = xid === undefined || seq === undefined ? undefined : { xid: fromBase36(xid), seq: fromBase36(seq) }
  if (place === undefined || place.xid > maxXid || place.seq > maxSeq) throw notGiven(text)
  return { xid: String(place.xid), seq: String(place.seq) }
}

function notGiven(text: EventPlace): MarketError {
  return new MarketError('VALIDATION_FAILED', {
    field: 'cursor',
    constraint: 'a next_cursor of this stream',
    received: cutText(text, 100),
  })
}

const maxXid = 2n ** 64n - 1n
const maxSeq = 2n ** 63n - 1n

function fromBase36(text: string): bigint {
  let value = 0n
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value
}
