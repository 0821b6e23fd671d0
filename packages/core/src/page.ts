/** A part of a list, by place; rankings are read so, because a cursor into moving ranks would skip rows. */
export type Slice = { readonly limit: number; readonly offset: number }
export type Ranked<T> = {
  readonly rows: readonly T[]
  readonly total: number
  readonly offset: number
  readonly hasMore: boolean
}

/** A page of rows in a stable order; `cursor` is opaque outside the store. */
export type PageRequest = { readonly limit: number; readonly offset: number; readonly cursor: string | null }
export type Page<T> = {
  readonly rows: readonly T[]
  readonly total: number
  readonly offset: number
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/** What whoever owns no rows is shown (spec §5.5). */
export function emptyPage({ offset }: Pick<PageRequest, 'offset'>): Page<never> {
  return { rows: [], total: 0, offset, hasMore: false, nextCursor: null }
}
