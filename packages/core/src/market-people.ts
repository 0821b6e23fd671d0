import type { RatingDirection, TaskStatus } from '@ergon/contract'
import type { Caller, WalletCaller } from './caller.ts'
import type { Party } from '@ergon/contract'
import type { WorkerProfile, WorkerView } from './identity/worker.ts'
import type { Page, PageRequest } from './market.ts'
import type {
  AgentEntry,
  DirectoryFilter,
  Earnings,
  MarketStats,
  Ranked,
  ReceivedRatings,
  Slice,
  SubmissionFilter,
  WorkerFilter,
} from './ports/store-people.ts'
import type { RegistryMean } from './reputation/rating.ts'
import type { Submission } from './submissions/submission.ts'
import type { TaskView } from './tasks/task.ts'

export type {
  AgentEntry,
  DirectoryFilter,
  Earning,
  Earnings,
  EarningsTotal,
  MarketStats,
  PendingTotal,
  Ranked,
  ReceivedRatings,
  Slice,
  SubmissionFilter,
  WorkerFilter,
} from './ports/store-people.ts'

export type WorkerChanges = { readonly name?: string; readonly party?: Party; readonly profile: Partial<WorkerProfile> }
export type WorkerStanding = {
  readonly worker: WorkerView
  readonly network: string
  readonly received: ReceivedRatings
}
export type PublisherStanding = { readonly wallet: string; readonly received: ReceivedRatings }
export type AgentHolder = {
  readonly agentId: number
  readonly network: string
  readonly wallet: string
  readonly uri: string | null
  readonly worker: WorkerView | null
}
/** `count` and `registry` are null when the registry could not be read. */
export type NetworkStanding = {
  readonly network: string
  readonly agentId: number | null
  readonly score: number | null
  readonly count: number | null
  readonly registry: RegistryMean | null
  readonly status: 'rated' | 'unrated' | 'unregistered' | 'unavailable'
}
export type RatingsOf = { readonly wallet: string; readonly direction: RatingDirection }

/** The part of the market that reads about people. */
export interface MarketPeople {
  rankedWorkers(filter: WorkerFilter, slice: Slice): Promise<Ranked<WorkerView>>
  /** @throws WORKER_NOT_FOUND, FORBIDDEN to everyone but the worker */
  updateWorker(
    caller: WalletCaller,
    executorId: string,
    changes: WorkerChanges,
  ): Promise<{ readonly worker: WorkerView; readonly profile: WorkerProfile }>
  /** Public statuses to outsiders, every status to the worker. */
  workerTasks(caller: Caller, executorId: string, status: TaskStatus | null, page: PageRequest): Promise<Page<TaskView>>
  /** @throws FORBIDDEN to everyone but the worker */
  earnings(caller: WalletCaller, executorId: string, page: PageRequest): Promise<Earnings>
  workerStanding(executorId: string): Promise<WorkerStanding>
  /** Empty to an unsigned caller, who owns no rows (spec §5.5). What the publisher reads is stamped. */
  listSubmissions(caller: Caller, filter: SubmissionFilter, page: PageRequest): Promise<Page<Submission>>
  /** `key` is a wallet, or an agent id of the identity network. @throws IDENTITY_NOT_FOUND */
  publisherStanding(key: string): Promise<PublisherStanding>
  agentHolder(agentId: number, network: string | null): Promise<AgentHolder>
  /** Where a wallet stands on each of these networks; one that cannot be read says so. */
  crossChain(wallet: string, networks: readonly string[]): Promise<readonly NetworkStanding[]>
  directory(filter: DirectoryFilter, slice: Slice): Promise<Ranked<AgentEntry>>
  stats(): Promise<MarketStats>
}
