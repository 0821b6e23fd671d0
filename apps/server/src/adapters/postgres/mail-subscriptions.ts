import type { DueMail, MailSubscription, MailSubscriptions, NoticeLanguage } from '@ergon/core'
import type { NewsKind } from '@ergon/contract/facts'
import type { Pool } from 'pg'
import { forgetRows } from './forget-rows.ts'
import { queues } from './lease-keeper.ts'
import { noticeQueueOf } from './notice-queue.ts'
import { sayingBusy } from './trouble.ts'

type Row = {
  id: string
  wallet: string
  address: string
  kinds: NewsKind[]
  language: NoticeLanguage
  asked_at: Date
  confirmed_at: Date | null
}
type DueRow = Row & { place: string; attempts: number; lease: string }

const columns = 'id, wallet, address, kinds, language, asked_at, confirmed_at'
/** How long a link of a confirmation is good, and who did not open it kept. */
const confirmWithin = "interval '1 day'"
const unconfirmed = {
  table: 'mail_subscriptions',
  where: `confirmed_at is null and asked_at < now() - ${confirmWithin}`,
  order: 'asked_at',
}
const isSame = 'm.address = excluded.address'
const asksNow = `($5 or not ${isSame})`
/** Another address begins anew, whoever asks; the same one stays confirmed. */
const put = `insert into mail_subscriptions as m (id, wallet, address, kinds, language, asked_at, due_at)
  values (gen_random_uuid(), $1, $2, $3, $4, clock_timestamp(), clock_timestamp())
  on conflict (wallet) do update set
    kinds = excluded.kinds, language = excluded.language, address = excluded.address,
    id = case when ${isSame} then m.id else excluded.id end,
    confirmed_at = case when ${isSame} then m.confirmed_at end,
    place = case when ${isSame} then m.place else excluded.place end,
    attempts = case when ${asksNow} then 0 else m.attempts end,
    asked_at = case when ${asksNow} then excluded.asked_at else m.asked_at end,
    due_at = case when ${asksNow} then excluded.due_at else m.due_at end,
    quiet_until = case when ${asksNow} then excluded.quiet_until else m.quiet_until end,
    is_leased = m.is_leased and not ${asksNow}, lease = case when not ${asksNow} then m.lease end
  returning ${columns}`

/** Addresses that notices are mailed to, in PostgreSQL. */
export function createMailSubscriptions(pool: Pool): MailSubscriptions {
  const changed = async (name: string, text: string, values: readonly unknown[]): Promise<number> =>
    (await pool.query({ name: `mail-subscription-${name}`, text, values: [...values] })).rowCount ?? 0
  return sayingBusy<MailSubscriptions>({
    async put({ wallet, address, kinds, language }, asks) {
      const { rows } = await pool.query<Row>({
        name: 'mail-subscription-put',
        text: put,
        values: [wallet, address, kinds, language, asks],
      })
      const [row] = rows
      if (row === undefined) throw new Error('an insert that returns its row returned none')
      return toSubscription(row)
    },
    async find(wallet) {
      const { rows } = await pool.query<Row>({
        name: 'mail-subscription-find',
        text: `select ${columns} from mail_subscriptions where wallet = $1`,
        values: [wallet],
      })
      return rows[0] === undefined ? null : toSubscription(rows[0])
    },
    remove: async (wallet) =>
      (await changed('remove', 'delete from mail_subscriptions where wallet = $1', [wallet])) === 1,
    async asked(id) {
      await changed(
        'asked',
        `update mail_subscriptions set due_at = 'infinity', attempts = 0, is_leased = false
          where id = $1 and confirmed_at is null`,
        [id],
      )
    },
    // Opened again it changes nothing: a page whose answer was lost may be sent once more.
    confirm: async (id, place) =>
      (await changed(
        'confirm',
        `update mail_subscriptions set confirmed_at = coalesce(confirmed_at, clock_timestamp()),
            place = case when confirmed_at is null then $2 else place end,
            attempts = case when confirmed_at is null then 0 else attempts end,
            is_leased = is_leased and confirmed_at is not null,
            lease = case when confirmed_at is not null then lease end,
            due_at = case when confirmed_at is null then clock_timestamp() else due_at end
          where id = $1 and (confirmed_at is not null or asked_at > clock_timestamp() - ${confirmWithin})`,
        [id, place],
      )) === 1,
    stop: async (id) => (await changed('stop', 'delete from mail_subscriptions where id = $1', [id])) === 1,
    forget: (most) => forgetRows(pool, unconfirmed, most),
    ...noticeQueueOf<DueRow, DueMail>(pool, {
      queue: queues.mails,
      lane: null,
      isOpen: 'confirmed_at is not null',
      toDue: (row) => ({ ...toSubscription(row), place: row.place, attempts: row.attempts, lease: row.lease }),
    }),
  })
}

function toSubscription(row: Row): MailSubscription {
  const { id, wallet, address, kinds, language, asked_at: askedAt, confirmed_at: confirmedAt } = row
  return { id, wallet, address, kinds, language, askedAt, confirmedAt }
}
