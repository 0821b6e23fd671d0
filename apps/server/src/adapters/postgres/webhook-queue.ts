import type { DeliveryQueue, EndedAttempt, LeasedDelivery, RecordedEvent } from '@ergon/core'
import type { Pool } from 'pg'
import { writePlace } from './event-feed.ts'
import { forgetRows } from './forget-rows.ts'
import { inKeyedTransaction } from './keyed-call.ts'
import { firstLease, leaseKeeperOf, queues } from './lease-keeper.ts'
import { tellWallet } from './tell-wallet.ts'
import { sayingBusy } from './trouble.ts'
import { insertDeliveries } from './webhooks.ts'
import type { TransactionLine } from './transaction-line.ts'

type EventRow = {
  readonly id: string
  readonly type: RecordedEvent['type']
  readonly task_id: string | null
  readonly at: Date
  readonly data: Readonly<Record<string, unknown>> | null
  readonly xid: string
  readonly seq: bigint
  readonly webhook_ids: readonly string[] | null
}

/** Events behind the consumer's place, so many at the most. Whoever holds the place works; others come again. */
const placeAndBatch = (columns: string): string => `with place as materialized (
    select xid, seq from event_cursors where name = 'webhooks' for update skip locked
  ), batch as materialized (
    select o.* from place cross join lateral (
      select ${columns} from outbox where (xid, seq) > (place.xid, place.seq) and xid < event_horizon()
      order by xid, seq limit $1) o
  )`
/** The endpoints that get an event `b`. */
const endpointsOfEvent = `event_recipients r
    join webhooks w on w.owner = r.wallet and w.status = 'active'
      and not exists (select 1 from bans where bans.wallet = w.owner)
    where r.xid = b.xid and r.seq = b.seq and ('*' = any(w.events) or b.type = any(w.events))`

/** Goes past what nobody gets, up to the first event that an endpoint asked for: most of them, by one statement. */
const pass = `${placeAndBatch('xid, seq, type')}, wanted as (
    select b.xid, b.seq from batch b where exists (select 1 from ${endpointsOfEvent}) order by b.xid, b.seq limit 1
  ), passed as (
    select b.xid, b.seq from batch b where not exists (select 1 from wanted w where (w.xid, w.seq) <= (b.xid, b.seq))
  ), moved as (
    update event_cursors c set xid = l.xid, seq = l.seq
    from (select xid, seq from passed order by xid desc, seq desc limit 1) l where c.name = 'webhooks'
  )
  select (select count(*)::int from passed) as passed, exists (select 1 from wanted) as is_wanted`

/** Events behind the consumer's place, each once, with every endpoint that gets it; what nobody gets is not read. */
const news = `${placeAndBatch('xid, seq, id, type, task_id, at, data')}
  select b.id, b.type, b.task_id, b.at, case when w.ids is null then null else b.data end as data, b.xid::text as xid,
    b.seq, w.ids as webhook_ids
  from batch b left join lateral (select array_agg(w.id order by w.id) as ids from ${endpointsOfEvent}) w on true
  order by b.xid, b.seq`

/** Of nine attempts eight went through, the last one too: it will not hold what it is posted for long. */
const isProven = `(w.failing_since is null and w.success_count > 0
    and w.success_count >= 8 * (w.attempt_count - w.success_count))`

/** Endpoints with something due are found by leaping over the index from one to the next, whatever lies between. */
const lease = `with recursive under_way as (
    select id, count from unnest($5::uuid[], $6::int[]) as u (id, count)
  ), room as (
    select greatest(0, case when $8::boolean then $7::bigint else least($7::bigint, $9::bigint - (
        select coalesce(sum(u.count), 0) from under_way u join webhooks w on w.id = u.id where not ${isProven}))
      end) as most
  ), waiting as (
    (select webhook_id, due_at from webhook_deliveries where status = 'pending' and webhook_id > $3
      order by webhook_id, due_at limit 1)
    union all
    select n.webhook_id, n.due_at from waiting p
    cross join lateral (select webhook_id, due_at from webhook_deliveries
      where status = 'pending' and webhook_id > p.webhook_id order by webhook_id, due_at limit 1) n
  ), ready as (
    select w.id, w.url, w.signs_ed25519, m.at_once - coalesce(u.count, 0) as room
    from waiting p join webhooks w on w.id = p.webhook_id
    left join under_way u on u.id = w.id
    cross join lateral (
      select case when w.failing_since is null and w.success_count > 0 then $4 else 1 end as at_once) m
    where p.due_at <= $1 and w.status = 'active' and (w.held_until is null or w.held_until <= $1)
      and ${isProven} = $8 and m.at_once > coalesce(u.count, 0)
      and not exists (select 1 from bans where bans.wallet = w.owner)
    limit (select most from room)
  ), picked as (
    select d.id, r.url, r.signs_ed25519 from ready r cross join lateral (
      select id from webhook_deliveries where webhook_id = r.id and status = 'pending' and due_at <= $1
      order by due_at, seq limit r.room for update skip locked) d
    limit (select most from room)
  ), leased as (
    update webhook_deliveries d set lease = d.lease + 1, due_at = $2 from picked where d.id = picked.id
    returning d.id, d.lease, d.attempts, d.kind, d.webhook_id, d.seq,
      picked.url, picked.signs_ed25519, d.event_id, d.body
  ), numbered as (
    select *, dense_rank() over (order by event_id, body) - 1 as place from leased
  )
  select (select most::int from room) as most,
    (select coalesce(json_object_agg(e.webhook_id, json_build_object('url', e.url, 'signsEd25519', e.signs_ed25519,
      'secrets', array(select encode(s.sealed, 'hex') from webhook_secrets s
        where s.webhook_id = e.webhook_id and (s.expires_at is null or s.expires_at > $1)
        order by s.created_at desc, s.id desc))), '{}')
      from (select distinct webhook_id, url, signs_ed25519 from leased) e) as endpoints,
    (select coalesce(json_agg(b.body order by b.place), '[]')
      from (select distinct place, body from numbered) b) as bodies,
    (select coalesce(
        json_agg(json_build_array(id, lease, attempts, kind, webhook_id, event_id, place) order by seq), '[]')
      from numbered) as deliveries`

/**
 * What endpoints and events share is sent and read once; one text of JSON costs this process a fraction of as many
 * rows.
 */
type LeasedRow = {
  readonly most: number
  readonly endpoints: Readonly<
    Record<string, { readonly url: string; readonly signsEd25519: boolean; readonly secrets: readonly string[] }>
  >
  readonly bodies: readonly string[]
  readonly deliveries: readonly (readonly [
    id: string,
    lease: number,
    attempts: number,
    kind: LeasedDelivery['kind'],
    webhookId: string,
    eventId: string,
    place: number,
  ])[]
}

const first = '00000000-0000-0000-0000-000000000000'

/** The queue in PostgreSQL. `onCommitted` hears of events that this queue itself causes. */
export function createDeliveryQueue(pool: Pool, onCommitted: () => void = () => undefined): DeliveryQueue {
  const from = { proven: first, unproven: first }
  type Ask = Parameters<DeliveryQueue['leaseDeliveries']>[0]
  const leaseOf = async (kind: keyof typeof from, ask: Ask): Promise<readonly LeasedDelivery[]> => {
    const { now, until, limit, perEndpoint, mostUnproven, underWay } = ask
    const [ids, counts] = [[...underWay.keys()], [...underWay.values()]]
    const values = [now, firstLease(now, until), from[kind], perEndpoint, ids, counts, limit, kind === 'proven']
    const { rows } = await pool.query<LeasedRow>({
      name: 'webhook-lease',
      text: lease,
      values: [...values, mostUnproven],
    })
    const leased = rows.flatMap(toLeased)
    // A full round goes on behind its last endpoint next time; a round that came to the end begins anew.
    if (leased.length < (rows[0]?.most ?? 0)) from[kind] = first
    else from[kind] = leased.reduce((most, { webhookId }) => (webhookId > most ? webhookId : most), from[kind])
    return leased
  }
  return sayingBusy<DeliveryQueue>({
    async fanOut(limit, make) {
      const { rows } = await pool.query<{ passed: number; is_wanted: boolean }>({
        name: 'webhook-pass',
        text: pass,
        values: [limit],
      })
      const { passed = 0, is_wanted: isWanted = false } = rows[0] ?? {}
      if (!isWanted) return passed
      return passed + (await inKeyedTransaction(pool, undefined, (client) => fanOut(client, limit, make)))
    },
    async leaseDeliveries(ask) {
      const { now, until, limit } = ask
      const proven = await leaseOf('proven', ask)
      const rest = limit - proven.length
      const leased = rest === 0 ? proven : [...proven, ...(await leaseOf('unproven', { ...ask, limit: rest }))]
      const held = leased.map(({ id }) => ({ keys: [id], due: firstLease(now, until) }))
      leaseKeeperOf(pool).keep(queues.deliveries, held, until.getTime() - now.getTime())
      return leased
    },
    async endAttempts(ended, disable) {
      const isTold = await inKeyedTransaction(pool, undefined, async (client) => {
        await client.query('select 1 from webhooks where id = any($1) order by id for no key update', [
          [...new Set(ended.map(({ delivery }) => delivery.webhookId))],
        ])
        await endDeliveries(client, ended)
        return countAttempts(client, ended, disable)
      })
      if (isTold) onCommitted()
    },
    forgetDeliveries: (before, limit) =>
      forgetRows(pool, { table: 'webhook_deliveries', where: 'created_at < $2', order: 'created_at' }, limit, [before]),
  })
}

async function fanOut(
  client: TransactionLine,
  limit: number,
  make: Parameters<DeliveryQueue['fanOut']>[1],
): Promise<number> {
  const { rows } = await client.query<EventRow>({ name: 'webhook-news', text: news, values: [limit] })
  const last = rows.at(-1)
  if (last === undefined) return 0
  await insertDeliveries(
    client,
    rows.flatMap(({ webhook_ids: webhookIds, data, ...row }) => {
      if (webhookIds === null || data === null) return []
      const event = {
        id: row.id,
        type: row.type,
        taskId: row.task_id,
        at: row.at,
        data,
        place: writePlace({ xid: row.xid, seq: String(row.seq) }),
      }
      return webhookIds.map((webhookId) => make(webhookId, event))
    }),
  )
  await client.query("update event_cursors set xid = $1::xid8, seq = $2 where name = 'webhooks'", [last.xid, last.seq])
  return rows.length
}

function toLeased({ endpoints, bodies, deliveries }: LeasedRow): LeasedDelivery[] {
  const known = new Map(
    Object.entries(endpoints).map(([id, { secrets, ...endpoint }]) => [
      id,
      { ...endpoint, secrets: secrets.map((sealed) => Buffer.from(sealed, 'hex')) },
    ]),
  )
  return deliveries.flatMap(([id, lease, attempts, kind, webhookId, eventId, place]) => {
    const [endpoint, body] = [known.get(webhookId), bodies[place]]
    return endpoint === undefined || body === undefined
      ? []
      : [
          {
            id,
            lease,
            attempts,
            kind,
            webhookId,
            eventId,
            body,
            url: endpoint.url,
            signsEd25519: endpoint.signsEd25519,
            secrets: endpoint.secrets,
          },
        ]
  })
}

/** An attempt whose lease was taken over is not written: the other one is. */
async function endDeliveries(client: TransactionLine, ended: readonly EndedAttempt[]): Promise<void> {
  await client.query({
    name: 'webhook-end',
    text: `with ended as (
        select *, to_timestamp(due_ms / 1000.0) as due_at, to_timestamp(at_ms / 1000.0) as at
        from json_to_recordset($1::json) as e (id uuid, lease int, status text, due_ms bigint, at_ms bigint,
            duration_ms int, request_headers jsonb, response_status int, response_headers jsonb, response_body text,
            error text)
      ), locked as materialized (
        select d.id from webhook_deliveries d where d.id in (select id from ended) order by d.id for no key update
      ), moved as (
        update webhook_deliveries d set status = e.status, due_at = e.due_at, attempts = d.attempts + 1
        from ended e join locked l on l.id = e.id
        where d.id = e.id and d.lease = e.lease and d.status = 'pending' returning d.id, d.attempts
      )
      insert into webhook_attempts (delivery_id, attempt, at, duration_ms, request_headers, response_status,
          response_headers, response_body, error)
      select m.id, m.attempts, e.at, e.duration_ms, e.request_headers, e.response_status, e.response_headers,
        e.response_body, e.error from moved m join ended e on e.id = m.id`,
    // One text for all of them costs this process a third of what arrays of quoted texts do.
    values: [
      JSON.stringify(
        ended.map(({ delivery, log, status, dueAt }) => ({
          id: delivery.id,
          lease: delivery.lease,
          status,
          due_ms: dueAt.getTime(),
          at_ms: log.at.getTime(),
          duration_ms: log.durationMs,
          request_headers: log.requestHeaders,
          response_status: log.status,
          response_headers: log.responseHeaders,
          response_body: log.responseBody,
          error: log.error,
        })),
      ),
    ],
  })
}

/** Moves what is known of the health of endpoints; true when one was disabled and its owner's feed says so. */
async function countAttempts(
  client: TransactionLine,
  ended: readonly EndedAttempt[],
  disable: { readonly failingSince: Date; readonly at: Date; readonly nextId: () => string },
): Promise<boolean> {
  const sums = sumByEndpoint(ended)
  const { rows } = await client.query<{
    id: string
    owner: string
    url: string
    failing_since: Date | null
    reason: 'gone' | 'failing'
  }>({
    name: 'webhook-count',
    text: `with counted as (
        select * from unnest($1::uuid[], $2::int[], $3::int[], $4::int[],
            $5::timestamptz[], $6::timestamptz[], $7::timestamptz[], $8::boolean[])
          as c (id, made, succeeded, failed, failing_since, last_at, held_until, is_gone)
      ), moved as (
        update webhooks w
        set attempt_count = w.attempt_count + c.made, success_count = w.success_count + c.succeeded,
          last_attempt_at = greatest(w.last_attempt_at, c.last_at), held_until = coalesce(c.held_until, w.held_until),
          failure_count = case when c.succeeded > 0 then 0 else w.failure_count end + c.failed,
          failing_since = case when c.succeeded > 0 then c.failing_since
            else coalesce(w.failing_since, c.failing_since) end
        from counted c where w.id = c.id returning w.id, w.status, w.owner, w.url, w.failing_since, c.is_gone
      )
      select id, owner, url, failing_since, case when is_gone then 'gone' else 'failing' end as reason from moved
      where status = 'active' and (is_gone or failing_since <= $9)`,
    values: [
      sums.map(({ id }) => id),
      sums.map((one) => one.made),
      sums.map((one) => one.succeeded),
      sums.map((one) => one.failed),
      sums.map((one) => one.failingSince),
      sums.map((one) => one.lastAt),
      sums.map((one) => one.heldUntil),
      sums.map((one) => one.isGone),
      disable.failingSince,
    ],
  })
  for (const row of rows) {
    await client.query("update webhooks set status = 'disabled', disabled_reason = $2 where id = $1", [
      row.id,
      row.reason,
    ])
    await tellWallet(client, row.owner, {
      id: disable.nextId(),
      type: 'endpoint.disabled',
      at: disable.at,
      data: {
        webhook_id: row.id,
        url: row.url,
        reason: row.reason,
        failing_since: row.failing_since?.toISOString() ?? null,
      },
    })
  }
  return rows.length > 0
}

type EndpointSum = {
  readonly id: string
  made: number
  succeeded: number
  failed: number
  failingSince: Date | null
  lastAt: Date
  heldUntil: Date | null
  isGone: boolean
}

/** Attempts of one endpoint in the order in which they were begun: failures before a success are forgiven. */
function sumByEndpoint(ended: readonly EndedAttempt[]): readonly EndpointSum[] {
  const sums = new Map<string, EndpointSum>()
  for (const one of [...ended].sort((a, b) => a.log.at.getTime() - b.log.at.getTime())) {
    const { webhookId: id } = one.delivery
    const sum = sums.get(id) ?? {
      id,
      made: 0,
      succeeded: 0,
      failed: 0,
      failingSince: null,
      lastAt: one.log.at,
      heldUntil: null,
      isGone: false,
    }
    sums.set(id, sum)
    sum.made += 1
    sum.lastAt = one.log.at
    sum.heldUntil = one.heldUntil ?? sum.heldUntil
    sum.isGone ||= one.isGone
    if (one.status === 'delivered') Object.assign(sum, { succeeded: sum.succeeded + 1, failed: 0, failingSince: null })
    else if (one.countsForHealth)
      Object.assign(sum, { failed: sum.failed + 1, failingSince: sum.failingSince ?? one.log.at })
  }
  return [...sums.values()]
}
