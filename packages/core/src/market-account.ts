import type { ReportReason, ReportTarget } from '@ergon/contract'
import type { WalletCaller } from './caller.ts'
import type { AccountExport, Block, Report } from './identity/account.ts'
import type { Page, PageRequest } from './market.ts'

/** What a wallet does with its own account. */
export interface AccountMarket {
  exportAccount(caller: WalletCaller): Promise<AccountExport>
  /** @throws ACCOUNT_BUSY while work or money of the account is in flight. */
  anonymiseAccount(caller: WalletCaller): Promise<void>
  /** Null to everybody but the worker. */
  payoutAddress(caller: WalletCaller, executorId: string): Promise<string | null>
  /** The caller has proven the key behind the address. @throws WORKER_NOT_FOUND */
  bindPayoutAddress(caller: WalletCaller, address: string): Promise<{ readonly executorId: string }>
  /** The id of the caller as a worker. @throws WORKER_NOT_FOUND */
  ownExecutorId(caller: WalletCaller): Promise<string>
  /** @throws TASK_NOT_FOUND, SUBMISSION_NOT_FOUND, WORKER_NOT_FOUND, LISTING_NOT_FOUND */
  report(
    caller: WalletCaller,
    input: {
      readonly target: ReportTarget
      readonly targetId: string
      readonly reason: ReportReason
      readonly note: string | null
    },
  ): Promise<Report>
  reports(caller: WalletCaller, page: PageRequest): Promise<Page<Report>>
  block(caller: WalletCaller, wallet: string): Promise<Block>
  unblock(caller: WalletCaller, wallet: string): Promise<boolean>
  blocked(caller: WalletCaller, page: PageRequest): Promise<Page<Block>>
}
