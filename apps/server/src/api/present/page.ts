import { limits } from '@ergon/contract'
import type { Page, PageRequest } from '@ergon/core'

type Paging = { readonly limit?: number; readonly offset?: number; readonly cursor?: string }

export function pageRequest(input: Paging): PageRequest {
  return { limit: input.limit ?? limits.pageDefault, offset: input.offset ?? 0, cursor: input.cursor ?? null }
}

/** The paging fields every list answers (decision 13). */
export function pageFields(page: Page<unknown>): { total: number; count: number; offset: number; has_more: boolean; next_cursor: string | null } {
  return { total: page.total, count: page.rows.length, offset: page.offset, has_more: page.hasMore, next_cursor: page.nextCursor }
}
