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

/** What is spent, and when a day's room begins anew, by the clock that counts. */
export type UploadSpent = { readonly budget: UploadBudget; readonly reset: Date; readonly secondsLeft: number }

/** A task's room comes back with the purge, not with time alone; a day's with the next day. */
export function uploadRefusal({ budget, reset, secondsLeft }: UploadSpent, limits: UploadLimits): MarketError {
  if (budget === 'task') return new MarketError('UPLOAD_QUOTA_EXCEEDED', { limit_bytes: limits.perTask })
  return new MarketError('UPLOAD_BUDGET_SPENT', {
    budget,
    limit_bytes: budget === 'wallet' ? limits.perWalletDay : limits.perDay,
    reset_at: reset.toISOString(),
    retry_after_sec: secondsLeft,
  })
}
