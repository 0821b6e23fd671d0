import { limits } from '@ergon/contract'
import { MarketError, type Page, type PageRequest, type Ranked, type WorkerView } from '@ergon/core'

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
  return { limit: input.limit ?? limits.pageDefault, offset: input.offset ?? 0, cursor: input.cursor ?? null }
}

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
export function sliceOf(input: { readonly limit?: number; readonly offset?: number }): {
  readonly limit: number
  readonly offset: number
} {
  return { limit: input.limit ?? limits.pageDefault, offset: input.offset ?? 0 }
}

export function rankingFields({ rows, total, offset, hasMore }: Ranked<WorkerView>): {
  total: number
  count: number
  offset: number
  has_more: boolean
} {
  return { total, count: rows.length, offset, has_more: hasMore }
}
