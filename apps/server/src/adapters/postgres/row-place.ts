import { MarketError } from '@ergon/core'

/** The last row that was shown: its id, and its key as it was then. Null: the key that it has now. */
export type RowPlace = { readonly id: string; readonly key: string | null }
/** Deadline, price, reputation. A form that changes gets a mark of its own, so that the version before knows it not. */
const marks = ['d', 'p', 'r'] as const
/** A key of rows that may change while one pages; the mark keeps the places of one order from another. */
export type MovingKey = { readonly mark: (typeof marks)[number]; readonly form: RegExp }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** What a newer process may say behind the id. */
const unknown = new RegExp(`^[^${marks.join('')}~][^~]*$`)

/**
 * Where a list goes on whose keys change: behind what the reader saw last, wherever that row is by now. An id alone, as
 * an older process gave it, is a place as well; so is the id of a place that a newer one gave under a mark of its own:
 * while both run, a reader may come to either.
 *
 * @throws VALIDATION_FAILED for a cursor that no list of this order gave
 */
export function readRowPlace(cursor: string, moving: MovingKey | null): RowPlace {
  const [id = '', kept, ...rest] = cursor.split('~')
  if (uuid.test(id) && rest.length === 0) {
    if (kept === undefined || unknown.test(kept)) return { id, key: null }
    const key = kept.slice(1)
    if (moving !== null && kept.startsWith(moving.mark) && moving.form.test(key)) return { id, key }
  }
  throw new MarketError('VALIDATION_FAILED', {
    field: 'cursor',
    constraint: 'a next_cursor of this list, in this order',
    received: cursor,
  })
}

export const writeRowPlace = (id: string, { mark }: MovingKey, key: string): string => `${id}~${mark}${key}`
