import type { Category, EscrowStatus, EvidenceType, Party, Target, TaskStatus } from '@ergon/contract'
import type { Deciders } from '@ergon/contract/facts'
import type { Amount } from '../money/amount.ts'
import type { TaskPolicy } from '../policy/policy.ts'
import type { Turn } from '../settlement-offers/turn.ts'
import type { PublicArea } from './place.ts'

/** A task as it is stored. `status` includes `assigning` while a lock is in flight. */
export type Task = {
  readonly id: string
  readonly status: TaskStatus
  readonly title: string
  readonly instructions: string
  readonly category: Category
  readonly bounty: Amount
  readonly deadline: Date
  readonly publisherWallet: string
  readonly publisherType: Party
  readonly publisherAgentId: number | null
  readonly target: Target
  readonly executorId: string | null
  readonly evidenceRequired: readonly EvidenceType[]
  readonly evidenceOptional: readonly EvidenceType[]
  readonly locationHint: string | null
  /** About where it has to be done; null for anywhere. */
  readonly area: PublicArea | null
  readonly minReputation: number
  /** Null: the rules of a task without one (decision 0157). */
  readonly policy: TaskPolicy | null
  /** Until when its publisher may look at what was handed in last; null before, and without a policy. */
  readonly reviewUntil: Date | null
  /** By when the assigned worker has to have begun; null once it has, and where nobody asks. */
  readonly startBy: Date | null
  /** Whom it waits for beside what its status says (decisions 0167, 0168). */
  readonly turn: Turn | null
  readonly escrowStatus: EscrowStatus
  readonly escrowTx: string | null
  readonly paymentTx: string | null
  readonly refundTx: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A task with what is kept of its money beside it. */
export type KeptTask = Task & {
  readonly paymentAuth: string | null
  readonly feeTx: string | null
  /** What left for the worker and the fee, atomic units; null: the whole bounty did, or nothing yet. */
  readonly captured: bigint | null
}

/** Scores of both sides; null where there is nothing to show, never 0 (spec §2). */
export type PublisherReputation = { readonly avgScore: number | null; readonly ratingCount: number }
export type ExecutorReputation = {
  readonly onchain: number | null
  readonly heuristic: number | null
  readonly effective: number | null
  readonly avgRating: number | null
  readonly tasksCompleted: number
}
/** `applicants`: who waits to be chosen; null wherever it is not its publisher who reads. */
export type TaskView = Task & {
  readonly publisherReputation: PublisherReputation | null
  readonly executorReputation: ExecutorReputation | null
  /** What both sides call themselves; null where they do not. */
  readonly publisherName: string | null
  readonly publisherPicture: string | null
  readonly executorName: string | null
  readonly executorPicture: string | null
  readonly applicants: number | null
  /** Its bounty is being paid without an escrow, which would say so itself (decision 0333). */
  readonly isPaying: boolean
}
/** With who may decide its dispute; null where none waits for that. */
export type SeenTask = TaskView & { readonly deciders: Deciders | null }
