import { limits } from '@ergon/contract'
import { MarketError, type Page, type PageRequest, type Ranked, type Slice } from '@ergon/core'

type Paging = { readonly limit?: number; readonly offset?: number; readonly cursor?: string }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @throws VALIDATION_FAILED for a cursor that no list gave. */
export function pageRequest(input: Paging): PageRequest {
  if (input.cursor !== undefined && !uuid.test(input.cursor))
    throw new MarketError('VALIDATION_FAILED', {
      field: 'cursor',
      constraint: 'a next_cursor of this list',
      received: input.cursor,
    })
  return movingPageRequest(input)
}

/** The same for a list whose keys change: its cursors are places that the store alone reads. */
export const movingPageRequest = (input: Paging): PageRequest => ({
  limit: input.limit ?? limits.pageDefault,
  offset: input.offset ?? 0,
  cursor: input.cursor ?? null,
})

/** The paging fields every list answers (decision 0007). */
export function pageFields(page: Page<unknown>): {
  total: number
  count: number
  offset: number
  has_more: boolean
  next_cursor: string | null
} {
  return {
    total: page.total,
    count: page.rows.length,
    offset: page.offset,
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  }
}

/** Rankings are read by offset: places change while one pages. */
export function sliceOf(input: Partial<Slice>): Slice {
  return { limit: input.limit ?? limits.pageDefault, offset: input.offset ?? 0 }
}

/** The same for lists that are nearly always read whole. */
export const shortSliceOf = (input: Partial<Slice>): Slice => sliceOf({ limit: limits.pageMax, ...input })

/** What every list answers of its rows (spec §4). */
export function sliceFields({ rows, total, offset, hasMore }: Ranked<unknown>): {
  total: number
  count: number
  offset: number
  has_more: boolean
} {
  return { total, count: rows.length, offset, has_more: hasMore }
}

/** A part of what is in memory whole: networks, say, of which there are few. */
export function sliceFrom<T>(all: readonly T[], input: Partial<Slice>): Ranked<T> {
  const { limit, offset } = shortSliceOf(input)
  const rows = all.slice(offset, offset + limit)
  return { rows, total: all.length, offset, hasMore: offset + rows.length < all.length }
}
