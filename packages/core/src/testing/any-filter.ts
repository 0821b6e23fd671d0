import type { SavedFilter } from '../searches/saved-search.ts'

/** Whatever its owner may take. */
export const anyFilter: SavedFilter = {
  words: null,
  category: null,
  network: null,
  target: null,
  minBountyUsd: null,
  maxBountyUsd: null,
  box: null,
  allParties: false,
}
