import { MarketError } from '../errors.ts'

/** Room for uploads, in bytes; 0 is no limit. Days are days of UTC. */
export type UploadLimits = { readonly perTask: number; readonly perWalletDay: number; readonly perDay: number }
/** Which budget is spent. */
export type UploadBudget = 'task' | 'wallet' | 'day'

/** A file takes at least this much room, so that many small ones have an end too. */
const leastBytes = 64 * 1_024

/** What a file of so many bytes counts for. */
export function uploadCharge(bytes: number): number {
  return Math.max(leastBytes, bytes)
}

/** The day of an upload, as in 2026-11-22. */
export function uploadDay(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** A task's room comes back with the purge, not with time alone; a day's with the next day. */
export function uploadRefusal(spent: UploadBudget, limits: UploadLimits, now: Date): MarketError {
  if (spent === 'task') return new MarketError('UPLOAD_QUOTA_EXCEEDED', { limit_bytes: limits.perTask })
  const reset = new Date(`${uploadDay(new Date(now.getTime() + 86_400_000))}T00:00:00Z`)
  return new MarketError('UPLOAD_BUDGET_SPENT', {
    budget: spent, limit_bytes: spent === 'wallet' ? limits.perWalletDay : limits.perDay,
    reset_at: reset.toISOString(), retry_after_sec: Math.max(1, Math.ceil((reset.getTime() - now.getTime()) / 1_000)),
  })
}
