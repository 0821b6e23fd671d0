import type { Category, ListingAvailability, ListingSort, Party } from '@ergon/contract'
import type { Listing, ListingChanges, ListingView } from '../listings/listing.ts'
import type { Amount } from '../money/amount.ts'
import type { Page, PageRequest, Ranked, Slice } from '../page.ts'
import type { Task } from '../tasks/task.ts'
import type { NewEvent, NewTask } from './store.ts'

/** What is asked of listings; null where anything goes. */
export type ListingFilter = {
  readonly availability: ListingAvailability | null
  readonly category: Category | null
  /** Any of these, in lower case. */
  readonly skills: readonly string[] | null
  /** Wallet or executor id. */
  readonly seller: string | null
  /** Floor of the effective score; unrated sellers clear what newcomers clear. */
  readonly minReputation: number | null
  readonly maxPrice: Amount | null
}

/** What a listing must meet to serve a task. */
export type ListingMatch = {
  readonly category: Category
  readonly maxPrice: Amount
  readonly network: string
  readonly minReputation: number
  readonly parties: readonly Party[]
  readonly exceptWallet: string
}

/** What one transaction may do about listings. */
export interface ListingTx {
  /** Serialises the postings of a seller and counts its active listings. */
  lockActiveListings(sellerExecutorId: string): Promise<number>
  insertListing(listing: Listing): Promise<void>
  lockListing(id: string): Promise<Listing | null>
  changeListing(id: string, changes: ListingChanges, at: Date): Promise<void>
  /** Which listing a task orders: only its seller may take it, and it is counted once its money moved. */
  noteOrder(taskId: string, listingId: string): Promise<void>
  /** The seller, as a worker, of whom a task orders; null for a task that anybody may take. */
  orderedSeller(taskId: string): Promise<string | null>
  /** From now on anybody may take the task. */
  openOrder(taskId: string): Promise<void>
  /** The money of a task moved: its listing counts the order, once. Nothing for a task that orders none. */
  countOrder(taskId: string): Promise<void>
  /** As `Store.publish`, inside this transaction and without a key of its own; without an event nobody is told. */
  publish(task: NewTask, event: NewEvent<'task.created'> | null): Promise<Task>
}

/** Reads of listings. */
export interface ListingStore {
  listing(id: string): Promise<ListingView | null>
  listings(filter: ListingFilter, sort: ListingSort, page: PageRequest): Promise<Page<ListingView>>
  /** The best first: reputation, then the lower price. */
  matchingListings(match: ListingMatch, slice: Slice): Promise<Ranked<ListingView>>
}
