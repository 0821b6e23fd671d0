import type { Pool } from 'pg'
import { ask, isTaken } from './ask.ts'
import { forgetRows } from './forget-rows.ts'
import type { Held, StandingBook, StandingUse } from './standing-book.ts'

/** Added to the uses of an order that was taken back: more than any order may have, so that it has no room. */
const takenBack = 2_000_000_000

const joinSql = `
  update standing_uses u set holders = u.holders + 1, reserved_at = now() from standing_orders o
  where u.order_hash = $1 and u.payment = $2 and o.order_hash = u.order_hash and o.uses < ${String(takenBack)}
  returning u.amount::text as amount`

const revokeSql = `
  insert into standing_orders as o (order_hash, network, payer, uses, spent, not_after)
  values ($1, $2, $3, ${String(takenBack)}, 0, $4)
  on conflict (order_hash) do update set uses = o.uses + ${String(takenBack)} where o.uses < ${String(takenBack)}`

const leaveSql = `update standing_uses set holders = holders - 1 where order_hash = $1 and payment = $2`

const takeSql = `
  with counted as (
    insert into standing_orders as o (order_hash, network, payer, uses, spent, not_after)
    select $1, $3, $4, 1, $5, $8 where $5::numeric <= $6::numeric and $7::integer > 0
    on conflict (order_hash) do update set uses = o.uses + 1, spent = o.spent + excluded.spent
      where o.uses < $7 and o.spent + excluded.spent <= $6::numeric
    returning 1)
  insert into standing_uses (order_hash, payment, amount, once_key)
  select $1, $2, $5, $9 from counted returning 1 as taken`

const dropSql = `
  with gone as (
    delete from standing_uses where order_hash = $1 and payment = $2 and holders <= 1 and not is_kept
    returning amount),
  less as (
    update standing_uses set holders = holders - 1
    where order_hash = $1 and payment = $2 and (holders > 1 or is_kept))
  update standing_orders o set uses = o.uses - 1, spent = o.spent - gone.amount from gone where o.order_hash = $1`

const purgeSql = `
  with old as (
    select u.order_hash, u.payment, exists (select from intents i
      where i.network = o.network and i.once_key = u.once_key and i.status in ('sent', 'succeeded')) as is_used
    from standing_uses u join standing_orders o on o.order_hash = u.order_hash
    where not u.is_kept and u.reserved_at < now() - interval '2 days' order by u.reserved_at limit $1),
  kept as (
    update standing_uses u set is_kept = true from old
    where old.is_used and u.order_hash = old.order_hash and u.payment = old.payment returning 1),
  gone as (
    delete from standing_uses u using old
    where not old.is_used and u.order_hash = old.order_hash and u.payment = old.payment
    returning u.order_hash, u.amount),
  back as (
    update standing_orders o set uses = o.uses - g.uses, spent = o.spent - g.spent
    from (select order_hash, count(*)::int as uses, sum(amount) as spent from gone group by order_hash) g
    where o.order_hash = g.order_hash)
  select ((select count(*) from kept) + (select count(*) from gone))::int as count`

const isOver = "not_after < extract(epoch from now() - interval '30 days')::bigint"
/** Uses first: an order that is deleted would take all of its own along in one step. */
const usesOfOver = {
  table: 'standing_uses',
  where: `order_hash in (select o.order_hash from standing_orders o where o.${isOver})`,
  order: 'order_hash',
}
const over = {
  table: 'standing_orders',
  where: `${isOver} and not exists (select from standing_uses u where u.order_hash = standing_orders.order_hash)`,
  order: 'not_after',
}

/** How often a place may come and go between two looks. */
const rounds = 5

export function createStandingBook(pool: Pool): StandingBook {
  const keyOf = ({ order, payment }: Pick<StandingUse, 'order' | 'payment'>) => [order, payment]
  return {
    async hold(use) {
      for (let round = 0; round < rounds; round += 1) {
        const held = (await join(pool, use)) ?? (await take(pool, use))
        if (held === 'spent' && (await isRevoked(pool, use))) return 'revoked'
        if (held !== undefined) return held
      }
      return 'spent'
    },
    async drop(use) {
      await ask(pool, 'standing-drop', dropSql, keyOf(use))
    },
    async keep(use) {
      await ask(
        pool,
        'standing-keep',
        'update standing_uses set is_kept = true where order_hash = $1 and payment = $2',
        keyOf(use),
      )
    },
    async revoke({ order, network, payer, notAfter }) {
      await ask(pool, 'standing-revoke', revokeSql, [order, network, payer, notAfter])
      const undecided = 'select count(*)::int as count from standing_uses where order_hash = $1 and not is_kept'
      return (await ask<{ count: number }>(pool, 'standing-undecided', undecided, [order]))[0]?.count ?? 0
    },
    async purge(limit) {
      const [row] = await ask<{ count: number }>(pool, 'standing-purge', purgeSql, [limit])
      return Math.max(
        row?.count ?? 0,
        await forgetRows(pool, 'standing-forget-uses', usesOfOver, limit),
        await forgetRows(pool, 'standing-forget', over, limit),
      )
    },
  }
}

async function isRevoked(pool: Pool, { order }: Pick<StandingUse, 'order'>): Promise<boolean> {
  const asked = 'select 1 as one from standing_orders where order_hash = $1 and uses >= $2'
  return (await ask(pool, 'standing-revoked', asked, [order, takenBack])).length > 0
}

/** The place that an earlier attempt took; undefined where there is none. */
async function join(pool: Pool, use: StandingUse): Promise<Held | undefined> {
  const rows = await ask<{ amount: string }>(pool, 'standing-join', joinSql, [use.order, use.payment])
  const [row] = rows
  if (row === undefined) return undefined
  if (BigInt(row.amount) === use.amount) return 'held'
  await ask(pool, 'standing-leave', leaveSql, [use.order, use.payment])
  return 'other'
}

/** A place of its own; undefined where another attempt took it in this very moment. */
async function take(pool: Pool, use: StandingUse): Promise<Held | undefined> {
  const { order, payment, network, payer, amount, maxTotal, maxCount, notAfter, onceKey } = use
  const values = [order, payment, network, payer, amount.toString(), maxTotal.toString(), maxCount, notAfter, onceKey]
  try {
    return (await ask(pool, 'standing-take', takeSql, values)).length > 0 ? 'held' : 'spent'
  } catch (error) {
    if (isTaken(error)) return undefined
    throw error
  }
}
