import {
  type LoggedAttempt,
  MarketError,
  type NewDelivery,
  type RecordedEvent,
  type StoredSecret,
  type Webhook,
  type WebhookStore,
} from '@ergon/core'
import type { Pool } from 'pg'
import { beginning, readPlace, writePlace, type Place } from './event-feed.ts'
import { inKeyedTransaction, keepKey, type Created } from './keyed-call.ts'
import { sayingBusy } from './trouble.ts'
import { toDelivery, toWebhook, type DeliveryRow, type WebhookRow } from './webhook-rows.ts'
import type { TransactionLine } from './transaction-line.ts'

const mine = 'select * from webhooks where owner = $1 and id = $2'
const deliveryColumns = `d.*,
    (select json_agg(to_json(a) order by a.attempt) from webhook_attempts a where a.delivery_id = d.id) as tried`

/** Endpoints in PostgreSQL. Locks go endpoint, then delivery, here and in the queue. */
export function createWebhookStore(pool: Pool): WebhookStore {
  return sayingBusy<WebhookStore>({
    insertWebhook: (webhook, secret, most) =>
      writing(pool, { webhook: webhook.id, secret: secret.id }, async (client) => {
        // Two calls of one owner count one after the other.
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks of ${webhook.owner}`])
        const { rows } = await client.query<{ count: bigint }>('select count(*) from webhooks where owner = $1', [
          webhook.owner,
        ])
        const count = Number(rows[0]?.count ?? 0n)
        if (count >= most) throw new MarketError('WEBHOOK_CAP_REACHED', { limit: most, count })
        await insertEndpoint(client, webhook)
        await insertSecret(client, webhook.id, secret)
      }),
    ...endpointReads(pool),
    changeWebhook: (owner, id, change) =>
      writing(pool, {}, async (client) => {
        const after = change(found((await client.query<WebhookRow>(`${mine} for update`, [owner, id])).rows))
        await client.query(
          `update webhooks
            set url = $2, events = $3, description = $4, status = $5, disabled_reason = $6, updated_at = $7,
              verified_at = $8, failing_since = $9, failure_count = $10, signs_ed25519 = $11, held_until = null
            where id = $1`,
          [
            id,
            after.url,
            after.events,
            after.description,
            after.status,
            after.disabledReason,
            after.updatedAt,
            after.verifiedAt,
            after.failingSince,
            after.failureCount,
            after.signsEd25519,
          ],
        )
        return after
      }),
    removeWebhook: (owner, id) => {
      const keeping = keepKey()
      return inKeyedTransaction(pool, keeping, async (client) => {
        const isRemoved =
          (await client.query('delete from webhooks where owner = $1 and id = $2', [owner, id])).rowCount === 1
        keeping?.stamp({ removed: String(isRemoved) })
        return isRemoved
      })
    },
    ...secretRows(pool),
    ...deliveryLog(pool),
    replayEvents: (webhook, range, make) => {
      const keeping = keepKey()
      return inKeyedTransaction(pool, keeping, async (client) => {
        const { events, hasMore, end } = await feedOf(client, webhook, range)
        await insertDeliveries(
          client,
          events.map((event) => make(webhook.id, event)),
        )
        keeping?.stamp({ queued: String(events.length), place: end, has_more: String(hasMore) })
        return { queued: events.length, place: end, hasMore }
      })
    },
  })
}

function endpointReads(pool: Pool): Pick<WebhookStore, 'webhooksOf' | 'webhookOf'> {
  return {
    async webhooksOf(owner) {
      const { rows } = await pool.query<WebhookRow>({
        name: 'webhooks-of',
        text: 'select * from webhooks where owner = $1 order by id desc',
        values: [owner],
      })
      return rows.map(toWebhook)
    },
    async webhookOf(owner, id) {
      return found((await pool.query<WebhookRow>({ name: 'webhook-of', text: mine, values: [owner, id] })).rows)
    },
  }
}

/** The secrets that sign deliveries: several are valid at once while one replaces another. */
function secretRows(pool: Pool): Pick<WebhookStore, 'addSecret' | 'secretsOf'> {
  return {
    addSecret: (owner, id, secret, expireOld, keep) =>
      writing(pool, { secret: secret.id }, async (client) => {
        found((await client.query<WebhookRow>(`${mine} for update`, [owner, id])).rows)
        await client.query('update webhook_secrets set expires_at = least(expires_at, $2) where webhook_id = $1', [
          id,
          expireOld,
        ])
        await client.query(
          `delete from webhook_secrets
            where webhook_id = $1
              and (expires_at <= $2
                or id not in (select id from webhook_secrets where webhook_id = $1 order by created_at desc, id desc
                limit $3))`,
          [id, secret.createdAt, keep],
        )
        await insertSecret(client, id, secret)
      }),
    async secretsOf(id, now) {
      const { rows } = await pool.query<{ id: string; sealed: Buffer; created_at: Date }>({
        name: 'webhook-secrets',
        text: `select id, sealed, created_at from webhook_secrets
          where webhook_id = $1 and (expires_at is null or expires_at > $2) order by created_at desc, id desc`,
        values: [id, now],
      })
      return rows.map((row) => ({ id: row.id, sealed: row.sealed, createdAt: row.created_at }))
    },
  }
}

function deliveryLog(pool: Pool): Pick<WebhookStore, 'deliveries' | 'delivery' | 'insertDelivery' | 'logDelivery'> {
  return {
    async deliveries(id, { status }, { cursor, limit, offset }) {
      const { rows } = await pool.query<DeliveryRow>({
        name: 'webhook-deliveries',
        text: `select ${deliveryColumns} from webhook_deliveries d
          where d.webhook_id = $1 and ($2::uuid is null or d.id < $2) and ($3::text is null or d.status = $3)
          order by d.id desc limit $4 offset $5`,
        values: [id, cursor, status, limit + 1, cursor === null ? offset : 0],
      })
      return rows.map(toDelivery)
    },
    async delivery(id, deliveryId) {
      const { rows } = await pool.query<DeliveryRow>({
        name: 'webhook-delivery',
        text: `select ${deliveryColumns} from webhook_deliveries d where d.webhook_id = $1 and d.id = $2`,
        values: [id, deliveryId],
      })
      return rows[0] === undefined ? null : toDelivery(rows[0])
    },
    insertDelivery: (delivery) =>
      writing(pool, { delivery: delivery.id }, (client) => insertDeliveries(client, [delivery])),
    async logDelivery(delivery, status, attempt) {
      await writing(pool, {}, async (client) => {
        await client.query(
          `insert into webhook_deliveries (id, webhook_id, event_id, event_type, kind, body, status, attempts, due_at,
                created_at) values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8)`,
          [
            delivery.id,
            delivery.webhookId,
            delivery.eventId,
            delivery.eventType,
            delivery.kind,
            delivery.body,
            status,
            delivery.dueAt,
          ],
        )
        await client.query(
          `insert into webhook_attempts (delivery_id, attempt, at, duration_ms, request_headers, response_status,
                response_headers, response_body, error) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [delivery.id, ...attemptValues(attempt)],
        )
      })
    },
  }
}

export function attemptValues(one: LoggedAttempt): unknown[] {
  return [
    one.attempt,
    one.at,
    one.durationMs,
    JSON.stringify(one.requestHeaders),
    one.status,
    one.responseHeaders === null ? null : JSON.stringify(one.responseHeaders),
    one.responseBody,
    one.error,
  ]
}

/** Several at once; an event that is there already stays as it is. Answers nothing: who counts, counts events. */
export async function insertDeliveries(client: TransactionLine, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  // Endpoints that get the same event get the same bytes, which are sent to the database once.
  const bodies = [...new Set(deliveries.map(({ body }) => body))]
  const places = new Map(bodies.map((body, place) => [body, place]))
  await client.query({
    name: 'webhook-queue',
    text: `insert into webhook_deliveries (id, webhook_id, event_id, event_type, kind, body, status, due_at, created_at)
      select n.id, n.webhook_id, n.event_id, n.event_type, n.kind, bodies.text, 'pending',
        to_timestamp(n.due_ms / 1000.0), to_timestamp(n.due_ms / 1000.0)
      from rows from (json_to_recordset($1::json) as (
          id uuid, webhook_id uuid, event_id uuid, event_type text, kind text, body int, due_ms bigint))
        with ordinality as n (id, webhook_id, event_id, event_type, kind, body, due_ms, place)
        join json_array_elements_text($2::json) with ordinality as bodies (text, number) on bodies.number = n.body + 1
      order by n.place
      on conflict do nothing`,
    values: [
      JSON.stringify(
        deliveries.map((one) => ({
          id: one.id,
          webhook_id: one.webhookId,
          event_id: one.eventId,
          event_type: one.eventType,
          kind: one.kind,
          body: places.get(one.body),
          due_ms: one.dueAt.getTime(),
        })),
      ),
      JSON.stringify(bodies),
    ],
  })
}

async function insertSecret(client: TransactionLine, webhookId: string, secret: StoredSecret): Promise<void> {
  await client.query('insert into webhook_secrets (id, webhook_id, sealed, created_at) values ($1, $2, $3, $4)', [
    secret.id,
    webhookId,
    secret.sealed,
    secret.createdAt,
  ])
}

type FeedRow = {
  readonly id: string
  readonly type: RecordedEvent['type']
  readonly task_id: string | null
  readonly at: Date
  readonly data: Readonly<Record<string, unknown>>
  readonly xid: string
  readonly seq: bigint
}

/** The part of the owner's feed that the endpoint asks for, and the place behind it. */
async function feedOf(
  client: TransactionLine,
  webhook: Webhook,
  { after, from, to, limit }: Parameters<WebhookStore['replayEvents']>[1],
) {
  const start = after === null ? beginning : readPlace(after)
  const { rows } = await client.query<FeedRow>(
    `select o.id, o.type, o.task_id, o.at, o.data, o.xid::text as xid, o.seq from event_recipients m
      join outbox o on o.xid = m.xid and o.seq = m.seq
     where m.wallet = $1 and (m.xid, m.seq) > ($2::xid8, $3::bigint) and m.xid < event_horizon()
       and ($4::timestamptz is null or o.at >= $4) and ($5::timestamptz is null or o.at < $5)
         and ('*' = any($6::text[]) or o.type = any($6::text[]))
     order by m.xid, m.seq limit $7`,
    [webhook.owner, start.xid, start.seq, from, to, webhook.events, limit + 1],
  )
  const events = rows.slice(0, limit).map((row) => ({
    id: row.id,
    type: row.type,
    taskId: row.task_id,
    at: row.at,
    data: row.data,
    place: writePlace({ xid: row.xid, seq: String(row.seq) }),
  }))
  const end =
    events.at(-1)?.place ?? writePlace(from === null ? start : await placeBefore(client, webhook, start, from))
  return { events, hasMore: rows.length > limit, end }
}

/** Behind what the owner was told before this moment: who goes on from there is told nothing earlier. */
async function placeBefore(client: TransactionLine, webhook: Webhook, start: Place, moment: Date): Promise<Place> {
  const { rows } = await client.query<{ readonly xid: string; readonly seq: bigint }>(
    `select m.xid::text as xid, m.seq from event_recipients m join outbox o on o.xid = m.xid and o.seq = m.seq
     where m.wallet = $1 and (m.xid, m.seq) > ($2::xid8, $3::bigint) and m.xid < event_horizon() and o.at < $4
     order by m.xid desc, m.seq desc limit 1`,
    [webhook.owner, start.xid, start.seq, moment],
  )
  const [row] = rows
  return row === undefined ? start : { xid: row.xid, seq: String(row.seq) }
}

/** One transaction, under the key of the call when it came with one. */
function writing<T>(pool: Pool, created: Created, work: (client: TransactionLine) => Promise<T>): Promise<T> {
  const keeping = keepKey()
  return inKeyedTransaction(pool, keeping, async (client) => {
    const result = await work(client)
    keeping?.stamp(created)
    return result
  })
}

/** @throws WEBHOOK_NOT_FOUND */
function found([row]: readonly WebhookRow[]): Webhook {
  if (row === undefined) throw new MarketError('WEBHOOK_NOT_FOUND')
  return toWebhook(row)
}

async function insertEndpoint(client: TransactionLine, webhook: Webhook): Promise<void> {
  await client.query(
    `insert into webhooks (id, owner, url, events, description, signs_ed25519, status, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      webhook.id,
      webhook.owner,
      webhook.url,
      webhook.events,
      webhook.description,
      webhook.signsEd25519,
      webhook.status,
      webhook.createdAt,
    ],
  )
}
