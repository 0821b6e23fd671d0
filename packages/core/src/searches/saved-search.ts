import type { EventData, Party } from '@ergon/contract'
import type { AvailableFilter } from '../tasks/task-filter.ts'
import { searchWords } from '../tasks/search-words.ts'

/** What a person looks for, as it was asked; null: whatever it is. */
export type SavedFilter = Required<
  Pick<AvailableFilter, 'category' | 'network' | 'target' | 'minBountyUsd' | 'maxBountyUsd'>
> & {
  readonly words: string | null
  readonly box: NonNullable<AvailableFilter['box']> | null
  /** Tasks too that the party of the person may not take. */
  readonly allParties: boolean
}

/** A filter that its owner hears of, in one of the few places a wallet has (decision 0251). */
export type SavedSearch = {
  readonly wallet: string
  readonly slot: number
  readonly name: string
  readonly filter: SavedFilter
  /** What the owner was when it was saved; one that works here is what its profile says. */
  readonly party: Party
  readonly savedAt: Date
  readonly endsAt: Date
  /** When it found something last. */
  readonly toldAt: Date | null
  /** Tasks up to this id were looked at. */
  readonly seen: string
  readonly dueAt: Date
}

/** What a look at the tasks behind `seen` found, oldest first. */
export type Look = {
  readonly taskIds: readonly string[]
  /** Up to where it looked. */
  readonly seen: string
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A search that nobody saves again ends. */
const goodForMs = 90 * 24 * hourMs
/** After a look that found nothing, and after one that did: four digests a day. */
const pauses = { nothing: 10 * minuteMs, told: 6 * hourMs } as const
/** A task is looked at when whoever publishes it had time to say where it is, and whoever commits it to finish. */
const settleMs = 2 * minuteMs
/** Ids of a digest. */
export const mostTold = 20

export function newSearch(
  of: Pick<SavedSearch, 'wallet' | 'slot' | 'name' | 'filter' | 'party'>,
  now: Date,
): SavedSearch {
  const later = (ms: number): Date => new Date(now.getTime() + ms)
  return {
    ...of,
    savedAt: now,
    endsAt: later(goodForMs),
    toldAt: null,
    seen: firstIdAt(now),
    dueAt: later(pauses.nothing),
  }
}

/** Behind every task that is looked at now. */
export const lookUntil = (now: Date): string => firstIdAt(new Date(now.getTime() - settleMs))

/**
 * How the search goes on. One that found something skips to the end: its digest says that there is more. One that
 * found nothing and did not come to the end goes on at once.
 */
export function afterLook(
  { toldAt }: Pick<SavedSearch, 'toldAt'>,
  { taskIds, seen }: Look,
  now: Date,
): Pick<SavedSearch, 'seen' | 'dueAt' | 'toldAt'> {
  const until = lookUntil(now)
  const due = (ms: number): Date => new Date(now.getTime() + ms)
  if (taskIds.length > 0) return { seen: until, dueAt: due(pauses.told), toldAt: now }
  return { seen, dueAt: due(seen < until ? 0 : pauses.nothing), toldAt }
}

/** What its owner is told. */
export function foundData(
  { slot, name, filter }: Pick<SavedSearch, 'slot' | 'name' | 'filter'>,
  { taskIds, seen }: Look,
  now: Date,
): EventData<'search.found'> {
  return {
    slot,
    name,
    filter: filterData(filter),
    task_ids: taskIds.slice(0, mostTold),
    has_more: taskIds.length > mostTold || seen < lookUntil(now),
  }
}

/** The filter in the words of the list of open tasks. */
export function filterData(filter: SavedFilter): EventData<'search.found'>['filter'] {
  const { words, category, network, target, minBountyUsd, maxBountyUsd, box, allParties } = filter
  const dollars = (text: string | null): number | null => (text === null ? null : Number(text))
  return {
    q: words,
    category,
    network,
    target_executor_type: target,
    min_bounty: dollars(minBountyUsd),
    max_bounty: dollars(maxBountyUsd),
    box: box === null ? null : [box.west, box.south, box.east, box.north].join(','),
    all_parties: allParties,
  }
}

/** What is asked of the tasks, for an owner of this party. */
export function askedBy({ filter, party }: Pick<SavedSearch, 'filter' | 'party'>): AvailableFilter {
  const { words, allParties, ...asked } = filter
  return { ...asked, words: words === null ? null : searchWords(words), takenBy: allParties ? null : party }
}

/** The first of all ids that may be made then: they begin with their millisecond (RFC 9562 §5.7). */
export function firstIdAt(at: Date): string {
  const stamp = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7000-8000-000000000000`
}
