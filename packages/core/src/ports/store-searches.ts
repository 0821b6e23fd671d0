import type { EventData, EventName } from '@ergon/contract'
import type { Look, SavedSearch } from '../searches/saved-search.ts'
import type { AvailableFilter } from '../tasks/task-filter.ts'

/** A search that this process looks for until its lease runs out. */
export type DueSearch = SavedSearch & { readonly isBanned: boolean; readonly heldUntil: Date }
/** Which look it was: another, or a search that was saved meanwhile, is none of its business. */
export type HeldSearch = Pick<DueSearch, 'wallet' | 'slot'> & { readonly heldUntil: Date }
export type SearchEnd = Pick<SavedSearch, 'seen' | 'dueAt' | 'toldAt'>

/** Filters that are told of new tasks (decision 0251): a few a wallet. */
export interface SearchStore {
  /** By their places. */
  searches(wallet: string): Promise<readonly SavedSearch[]>
  /** In the place of what was there; answers it as it is now. */
  putSearch(search: SavedSearch): Promise<SavedSearch>
  removeSearch(wallet: string, slot: number): Promise<boolean>
  /** Those that are due, each with the party its owner has now. */
  leaseSearches(now: Date, leaseUntil: Date, limit: number): Promise<readonly DueSearch[]>
  /**
   * New tasks that can be taken, oldest first and one more than `most`: not of the wallet itself, nor of anybody it
   * blocked or is blocked by. Looks at the first thousand behind `after` alone.
   */
  newTasks(
    filter: AvailableFilter,
    window: { readonly after: string; readonly until: string; readonly wallet: string },
    most: number,
    now: Date,
  ): Promise<Look>
  /** Ends looks that found nothing. */
  restSearches(ends: readonly (HeldSearch & SearchEnd)[]): Promise<void>
  /** Forgets those that ended; answers how many. */
  forgetSearches(now: Date, limit: number): Promise<number>
}

export interface SearchTx {
  /** False when the search is another by now, or is looked for by another. */
  endLook(held: HeldSearch, end: SearchEnd): Promise<boolean>
  /** An event of no task, in the feed of one wallet. */
  tellWallet<N extends EventName>(
    wallet: string,
    event: { readonly id: string; readonly type: N; readonly at: Date; readonly data: EventData<N> },
  ): Promise<void>
}
