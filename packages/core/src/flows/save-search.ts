import type { Caller, WalletCaller } from '../caller.ts'
import { partyOf } from '../identity/party.ts'
import { newSearch, type SavedFilter, type SavedSearch } from '../searches/saved-search.ts'
import { searchWords } from '../tasks/search-words.ts'
import type { MarketDeps } from './deps.ts'

/** Saves a filter in one of the places of its wallet, instead of what was there. */
export async function saveSearch(
  { store, clock }: MarketDeps,
  { wallet, via }: WalletCaller,
  slot: number,
  { name, filter }: { readonly name: string; readonly filter: SavedFilter },
): Promise<SavedSearch> {
  if (filter.words !== null) searchWords(filter.words)
  const party = (await store.workerByWallet(wallet))?.party ?? partyOf(via, null, null)
  return store.putSearch(newSearch({ wallet, slot, name, filter, party }, clock.now()))
}

/** What the caller saved; nothing of whoever did not say who it is. */
export async function searches({ store }: MarketDeps, caller: Caller): Promise<readonly SavedSearch[]> {
  return caller.kind === 'wallet' ? store.searches(caller.wallet) : []
}

export function removeSearch({ store }: MarketDeps, { wallet }: WalletCaller, slot: number): Promise<boolean> {
  return store.removeSearch(wallet, slot)
}
