import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { usDollar, type Listing, type ListingView } from '../listings/listing.ts'
import { askedFor, formatUsd, parseUsd } from '../money/amount.ts'
import type { NewTask, Tx } from '../ports/store.ts'
import type { MarketDeps } from './deps.ts'
import { requireNotApart } from './keep-apart.ts'
import { existingListing } from './list-service.ts'
import { requireNotBanned } from './set-ban.ts'

/** The listing, where this buyer may order from its seller. @throws OWN_LISTING, PARTY_BLOCKED, WORKER_BLOCKED */
export async function listingFor(deps: MarketDeps, buyer: WalletCaller, listingId: string): Promise<ListingView> {
  const listing = await existingListing(deps, listingId)
  if (listing.sellerWallet === buyer.wallet) throw new MarketError('OWN_LISTING', { listing_id: listingId })
  await requireNotApart(deps, buyer.wallet, listing.sellerWallet)
  await requireNotBanned(deps, listing.sellerWallet)
  return listing
}

/** Asked again under the lock of the listing: price and availability may have changed since the buyer read them. */
export function requireOrderable(listing: Listing, field: string, bountyUsd: string | null): void {
  if (listing.availability === 'paused') throw new MarketError('LISTING_PAUSED', { listing_id: listing.id })
  if (bountyUsd !== null && parseUsd(bountyUsd, usDollar).atomic !== listing.unitPrice.atomic)
    throw new MarketError('price_mismatch', { field, expected: formatUsd(listing.unitPrice), received: bountyUsd })
}

/** @throws NETWORK_NOT_ACCEPTED, FORBIDDEN_RECEIVER where what was signed pays another wallet */
export function requireSellersTerms(
  { signatures }: Pick<MarketDeps, 'signatures'>,
  listing: ListingView,
  { bounty }: Pick<NewTask, 'bounty'>,
  paymentAuth: string | null,
): void {
  const { network } = bounty.asset
  if (!listing.acceptedNetworks.includes(network))
    throw new MarketError(
      'NETWORK_NOT_ACCEPTED',
      { network, accepted: listing.acceptedNetworks },
      { message: 'The seller does not accept orders on this network.' },
    )
  if (paymentAuth !== null && signatures.receiverOf(paymentAuth, network) !== listing.sellerWallet)
    throw new MarketError('FORBIDDEN_RECEIVER', { receiver: listing.sellerWallet, ...askedFor(bounty) })
}

/** The listing counts as the application of its seller, who is told. Written once, however often it is asked. */
export async function writeSeller(
  deps: MarketDeps,
  tx: Tx,
  task: Pick<NewTask, 'id' | 'createdAt'>,
  { id: listingId, sellerExecutorId }: Pick<Listing, 'id' | 'sellerExecutorId'>,
): Promise<void> {
  const application = {
    id: deps.ids.next(),
    taskId: task.id,
    executorId: sellerExecutorId,
    status: 'pending',
    message: null,
    createdAt: task.createdAt,
  } as const
  if ((await tx.application(task.id, sellerExecutorId)) !== null) return
  await tx.insertApplication(application)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'worker.applied',
    taskId: task.id,
    at: task.createdAt,
    data: {
      task_id: task.id,
      application_id: application.id,
      executor_id: sellerExecutorId,
      listing_id: listingId,
    },
  })
  await tx.noteOrder(task.id, listingId)
}
