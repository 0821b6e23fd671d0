import type { ListingChanges, ListingTx } from '@ergon/core'
import { toListing, type ListingRow } from './listing-rows.ts'
import { createPublish } from './publish.ts'
import type { TransactionLine } from './transaction-line.ts'

/** Columns of a listing that may change, by the field that names the change. */
const columns = {
  availability: 'availability',
  description: 'description',
  unitPrice: 'unit_price_micro_usd',
  skills: 'skills',
  evidence: 'evidence',
  acceptedNetworks: 'accepted_networks',
} as const satisfies Record<keyof ListingChanges, string>

/** Listings, and the task of an order, within one transaction. */
export function createListingTx(client: TransactionLine): ListingTx {
  const publish = createPublish(client)
  return {
    async lockActiveListings(sellerExecutorId) {
      await client.tell('select 1 from workers where id = $1 for no key update', [sellerExecutorId])
      // A statement of its own: it must see what the transaction that held the lock has committed.
      const { rows } = await client.query<{ count: bigint }>(
        "select count(*) from listings where seller_executor_id = $1 and availability = 'active'",
        [sellerExecutorId],
      )
      return Number(rows[0]?.count ?? 0n)
    },
    async insertListing(one) {
      await client.tell(
        `insert into listings (id, seller_executor_id, title, description, category, unit_price_micro_usd, skills,
              evidence, network, accepted_networks, availability, orders_count, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          one.id,
          one.sellerExecutorId,
          one.title,
          one.description,
          one.category,
          one.unitPrice.atomic,
          one.skills,
          one.evidence,
          one.network,
          one.acceptedNetworks,
          one.availability,
          one.ordersCount,
          one.createdAt,
          one.updatedAt,
        ],
      )
    },
    async lockListing(id) {
      const { rows } = await client.query<ListingRow>('select * from listings where id = $1 for update', [id])
      return rows[0] === undefined ? null : toListing(rows[0])
    },
    async changeListing(id, changes, at) {
      const { unitPrice, ...rest } = changes
      const named = { ...rest, ...(unitPrice === undefined ? {} : { unitPrice: unitPrice.atomic }) }
      // Object.entries of a typed record answers its own keys.
      const entries = Object.entries(named) as [keyof typeof columns, unknown][]
      const set = entries.map(([field], index) => `, ${columns[field]} = $${String(index + 3)}`).join('')
      await client.tell(`update listings set updated_at = $2${set} where id = $1`, [
        id,
        at,
        ...entries.map(([, value]) => value),
      ])
    },
    ...orderRows(client),
    publish: async (task, event) => (await publish(task, event, null)).task,
  }
}

/** Which listing a task orders, and whether that was counted. */
function orderRows(
  client: TransactionLine,
): Pick<ListingTx, 'noteOrder' | 'orderedSeller' | 'openOrder' | 'countOrder'> {
  return {
    async noteOrder(taskId, listingId) {
      await client.tell('insert into uncounted_orders (task_id, listing_id) values ($1, $2)', [taskId, listingId])
      await client.tell('update tasks set ordered_from = $2 where id = $1', [taskId, listingId])
    },
    async orderedSeller(taskId) {
      const { rows } = await client.query<{ seller_executor_id: string }>({
        name: 'order-seller',
        text: `select l.seller_executor_id from tasks t join listings l on l.id = t.ordered_from where t.id = $1`,
        values: [taskId],
      })
      return rows[0]?.seller_executor_id ?? null
    },
    async openOrder(taskId) {
      await client.tell('update tasks set ordered_from = null where id = $1', [taskId])
      await client.tell('delete from uncounted_orders where task_id = $1', [taskId])
    },
    async countOrder(taskId) {
      await client.tell(
        `with one as (delete from uncounted_orders where task_id = $1 returning listing_id) update listings l
          set orders_count = l.orders_count + 1 from one where l.id = one.listing_id`,
        [taskId],
      )
    },
  }
}
