import { categories, parties } from '@ergon/contract'
import type { Input, Output } from '@ergon/sdk'
import { boxAround, readBox, readPoint, writeBox } from './geo.ts'
import { readWords, type Search } from './search.ts'

export type SavedSearch = Output<'searches.list'>['searches'][number]
type SavedFilter = SavedSearch['filter']
type FilterInput = Omit<Input<'searches.save'>, 'slot' | 'name'>

/**
 * What can be saved of an address of the list: a distance around a place becomes the box around it. Read here anew,
 * because whoever only reads the list does not load it.
 */
export function savedOf(search: Search): FilterInput {
  const [min, max, near, metres] = [
    amountOf(search['min']),
    amountOf(search['max']),
    readPoint(search['near']),
    (amountOf(search['within']) ?? 0) * 1_000,
  ]
  const q = readWords(search['q'])
  const category = categories.find((one) => one === search['category'])
  const box = near === undefined || metres === 0 ? readBox(search['box']) : boxAround(near, metres)
  const audience = search['for'] === 'all' ? 'all' : (parties.find((one) => one === search['for']) ?? 'human')
  return {
    ...(q === undefined ? {} : { q }),
    ...(category === undefined ? {} : { category }),
    ...(min === undefined ? {} : { min_bounty: min }),
    ...(max === undefined ? {} : { max_bounty: max }),
    ...(box === undefined ? {} : { box: writeBox(box) }),
    ...(audience === 'all' ? {} : { target_executor_type: audience }),
    ...(audience === 'human' ? {} : { all_parties: true }),
  }
}

const amountOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,5}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined

/** Whether something that is looked for is lost by saving it: the service knows neither evidence nor how near. */
export const losesSome = (search: Search): boolean =>
  search['evidence'] !== undefined || (search['near'] !== undefined && search['within'] === undefined)

/** The address of the list with what was saved. */
export function addressOf(filter: SavedFilter): Search {
  const text = (amount: number | null): string | undefined => (amount === null ? undefined : String(amount))
  const box = readBox(filter.box ?? undefined)
  const target = parties.find((one) => one === filter.target_executor_type)
  const audience = filter.all_parties ? (target ?? 'all') : (target ?? 'human')
  return {
    q: readWords(filter.q ?? undefined),
    category: categories.find((one) => one === filter.category),
    min: text(filter.min_bounty),
    max: text(filter.max_bounty),
    for: audience === 'human' ? undefined : audience,
    box: box === undefined ? undefined : writeBox(box),
  }
}

/** The first place that is free; undefined where there is none. */
export function freeSlot(searches: readonly Pick<SavedSearch, 'slot'>[], most: number): number | undefined {
  return Array.from({ length: most }, (_, index) => index + 1).find(
    (slot) => !searches.some((one) => one.slot === slot),
  )
}
