import type { DueSubscription, NoticeLanguage, PushSubscription, PushSubscriptions } from '@ergon/core'
import type { NewsKind } from '@ergon/contract/facts'
import type { Pool } from 'pg'
import { queues } from './lease-keeper.ts'
import { noticeQueueOf } from './notice-queue.ts'
import { sayingBusy } from './trouble.ts'

type Row = {
  id: string
  wallet: string
  endpoint: string
  p256dh: string
  auth: string
  kinds: NewsKind[]
  language: NoticeLanguage
  created_at: Date
}
type DueRow = Row & { place: string; attempts: number; lease: string }

const isSame = 'push_subscriptions.wallet = excluded.wallet'
const columns = 'id, wallet, endpoint, p256dh, auth, kinds, language, created_at'
/**
 * What another wallet's browser heard is no place for the next one to go on from. A browser that says the same again
 * is told after what is under way to it.
 */
const put = `insert into push_subscriptions
    (id, wallet, endpoint, p256dh, auth, kinds, language, place, due_at, created_at)
  values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, clock_timestamp(), clock_timestamp())
  on conflict (endpoint) do update set
    id = case when ${isSame} then push_subscriptions.id else excluded.id end,
    place = case when ${isSame} then push_subscriptions.place else excluded.place end,
    wallet = excluded.wallet, p256dh = excluded.p256dh, auth = excluded.auth, kinds = excluded.kinds,
    language = excluded.language, attempts = 0, was_told = true,
    lease = case when ${isSame} then push_subscriptions.lease end,
    is_leased = push_subscriptions.is_leased and ${isSame},
    due_at = case when push_subscriptions.is_leased and ${isSame} then push_subscriptions.due_at
      else clock_timestamp() end
  returning ${columns}`
const forgetOldest = `delete from push_subscriptions where id in (
    select id from push_subscriptions where wallet = $1 and id <> $2 order by created_at desc, id offset $3)`
/** Browsers that show notices, in PostgreSQL. */
export function createPushSubscriptions(pool: Pool): PushSubscriptions {
  return sayingBusy<PushSubscriptions>({
    async put({ wallet, endpoint, p256dh, auth, kinds, language }, place, most) {
      const { rows } = await pool.query<Row>({
        name: 'push-subscription-put',
        text: put,
        values: [wallet, endpoint, p256dh, auth, kinds, language, place],
      })
      const [row] = rows
      if (row === undefined) throw new Error('an insert that returns its row returned none')
      await pool.query({ name: 'push-subscription-oldest', text: forgetOldest, values: [wallet, row.id, most - 1] })
      return toSubscription(row)
    },
    async list(wallet) {
      const { rows } = await pool.query<Row>({
        name: 'push-subscription-list',
        text: `select ${columns} from push_subscriptions where wallet = $1 order by created_at, id`,
        values: [wallet],
      })
      return rows.map(toSubscription)
    },
    async remove(wallet, id) {
      const { rowCount } = await pool.query({
        name: 'push-subscription-remove',
        text: 'delete from push_subscriptions where wallet = $1 and id = $2',
        values: [wallet, id],
      })
      return rowCount === 1
    },
    ...noticeQueueOf<DueRow, DueSubscription>(pool, {
      queue: queues.subscriptions,
      lane: "split_part(endpoint, '/', 3)",
      isOpen: 'true',
      toDue: (row) => ({ ...toSubscription(row), place: row.place, attempts: row.attempts, lease: row.lease }),
    }),
  })
}

function toSubscription(row: Row): PushSubscription {
  const { id, wallet, endpoint, p256dh, auth, kinds, language, created_at: createdAt } = row
  return { id, wallet, endpoint, p256dh, auth, kinds, language, createdAt }
}
