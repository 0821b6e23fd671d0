import type { Page, PageRequest, Ranked, Slice } from '@ergon/core'

/** A page of what was read with one row more than it shows, by the ids of rows unless their places are told. */
export function pageOf<R extends { readonly id: string }, T>(
  rows: readonly R[],
  total: number,
  { limit, offset }: Pick<PageRequest, 'limit' | 'offset'>,
  map: (row: R) => T,
  placeOf: (row: R) => string = ({ id }) => id,
): Page<T> {
  const hasMore = rows.length > limit
  const shown = hasMore ? rows.slice(0, limit) : rows
  const last = hasMore ? shown.at(-1) : undefined
  return { rows: shown.map(map), total, offset, hasMore, nextCursor: last === undefined ? null : placeOf(last) }
}

/** A part of a list, of what was read with one row more than it shows. */
export function sliceOfRows<R, T>(
  rows: readonly R[],
  total: number,
  { limit, offset }: Slice,
  map: (row: R) => T,
): Ranked<T> {
  return { rows: rows.slice(0, limit).map(map), total, offset, hasMore: rows.length > limit }
}
