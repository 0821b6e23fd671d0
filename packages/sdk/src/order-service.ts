import { requireSigner, type Trust } from './agreement.ts'
import { assignWorker } from './assign-worker.ts'
import { ChallengeMismatch, requireAddress, requireSame } from './challenge-mismatch.ts'
import type { Output } from './client.ts'
import { railOf } from './rail.ts'

/** What is ordered, and what it may cost: nothing is published at another price, nobody else is paid. */
export type OrderServiceInput = {
  readonly listing_id: string
  /** What the caller agreed to pay. */
  readonly unit_price_usd: number
  /** Whom the caller means to pay, from its own records. */
  readonly seller_wallet?: string
  readonly payment_network?: string
  readonly deadline_hours?: number
  readonly custom_instructions?: string
  /** Tells a second order of the same service from a repetition of the first. */
  readonly client_ref?: string
}
export type OrderedService = { readonly order: Output<'listings.order'>; readonly assignment: Output<'tasks.assign'> }

/**
 * Orders a service and locks its price for the seller: the order publishes a task, and the seller is assigned to it
 * with everything checked that {@link assignWorker} checks (spec §1.7). In a session it takes the rail of people.
 *
 * @throws ChallengeMismatch when listing, order or challenge differ from what was agreed; nothing is signed then.
 */
export async function orderService(trust: Trust, input: OrderServiceInput): Promise<OrderedService> {
  const { client } = trust
  requireSigner(client)
  const { listing_id, unit_price_usd, seller_wallet, ...rest } = input
  const listing = await client.listings.get({ listing_id })
  requireSame('listing', listing_id, listing.id)
  requireSame('price', unit_price_usd, listing.unit_price_usd)
  if (seller_wallet !== undefined) requireAddress('seller', seller_wallet, listing.seller_wallet)
  const network = input.payment_network ?? listing.payment_network
  if (!listing.accepted_networks.includes(network))
    throw new ChallengeMismatch('network', network, listing.accepted_networks.join(', '))
  const order = await railOf(client).order({ listing_id, bounty_usd_override: unit_price_usd, ...rest })
  requireSame('listing', listing_id, order.listing_id)
  requireSame('price', unit_price_usd, order.bounty_usd)
  requireSame('seller', listing.seller_executor_id, order.seller_executor_id)
  requireSame('network', network, order.payment_network)
  const assignment = await assignWorker(trust, {
    task_id: order.task_id,
    executor_id: order.seller_executor_id,
    worker_wallet: listing.seller_wallet,
    bounty_usd: unit_price_usd,
    payment_network: network,
  })
  return { order, assignment }
}
