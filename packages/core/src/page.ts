/** A page of rows in a stable order; `cursor` is opaque outside the store. */
export type PageRequest = { readonly limit: number; readonly offset: number; readonly cursor: string | null }
export type Page<T> = {
  readonly rows: readonly T[]
  readonly total: number
  readonly offset: number
  readonly hasMore: boolean
  readonly nextCursor: string | null
}
