import type { Category, ListingSort, Party } from '@ergon/contract'
import type { Caller } from '../caller.ts'
import type { MarketDeps } from '../flows/deps.ts'
import { existingTask, requireVisible } from '../flows/read.ts'
import { normalSkills, usDollar, type ListingView } from '../listings/listing.ts'
import { formatUsd, parseUsd } from '../money/amount.ts'
import { emptyPage, type Page, type PageRequest, type Ranked, type Slice } from '../page.ts'
import { mayTake } from '../tasks/party-gate.ts'

export type BrowseFilter = {
  readonly category: Category | null
  readonly skills: readonly string[] | null
  readonly seller: string | null
  readonly minReputation: number | null
  readonly maxPriceUsd: string | null
}

const parties: readonly Party[] = ['human', 'agent', 'robot']

export async function browseListings(
  deps: MarketDeps,
  filter: BrowseFilter,
  sort: ListingSort,
  page: PageRequest,
): Promise<Page<ListingView>> {
  const { category, skills, seller, minReputation, maxPriceUsd } = filter
  const maxPrice = maxPriceUsd === null ? null : parseUsd(maxPriceUsd, usDollar)
  return deps.store.listings(
    {
      availability: 'active',
      category,
      skills: skills === null ? null : normalSkills(skills),
      seller,
      minReputation,
      maxPrice,
    },
    sort,
    page,
  )
}

/** The caller's own, paused ones included; an unsigned caller owns no rows (spec §5.5). */
export async function ownListings(deps: MarketDeps, caller: Caller, page: PageRequest): Promise<Page<ListingView>> {
  if (caller.kind === 'anonymous') return emptyPage(page)
  return deps.store.listings(
    { availability: null, category: null, skills: null, seller: caller.wallet, minReputation: null, maxPrice: null },
    'recent',
    page,
  )
}

/** Listings whose sellers pass every gate of the task: they could be asked to apply, or be ordered from instead. */
export async function matchListings(
  deps: MarketDeps,
  caller: Caller,
  taskId: string,
  slice: Slice,
): Promise<Ranked<ListingView>> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  return deps.store.matchingListings(
    {
      category: task.category,
      maxPrice: parseUsd(formatUsd(task.bounty), usDollar),
      network: task.bounty.asset.network,
      minReputation: task.minReputation,
      parties: parties.filter((party) => mayTake(task.target, party)),
      exceptWallet: task.publisherWallet,
    },
    slice,
  )
}
