import type { WalletCaller } from '../caller.ts'

/** What may be done in a UTC day, by whom and in all; 0 is no limit. */
export type DayLimits = { readonly ofWallet: number; readonly ofAddress: number; readonly inAll: number }

/** What is done in a day, counted where every process counts. */
export interface DayBudget {
  /**
   * Counts one that is about to be done; what is the same `once` counts once a day. @throws RATE_LIMITED; nothing is
   * counted then
   */
  take(by: Pick<WalletCaller, 'wallet' | 'from'>, once?: string): Promise<void>
}
