import type { SubmissionStatus } from '@ergon/contract'
import type { WorkerProfile, WorkerView } from '../identity/worker.ts'
import type { Amount } from '../money/amount.ts'
import type { Page, PageRequest, Ranked, Slice } from '../page.ts'
import type { Rating } from '../reputation/rating.ts'
import type { Submission } from '../submissions/submission.ts'
import type { TaskView } from '../tasks/task.ts'

/** A slice of a ranking; ranks move, so places in it are counted and have no cursor. */

export type WorkerFilter = { readonly minReputation: number | null; readonly hasCompleted: boolean | null }
export type SubmissionFilter = { readonly status: SubmissionStatus | null; readonly taskId: string | null }
export type WorkerTasksFilter = {
  readonly executorId: string
  readonly status: TaskView['status'] | null
  readonly anyStatus: boolean
}
export type DirectoryFilter = { readonly capability: string | null; readonly minRating: number | null }

/** One agent of the directory. */
export type AgentEntry = {
  readonly worker: WorkerView
  readonly profile: WorkerProfile
  readonly activeTasks: number
  readonly tasksPublished: number
  readonly bountyPublished: bigint
}

/** One payout that reached the worker. */
export type Earning = {
  readonly taskId: string
  readonly title: string
  readonly gross: Amount
  readonly payout: Amount
  readonly txHash: string | null
  readonly paidAt: Date
}
/** What a worker earned in one token of one network; amounts of different tokens are never added up. */
export type EarningsTotal = { readonly paid: Amount; readonly count: number }
/** Bounties of tasks the worker holds that are not paid yet. */
export type PendingTotal = { readonly gross: Amount; readonly count: number }
export type Earnings = {
  readonly page: Page<Earning>
  readonly paid: readonly EarningsTotal[]
  readonly pending: readonly PendingTotal[]
}

/** Ratings on chain that one side received, and their mean; null means unrated. */
export type ReceivedRatings = {
  readonly average: number | null
  readonly count: number
  /** Newest first. */
  readonly latest: Ranked<Rating & { readonly at: Date | null }>
}

export type MarketStats = {
  readonly openTasks: number
  readonly activeTasks: number
  readonly completedTasks: number
  readonly workers: number
  readonly agents: number
}

/** Lists about people: rankings, the directory, and what belongs to one wallet. */
export interface StorePeople {
  /** Ranked by the effective score, unrated last (spec §2). */
  rankedWorkers(filter: WorkerFilter, slice: Slice): Promise<Ranked<WorkerView>>
  workerProfile(id: string): Promise<WorkerProfile | null>
  putWorkerProfile(id: string, changes: Partial<WorkerProfile>): Promise<void>
  workerTasks(filter: WorkerTasksFilter, page: PageRequest): Promise<Page<TaskView>>
  earnings(executorId: string, page: PageRequest): Promise<Earnings>
  /** Submissions the wallet made, or that were made to its tasks. */
  submissionsOf(
    wallet: string,
    filter: SubmissionFilter,
    page: PageRequest,
  ): Promise<Page<Submission & { readonly publisherWallet: string }>>
  receivedRatings(wallet: string, direction: Rating['direction'], slice: Slice): Promise<ReceivedRatings>
  directory(filter: DirectoryFilter, slice: Slice): Promise<Ranked<AgentEntry>>
  marketStats(): Promise<MarketStats>
}
