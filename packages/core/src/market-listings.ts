import type { Category, EvidenceType, ListingAvailability, ListingSort } from '@ergon/contract'
import type { Caller, WalletCaller } from './caller.ts'
import type { Page, PageRequest } from './market.ts'
import type { Task } from './tasks/task.ts'
import type { Listing, ListingView } from './listings/listing.ts'

export type NewListing = {
  readonly title: string
  readonly description: string
  readonly category: Category
  /** Exact decimal text. */
  readonly unitPriceUsd: string
  readonly skills: readonly string[]
  readonly evidence: readonly EvidenceType[]
  /** Null means the deployment's preferred network. */
  readonly network: string | null
  /** Null means every network with escrow. */
  readonly acceptedNetworks: readonly string[] | null
}
export type ListingUpdate = {
  readonly availability?: ListingAvailability
  readonly description?: string
  readonly unitPriceUsd?: string
  readonly skills?: readonly string[]
  readonly evidence?: readonly EvidenceType[]
  readonly acceptedNetworks?: readonly string[]
}
export type BrowseFilter = {
  readonly category: Category | null
  readonly skills: readonly string[] | null
  readonly seller: string | null
  readonly minReputation: number | null
  readonly maxPriceUsd: string | null
}
export type OrderInput = {
  /** Exact decimal text; must be the price of the listing. */
  readonly bountyUsd: string | null
  readonly deadlineHours: number
  readonly instructions: string | null
  readonly network: string | null
  readonly paymentAuth: string | null
}
export type Order = { readonly task: Task; readonly listing: Listing }

/** The part of the market where workers offer what buyers order (spec §1.7). */
export interface ListingMarket {
  /** @throws LISTING_CAP_REACHED beyond 20 active listings. */
  postListing(caller: WalletCaller, input: NewListing): Promise<ListingView>
  updateListing(caller: WalletCaller, listingId: string, input: ListingUpdate): Promise<ListingView>
  readListing(listingId: string): Promise<ListingView>
  browseListings(filter: BrowseFilter, sort: ListingSort, page: PageRequest): Promise<Page<ListingView>>
  ownListings(caller: Caller, page: PageRequest): Promise<Page<ListingView>>
  matchListings(caller: Caller, taskId: string, limit: number): Promise<readonly ListingView[]>
  /**
   * Publishes the task of an order; the seller is its applicant. @throws OWN_LISTING, price_mismatch, LISTING_PAUSED
   */
  orderListing(caller: WalletCaller, listingId: string, input: OrderInput): Promise<Order>
}
