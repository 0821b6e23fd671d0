import { limits } from '@ergon/contract'
import type { Pool } from 'pg'
import { isSearch, type Where } from './task-where.ts'

/** Totals of public lists may be this old (decision 0007). */
const totalAgeMs = 2_000
const totalsKept = 500

export type Totals = (where: Where) => Promise<number>

type Known = { readonly total: Promise<number>; readonly at: number; tookMs: number; isCountedAnew: boolean }

/** The next count ends in time when it takes no longer than so many of the last. */
const patience = 4

/**
 * Before the end of its age a total is counted anew beside those who are still told the last: nobody waits for it. The
 * longer the last count took the earlier, and not before half of the age (decision 0254).
 */
export function createTotals(pool: Pool): Totals {
  const known = new Map<string, Known>()
  const count = async (where: Where): Promise<number> => {
    const counted = isSearch(where)
      ? `select count(*) from (select 1 from tasks t where ${where.text} limit ${String(limits.searchCounted)}) found`
      : `select count(*) from tasks t where ${where.text}`
    const { rows } = await pool.query<{ count: bigint }>(counted, [...where.values])
    return Number(rows[0]?.count ?? 0n)
  }
  const keep = (key: string, total: Promise<number>, at: number): void => {
    if (known.size >= totalsKept) known.clear()
    const entry: Known = { total, at, tookMs: 0, isCountedAnew: false }
    known.set(key, entry)
    total.then(
      () => {
        entry.tookMs = performance.now() - at
      },
      () => undefined,
    )
  }
  return (where) => {
    const key = `${where.text}|${where.values.map((value) => (value instanceof Date ? 'now' : String(value))).join('|')}`
    const now = performance.now()
    const kept = known.get(key)
    if (kept === undefined || now - kept.at >= totalAgeMs) {
      const total = count(where)
      keep(key, total, now)
      total.catch(() => known.delete(key))
      return total
    }
    if (now - kept.at >= Math.max(totalAgeMs / 2, totalAgeMs - patience * kept.tookMs) && !kept.isCountedAnew) {
      kept.isCountedAnew = true
      // Whoever asks after the end of its age hears of what was wrong.
      const total = count(where)
      total.then(
        () => {
          keep(key, total, now)
        },
        () => undefined,
      )
    }
    return kept.total
  }
}
