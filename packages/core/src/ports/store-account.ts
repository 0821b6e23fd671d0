import type { Block, Report } from '../identity/account.ts'
import type { Worker } from '../identity/worker.ts'
import type { Page, PageRequest } from '../page.ts'

/** Whose rows are meant. `executorId` is null for a wallet that never worked. */
export type AccountKey = { readonly wallet: string; readonly executorId: string | null }

/** What one transaction may do about an account. */
export interface AccountTx {
  /** Locks what could start work or move money of the account; answers tasks where either is under way. */
  lockAccount(key: AccountKey): Promise<readonly string[]>
  /**
   * Makes a worker another kind of party unless it has an open application or task, as worker or publisher: then
   * answers those, and changes nothing.
   */
  changeParty(worker: Pick<Worker, 'id' | 'wallet'>, party: Worker['party']): Promise<readonly string[]>
  /** Blanks what the account said about itself and ends its sessions; tasks, money and ratings stay (decision 0060). */
  anonymiseAccount(key: AccountKey, at: Date): Promise<void>
}

/** What belongs to one wallet and to nothing else. */
export interface AccountStore {
  /** Names of the parts of an export, in order. */
  readonly exportSections: readonly string[]
  /** The row of the worker as JSON text. */
  exportProfile(wallet: string): Promise<string | null>
  /** Rows of one part as JSON texts, in a stable order; `next` goes on from there. */
  exportPage(
    section: string,
    key: AccountKey,
    after: string | null,
  ): Promise<{ readonly rows: readonly string[]; readonly next: string | null }>
  payoutAddress(executorId: string): Promise<string | null>
  putPayoutAddress(executorId: string, address: string): Promise<void>
  /** Answers the report that is kept: this one, or an earlier one of the same thing. */
  putReport(report: Report): Promise<Report>
  reportsOf(wallet: string, page: PageRequest): Promise<Page<Report>>
  /** Answers the block that is kept, this one or an earlier one; null where its wallet has so many already. */
  putBlock(block: Block, most: number): Promise<Block | null>
  /** False when there was none. */
  removeBlock(blocker: string, blocked: string): Promise<boolean>
  blocksOf(wallet: string, page: PageRequest): Promise<Page<Block>>
  /** Whether either blocked the other. */
  areApart(one: string, other: string): Promise<boolean>
}
