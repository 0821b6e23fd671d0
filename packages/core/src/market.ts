import type {
  Category,
  DisputeReason,
  EvidenceType,
  Party,
  PaymentMode,
  RatingDirection,
  Target,
  TaskState,
  TaskStatus,
} from '@ergon/contract'
import type { ApplicationView } from './applications/application.ts'
import type { AdminCaller, Caller, WalletCaller } from './caller.ts'
import type { AccountMarket } from './market-account.ts'
import type { AdminMarket } from './market-admin.ts'
import type { DisputeMarket } from './market-disputes.ts'
import type { EventMarket } from './market-events.ts'
import type { VerificationMarket } from './market-verification.ts'
import type { RoomMarket } from './market-rooms.ts'
import type { Dispute } from './disputes/dispute.ts'
import type { EscrowView, PaymentEvent } from './escrow/payment-record.ts'
import type { SignedReleaseOrder } from './escrow/payment.ts'
import type { WorkerView } from './identity/worker.ts'
import type { FeeMarket } from './market-fees.ts'
import type { AuditDuties, AuditMarket } from './market-audit.ts'
import type { ListingMarket } from './market-listings.ts'
import type { MarketEvidence } from './market-evidence.ts'
import type { MarketPeople } from './market-people.ts'
import type { Amount } from './money/amount.ts'
import type { TypedData } from './ports/signatures.ts'
import type { RatingTerms, RelayedRating } from './ports/rating-relay.ts'
import type { CountedRatings, RegistryMean } from './reputation/rating.ts'
import type { Evidence, Submission } from './submissions/submission.ts'
import type { Task, TaskView } from './tasks/task.ts'

/** A page of rows in a stable order; `cursor` is opaque outside the store. */
export type PageRequest = { readonly limit: number; readonly offset: number; readonly cursor: string | null }
export type Page<T> = {
  readonly rows: readonly T[]
  readonly total: number
  readonly offset: number
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

export type PublishInput = {
  readonly title: string
  readonly instructions: string
  readonly category: Category
  /** Exact decimal text of the bounty in US dollars. */
  readonly bountyUsd: string
  readonly deadlineHours: number
  readonly evidenceRequired: readonly EvidenceType[]
  readonly evidenceOptional: readonly EvidenceType[]
  readonly locationHint: string | null
  readonly minReputation: number
  /** Null means the deployment's preferred network. */
  readonly network: string | null
  readonly token: string | null
  readonly target: Target
  readonly publisherType: Party
  readonly paymentAuth: string | null
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null
}
export type Published = { readonly task: Task; readonly replayed: boolean }

export type UpdateInput = {
  readonly title?: string
  readonly instructions?: string
  readonly locationHint?: string
  readonly deadlineHours?: number
  readonly minReputation?: number
  readonly target?: Target
}
export type TaskFilter = {
  readonly status: TaskState | null
  readonly category: Category | null
  readonly network: string | null
  readonly publisher: string | null
  readonly byPeople?: true
}
export type AvailableFilter = {
  readonly category: Category | null
  readonly network: string | null
  readonly target: Target | null
  readonly minBountyUsd: string | null
  readonly maxBountyUsd: string | null
}

export type Assignment = {
  readonly state: 'accepted' | 'assigning'
  readonly task: Task
  readonly executorId: string
  readonly workerWallet: string
}
export type ApproveInput = {
  readonly rating: number | null
  readonly feedback: string | null
  readonly order: SignedReleaseOrder | null
  /** Mode fase1: raw JSON of the two direct payments. */
  readonly payoutAuth: string | null
  readonly feeAuth: string | null
}
/** `approving`: the settlement is in flight and the reconciler finishes it. */
export type ApprovalOutcome = {
  readonly state: 'approved' | 'approving'
  readonly taskId: string
  readonly submissionId: string
  readonly paymentTx: string | null
  readonly feeTx: string | null
  readonly gross: Amount
  readonly payout: Amount
  readonly fee: Amount
  readonly mode: PaymentMode
}
export type RejectInput = {
  readonly reason: string
  readonly criteria: readonly string[]
  readonly category?: DisputeReason
}
/** `cancelling`: the refund is in flight and the reconciler finishes it. */
export type Cancellation = {
  readonly state: 'cancelled' | 'cancelling'
  readonly taskId: string
  readonly status: TaskStatus
  readonly refundTx: string | null
}

/** `paymentWorker` and `paymentFee` are the destinations of X-Payment-Worker and X-Payment-Fee (decision 0004). */
export type AssignInput = {
  readonly executorId: string
  readonly notes: string | null
  readonly paymentAuth: string | null
  readonly paymentWorker?: string
  readonly paymentFee?: string
}
export type AssignChallenge = {
  readonly taskId: string
  readonly executorId: string
  readonly network: string
  readonly amount: Amount
  readonly token: string
  readonly collector: string
  readonly typedData: TypedData
  readonly envelope: Readonly<Record<string, unknown>>
  readonly expiresAt: Date
}
export type ReleaseChallenge = {
  readonly taskId: string
  readonly typedData: TypedData
  readonly deadline: number
  readonly nonce: string
  readonly expiresAt: Date
}
export type ApproveChallenge = {
  readonly submissionId: string
  readonly taskId: string
  readonly mode: PaymentMode
  readonly gross: Amount
  readonly payout: Amount
  readonly fee: Amount
  readonly releaseApproval: TypedData
  readonly release: ReleaseChallenge | null
  readonly payoutAuth: { readonly typedData: TypedData; readonly envelope: Readonly<Record<string, unknown>> } | null
  readonly feeAuth: { readonly typedData: TypedData; readonly envelope: Readonly<Record<string, unknown>> } | null
  readonly expiresAt: Date
}
export type Reclaim = {
  readonly taskId: string
  readonly chainId: number
  readonly escrow: string
  readonly calldata: string
  readonly payer: string
  readonly amount: Amount
  readonly eligibleAt: Date
  readonly eligible: boolean
}

export type PreparedRating = RatingTerms & {
  readonly taskId: string
  readonly direction: RatingDirection
  readonly rater: string
  readonly typedData: TypedData
  readonly digest: string
  readonly deadline: number
  readonly nonce: string
  readonly chainId: number
  readonly delegate: string
  readonly delegated: boolean
  readonly accountNonce: number
  readonly raterRole: string
  readonly rateeRole: string
}
export type RatingSubmission = RelayedRating & { readonly taskId: string; readonly direction: RatingDirection }
export type GivenRating = {
  readonly taskId: string
  readonly direction: RatingDirection
  readonly score: number
  readonly network: string
  readonly agentId: number
  readonly txHash: string | null
  readonly feedbackIndex: number | null
  readonly author: string
}

export type Registration = {
  readonly wallet: string
  readonly network: string
  readonly agentId: number | null
  readonly txHash: string | null
  readonly state: 'registered' | 'already_registered' | 'pending'
}
export type PaymentsHealth = {
  readonly inFlight: number
  readonly inDoubt: number
  readonly oldestSeconds: number | null
  readonly ledgerBalanced: boolean
}

/**
 * The marketplace: all that outsiders see of the domain. Every method throws `MarketError` for what it
 * expects to go wrong; codes are those its operation lists in the contract.
 */
export interface Market
  extends
    AdminMarket,
    MarketPeople,
    ListingMarket,
    DisputeMarket,
    EventMarket,
    AuditMarket,
    MarketEvidence,
    AccountMarket,
    VerificationMarket,
    RoomMarket,
    FeeMarket {
  publish(caller: WalletCaller, input: PublishInput): Promise<Published>
  updateTask(caller: WalletCaller, taskId: string, input: UpdateInput): Promise<TaskView>
  cancel(caller: WalletCaller, taskId: string, reason: string | null): Promise<Cancellation>
  apply(
    caller: WalletCaller,
    taskId: string,
    input: { readonly executorId: string | null; readonly message: string | null },
  ): Promise<ApplicationView>
  assignChallenge(caller: WalletCaller, taskId: string, executorId: string): Promise<AssignChallenge>
  assign(caller: WalletCaller, taskId: string, input: AssignInput): Promise<Assignment>
  submit(
    caller: WalletCaller,
    taskId: string,
    input: {
      readonly executorId: string | null
      readonly evidence: Evidence
      readonly notes: string | null
      readonly deviceMetadata: Readonly<Record<string, unknown>> | null
    },
  ): Promise<{ readonly submission: Submission; readonly task: Task }>
  approve(caller: WalletCaller, submissionId: string, input: ApproveInput): Promise<ApprovalOutcome>
  approveChallenge(caller: WalletCaller, submissionId: string): Promise<ApproveChallenge>
  reject(
    caller: WalletCaller,
    submissionId: string,
    input: RejectInput,
  ): Promise<{ readonly submission: Submission; readonly task: Task; readonly dispute: Dispute }>
  requestChanges(
    caller: WalletCaller,
    submissionId: string,
    reason: string,
  ): Promise<{ readonly submission: Submission; readonly task: Task }>
  /** The submission that `approve` and `reject` on the task mean: the one that waits for review, else the latest. */
  currentSubmission(taskId: string): Promise<string>

  listTasks(caller: Caller, filter: TaskFilter, page: PageRequest): Promise<Page<TaskView>>
  availableTasks(filter: AvailableFilter, page: PageRequest): Promise<Page<TaskView>>
  /** @throws TASK_NOT_FOUND, TASK_GONE (over, to outsiders), SIGNATURE_REQUIRED or FORBIDDEN (private status). */
  readTask(caller: Caller, taskId: string): Promise<TaskView>
  applications(caller: WalletCaller, taskId: string, page: PageRequest): Promise<Page<ApplicationView>>
  /** Reading as the publisher stamps `evidenceAccessedAt`. Evidence links come back as short-lived download links. */
  submissions(caller: WalletCaller, taskId: string): Promise<readonly Submission[]>
  /** With the admin key: of a disputed task alone, as it was handed in, and without a stamp. */
  readSubmission(caller: WalletCaller | AdminCaller, submissionId: string): Promise<Submission>
  escrow(caller: Caller, taskId: string): Promise<EscrowView>
  payment(caller: Caller, taskId: string): Promise<EscrowView>
  paymentEvents(caller: Caller, taskId: string): Promise<readonly PaymentEvent[]>
  refundEscrow(caller: WalletCaller, taskId: string): Promise<Cancellation>
  reclaim(caller: WalletCaller, taskId: string): Promise<Reclaim>
  releaseChallenge(caller: WalletCaller, taskId: string): Promise<ReleaseChallenge>

  /** `party` null: what it is, and for a new one what its proof says. */
  registerWorker(
    caller: WalletCaller,
    input: { readonly name: string | null; readonly party: Party | null },
  ): Promise<WorkerView>
  readWorker(executorId: string): Promise<WorkerView>
  registerIdentity(
    caller: WalletCaller,
    input: { readonly network: string | null; readonly name: string | null; readonly description: string | null },
  ): Promise<Registration>
  /**
   * The caller's agent id on the identity network: stored, read from the registry, or registered now when the
   * deployment does that. @throws identity_required, identity_check_unavailable, REGISTRATION_FAILED
   */
  ensureIdentity(wallet: string): Promise<number>
  /**
   * The same without registering: null where an act would register it. @throws identity_required where the deployment
   * registers nobody, identity_check_unavailable
   */
  findIdentity(wallet: string): Promise<number | null>
  /** The stored agent id only; never asks the chain. */
  knownIdentity(wallet: string): Promise<number | null>
  identityOf(wallet: string, network: string | null): Promise<{ readonly agentId: number; readonly network: string }>
  /**
   * What the ratings of an agent id that count come to, and beside it what the registry makes of all that anybody
   * wrote. @throws IDENTITY_NOT_FOUND, CHAIN_UNAVAILABLE
   */
  agentScore(
    agentId: number,
    network: string | null,
  ): Promise<CountedRatings & { readonly agentId: number; readonly network: string; readonly registry: RegistryMean }>
  prepareRating(
    caller: WalletCaller,
    input: {
      readonly taskId: string
      readonly direction: RatingDirection
      readonly score: number
      readonly comment: string | null
    },
  ): Promise<PreparedRating>
  submitRating(caller: WalletCaller, input: RatingSubmission): Promise<GivenRating>
  feedbackDocument(taskId: string, direction: RatingDirection | null): Promise<Uint8Array>

  paymentsHealth(): Promise<PaymentsHealth>

  /** One round of each background duty; each takes due rows with a lease and answers how many it finished. */
  readonly duties: AuditDuties & {
    /** Finishes settlements that a crash, a timeout or a slow chain left (claimed, sent or in doubt). */
    reconcile(): Promise<number>
    /**
     * Keeps what this process works on from being taken up by another; called every few seconds, well within
     * `claimLeaseMs`. Changes nothing else.
     */
    renewLeases(): Promise<number>
    /** Looks after refused signatures that can still be used on chain: what comes of them is booked, and goes back. */
    watchRefused(): Promise<number>
    /** Expires tasks whose deadline passed and refunds what they hold. */
    expire(): Promise<number>
    /** Moves accrued fees to the treasury and names the transaction in the payment events. */
    disburseFees(): Promise<number>
    /** Runs the checks of submissions, within 60 seconds of their coming in (spec §8). */
    verify(): Promise<number>
    /** Removes files that were uploaded and never handed in. */
    purgeUploads(): Promise<number>
    /** Relays ratings given with an approval. */
    relayRatings(): Promise<number>
  }
}
