import type { Ranked, Slice, Store } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Line } from '../engine/line.ts'

/** What the methods of a store stand on. */
export type StoreParts = { readonly disk: Disk; readonly line: Line; readonly identityNetwork: string }
export type Part<K extends keyof Store> = Pick<Store, K>

/** A part of a list, by place. */
export function partOf<T>(all: readonly T[], { limit, offset }: Slice): Ranked<T> {
  const rows = all.slice(offset, offset + limit)
  return { rows, total: all.length, offset, hasMore: offset + rows.length < all.length }
}

/** Orders rows by what PostgreSQL orders them by; rows that are equal stay in the order they were written in. */
export function sortedBy<R>(rows: readonly R[], by: (row: R) => string | number | bigint): R[] {
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)]
    return a < b ? -1 : a > b ? 1 : 0
  })
}
