import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { publisherOf } from '../identity/party.ts'
import { orderInstructions, orderTitle, type Listing, type ListingView } from '../listings/listing.ts'
import { formatUsd } from '../money/amount.ts'
import type { NewTask } from '../ports/store.ts'
import type { Task } from '../tasks/task.ts'
import { assign } from './assign.ts'
import { cancel } from './cancel.ts'
import type { MarketDeps } from './deps.ts'
import { listingFor, requireOrderable, requireSellersTerms, writeSeller } from './order-terms.ts'
import { requireNoDebt } from './pay-fee.ts'
import { createdEvent, draftTask } from './publish.ts'

export type OrderInput = {
  /** Exact decimal text; must be the price of the listing. */
  readonly bountyUsd: string | null
  readonly deadlineHours: number
  readonly instructions: string | null
  readonly network: string | null
  readonly paymentAuth: string | null
}
export type Order = { readonly task: Task; readonly listing: Listing }

/**
 * Orders a service: the buyer publishes, and the seller's listing counts as its application (spec §1.7). With an
 * authorization the seller is assigned and the bounty locked by the same call; where that is refused, nothing is
 * ordered. Without one, assigning the seller is the next step.
 */
export async function orderListing(
  deps: MarketDeps,
  caller: WalletCaller,
  listingId: string,
  input: OrderInput,
): Promise<Order> {
  const order = await writeOrder(deps, caller, listingId, input)
  if (input.paymentAuth === null || order.task.escrowStatus === 'none') return order
  const assigned = { executorId: order.listing.sellerExecutorId, notes: null, paymentAuth: input.paymentAuth }
  try {
    const { task } = await assign(deps, caller, order.task.id, assigned)
    return { ...order, task }
  } catch (error) {
    // What was refused holds nothing. A task that cannot be cancelled now is still on its way to somewhere.
    if (error instanceof MarketError) await cancel(deps, caller, order.task.id, null).catch(() => undefined)
    throw error
  }
}

const priceField = 'bounty_usd_override'

/** Task, application and count are written together or not at all. */
async function writeOrder(
  deps: MarketDeps,
  caller: WalletCaller,
  listingId: string,
  input: OrderInput,
): Promise<Order> {
  const seen = await listingFor(deps, caller, listingId)
  await requireNoDebt(deps, caller.wallet)
  requireOrderable(seen, priceField, input.bountyUsd)
  orderTask(deps, caller, seen, input)
  const buyer = await deps.identified(caller)
  return deps.store.transaction(async (tx) => {
    const listing = await tx.lockListing(listingId)
    if (listing === null) throw new MarketError('LISTING_NOT_FOUND', { listing_id: listingId })
    requireOrderable(listing, priceField, input.bountyUsd)
    const task = orderTask(deps, buyer, { ...seen, ...listing }, input)
    await tx.publish(task, createdEvent(deps, task, listingId))
    await writeSeller(deps, tx, task, listing)
    return { task, listing }
  })
}

function orderTask(deps: MarketDeps, caller: WalletCaller, listing: ListingView, input: OrderInput): NewTask {
  const task = draftTask(deps, caller, {
    title: orderTitle(listing),
    instructions: orderInstructions(listing, input.instructions),
    category: listing.category,
    bountyUsd: formatUsd(listing.unitPrice),
    deadlineHours: input.deadlineHours,
    evidenceRequired: listing.evidence,
    evidenceOptional: [],
    locationHint: null,
    minReputation: 0,
    network: input.network ?? listing.network,
    token: null,
    target: 'any',
    publisherType: publisherOf(caller.via),
    paymentAuth: input.paymentAuth,
    // Not asked here: the words are the seller's.
    insists: true,
    idempotency: null,
  })
  requireSellersTerms(deps, listing, task, input.paymentAuth)
  return task
}
