import type { ReportReason, ReportTarget } from '@ergon/contract'
import type { Caller, WalletCaller } from '../caller.ts'
import type { Report } from '../identity/account.ts'
import { emptyPage, type Page, type PageRequest } from '../page.ts'
import type { MarketDeps } from './deps.ts'
import { existingListing } from './list-service.ts'
import { existingSubmission, existingTask, existingWorker } from './read.ts'

export type ReportInput = {
  readonly target: ReportTarget
  readonly targetId: string
  readonly reason: ReportReason
  readonly note: string | null
}

const exists = {
  task: existingTask,
  submission: existingSubmission,
  worker: existingWorker,
  listing: existingListing,
} as const satisfies Record<ReportTarget, unknown>

/**
 * Reports what exists; the same again is the report of before. @throws TASK_NOT_FOUND, SUBMISSION_NOT_FOUND,
 * WORKER_NOT_FOUND, LISTING_NOT_FOUND, RATE_LIMITED
 */
export async function report(deps: MarketDeps, caller: WalletCaller, input: ReportInput): Promise<Report> {
  await exists[input.target](deps, input.targetId)
  await deps.reports?.take(caller, `${input.target} ${input.targetId}`)
  return deps.store.putReport({
    id: deps.ids.next(),
    reporter: caller.wallet,
    ...input,
    createdAt: deps.clock.now(),
  })
}

/** What the caller reported. */
export async function reports({ store }: MarketDeps, caller: Caller, page: PageRequest): Promise<Page<Report>> {
  if (caller.kind === 'anonymous') return emptyPage(page)
  return store.reportsOf(caller.wallet, page)
}
