import type {
  EventData,
  EventName,
  PaymentEventStatus,
  PaymentEventType,
  RatingDirection,
  TaskStatus,
} from '@ergon/contract'
import type { Application, ApplicationView } from '../applications/application.ts'
import type { MeterTerms } from '../channels/metering.ts'
import type { Dispute } from '../disputes/dispute.ts'
import type { LogPlace, Movement } from '../escrow/movement.ts'
import type { LockMode } from '../escrow/payment-mode.ts'
import type { PaymentEvent } from '../escrow/payment-record.ts'
import type { Payment } from '../escrow/payment.ts'
import type { Worker, WorkerView } from '../identity/worker.ts'
import type { Posting } from '../ledger/journal.ts'
import type { Amount, Asset } from '../money/amount.ts'
import type { Page, PageRequest, Ranked, Slice } from '../page.ts'
import type { CountedRatings, Rating } from '../reputation/rating.ts'
import type { RailOrder } from '../settlements/order.ts'
import type { Settlement, SettlementStatus } from '../settlements/settlement.ts'
import type { Submission } from '../submissions/submission.ts'
import type { AvailableFilter, TaskFilter } from '../tasks/task-filter.ts'
import type { KeptTask, Task, TaskView } from '../tasks/task.ts'
import type { AccountStore, AccountTx } from './store-account.ts'
import type { AdminStore, AdminTx } from './store-admin.ts'
import type { AuditStore, PaymentsHealth } from './store-audit.ts'
import type { CashOutStore, CashOutTx } from './store-cash-outs.ts'
import type { ChannelStore, ChannelTx } from './store-channels.ts'
import type { CursorStore } from './store-cursors.ts'
import type { DebtStore } from './store-debts.ts'
import type { DisputeStore, DisputeTx } from './store-disputes.ts'
import type { EventStore } from './store-events.ts'
import type { PictureStore } from './store-pictures.ts'
import type { PortfolioStore, PortfolioTx } from './store-portfolio.ts'
import type { SearchStore, SearchTx } from './store-searches.ts'
import type { InvitationTx } from './store-invitations.ts'
import type { ExtensionStore, ExtensionTx } from './store-extensions.ts'
import type { BookedMovement, FollowStore, FollowTx } from './store-follow.ts'
import type { ListingStore, ListingTx } from './store-listings.ts'
import type { StorePeople } from './store-people.ts'
import type { TimerStore, TimerTx } from './store-timers.ts'
import type { MessageStore, MessageTx } from './store-messages.ts'
import type { OfferStore, OfferTx } from './store-offers.ts'
import type { RulingStore, RulingTx } from './store-rulings.ts'
import type { RoomStore } from './store-rooms.ts'
import type { VerificationStore, VerificationTx } from './store-verification.ts'
import type { WordsStore, WordsTx } from './store-words.ts'

export type NewEvent<N extends EventName = EventName> = {
  readonly id: string
  readonly type: N
  readonly taskId: string
  readonly at: Date
  readonly data: EventData<N>
}
/** `meter`: the terms of a metered task. */
export type NewTask = Task & { readonly paymentAuth: string | null; readonly meter?: MeterTerms }
export type TaskChanges = Partial<
  Pick<
    Task,
    | 'executorId'
    | 'escrowStatus'
    | 'escrowTx'
    | 'paymentTx'
    | 'refundTx'
    | 'title'
    | 'instructions'
    | 'locationHint'
    | 'deadline'
    | 'minReputation'
    | 'policy'
    | 'reviewUntil'
    | 'startBy'
    | 'turn'
    | 'target'
  >
> & { readonly feeTx?: string | null; readonly paymentBlock?: bigint | null; readonly captured?: bigint }
export type NewPaymentEvent = {
  readonly id: string
  readonly taskId: string
  readonly type: PaymentEventType
  readonly status: PaymentEventStatus
  readonly amount: Amount | null
  readonly asset: Asset
  readonly from: string | null
  readonly to: string | null
  readonly txHash: string | null
  readonly note?: string
  readonly at: Date
}
export type SettlementEnd = {
  readonly status: SettlementStatus
  readonly txHash?: string
  readonly blockNumber?: bigint
  /** Why it was refused; of one that is in doubt: the verdict whose copies are waited out. Absent: none. */
  readonly code?: string
  /** What was said last against one that is tried again; absent: stays as it is. */
  readonly refusal?: string
  readonly dueAt?: Date
  /** Another order in the place of this one, which can land no more. */
  readonly order?: RailOrder
  /** A copy is sent now, to be carried out until then; raises, never lowers. */
  readonly sentUntil?: Date
  /** A refused authorization is looked at until then (`leaseWatched`); absent: no more. */
  readonly watchUntil?: Date
}
/** A settlement this process works on, as it took it. */
export type HeldSettlement = Pick<Settlement, 'id' | 'attempts'>

/** A sweep of accrued fees to the treasury: its own intent, one in flight per asset. */
export type Sweep = { readonly id: string; readonly asset: Asset; readonly key: string; readonly attempts: number }
/** A paid task whose fee has no named transaction yet. */
export type OwedFee = {
  readonly taskId: string
  /** What was captured. */
  readonly bounty: Amount
  /** The place of its capture; index -1 means that nobody wrote it down. */
  readonly captured: LogPlace
  readonly since: Date
}

export type Identity = { readonly agentId: number; readonly txHash: string | null }
export type StoredIdentity = { readonly network: string; readonly wallet: string; readonly agentId: number }
/** What the registry shows of a wallet that is stored with the agent `from`; nothing is done where that is no more. */
export type IdentityChange = {
  readonly network: string
  readonly wallet: string
  readonly from: number
  readonly at: Date
}

/**
 * What one transaction may do. A row that belongs to a task is locked under the lock of its task, or alone; whatever
 * has no task is locked before one (decision 0205).
 */
export interface Tx
  extends
    AdminTx,
    VerificationTx,
    DisputeTx,
    OfferTx,
    MessageTx,
    ExtensionTx,
    InvitationTx,
    PortfolioTx,
    SearchTx,
    RulingTx,
    ListingTx,
    AccountTx,
    CashOutTx,
    FollowTx,
    WordsTx,
    ChannelTx,
    TimerTx {
  lockTask(id: string): Promise<(Task & { readonly paymentAuth: string | null }) | null>
  /**
   * Moves the status and writes the history line; the caller holds the lock and asked the lifecycle. Where the task
   * ends, applications that still wait end with it.
   */
  moveTask(id: string, to: TaskStatus, at: Date, changes?: TaskChanges): Promise<void>
  changeTask(id: string, changes: TaskChanges, at: Date): Promise<void>
  hasApplications(taskId: string): Promise<boolean>
  /** False when this worker has applied already, and not taken it back. */
  insertApplication(application: Application): Promise<boolean>
  /** `hasNotes`: an earlier assignment of this worker brought notes, which stand still. */
  application(taskId: string, executorId: string): Promise<(Application & { readonly hasNotes: boolean }) | null>
  acceptApplication(taskId: string, executorId: string): Promise<void>
  /** Those that wait, oldest first. */
  pendingApplications(taskId: string, limit: number): Promise<readonly Pick<Application, 'id' | 'executorId'>[]>
  insertSubmission(submission: Submission): Promise<void>
  lockSubmission(id: string): Promise<Submission | null>
  decideSubmission(
    id: string,
    decision: {
      readonly status: 'approved' | 'rejected'
      readonly at: Date
      readonly reason?: string
      readonly paymentTx?: string
    },
  ): Promise<void>
  insertDispute(dispute: Dispute): Promise<void>
  /** False when an open or confirmed settlement is in its way; the partial unique indexes decide. */
  claimSettlement(settlement: Settlement, dueAt: Date): Promise<boolean>
  /** Whether money of the task is on its way: a settlement that is open, or a channel that is closing. */
  hasOpenSettlement(taskId: string): Promise<boolean>
  /** Whether what a payment held goes back to its payer, or went, because its lock had been given up. */
  isGoingBack(hash: string): Promise<boolean>
  lockSettlement(id: string): Promise<Settlement | null>
  /** Writes the state of a settlement; what `end` does not name of transaction, block, due time and order stays. */
  endSettlement(id: string, end: SettlementEnd, at: Date): Promise<void>
  /** Makes a refused settlement confirmed; false when another of its subject is open or confirmed meanwhile. */
  confirmRefused(id: string, landed: Pick<SettlementEnd, 'txHash' | 'blockNumber'>, at: Date): Promise<boolean>
  /** The fee that fell with a payout may be sent after all: the payout landed. Due at once. */
  reviveFeeOf(submissionId: string, at: Date): Promise<void>
  /**
   * Writes down a log of the escrow; false when it was written down before. One that belonged to no settlement is given
   * to this one. @throws when it belongs to another settlement: nothing is booked for two.
   */
  addMovement(
    movement: Movement,
    of: { readonly taskId: string | null; readonly settlementId: string | null },
  ): Promise<boolean>
  /** What is written down of a payment, in the order of the chain. */
  movements(network: string, hash: string): Promise<readonly BookedMovement[]>
  /** The fee of a payout that failed, or was undone, falls with it. Answers it, if there is one. */
  refuseFeeOf(submissionId: string, at: Date): Promise<Settlement | null>
  /**
   * The payment of a task, in the place of an earlier one. @throws PAYMENT_AUTH_USED when it is the payment of another
   * task
   */
  putEscrow(taskId: string, payment: Payment): Promise<void>
  /** The present payment of the task; ask under its lock, for an assignment may have written another since. */
  escrowPayment(taskId: string): Promise<Payment | null>
  /** Ends what a task owes the treasury, by a transaction or without one; false when it was ended before. */
  settleFee(taskId: string, txHash: string | null, at: Date): Promise<boolean>
  /** What the ledger says an account holds. */
  ledgerBalance(asset: Asset, account: string): Promise<bigint>
  addPaymentEvent(event: NewPaymentEvent): Promise<void>
  post(journal: {
    readonly id: string
    readonly taskId: string | null
    readonly asset: Asset
    readonly at: Date
    readonly postings: readonly Posting[]
  }): Promise<void>
  /** Several, in one statement. */
  addEvents(events: readonly NewEvent[]): Promise<void>
  addEvent<N extends EventName>(event: NewEvent<N>): Promise<void>
  countCompleted(executorId: string): Promise<void>
  /** The wallet of a worker and its agent id on a network; null while it has none. */
  agentOf(executorId: string, network: string): Promise<{ readonly wallet: string; readonly agentId: number } | null>
  /** False when the task is rated in this direction already, or a rating is on its way. */
  putRating(rating: Rating, dueAt: Date | null, at: Date): Promise<boolean>
  lockRating(taskId: string, direction: RatingDirection): Promise<Rating | null>
  /** `sending` counts an attempt and keeps the latest `landsUntil` of those sent since the rating was prepared. */
  endRating(
    id: string,
    end: {
      readonly status: Rating['status']
      readonly txHash?: string
      readonly feedbackIndex?: number
      readonly dueAt?: Date
      readonly landsUntil?: Date
    },
    at: Date,
  ): Promise<void>
  endSweep(
    id: string,
    end: {
      readonly status: 'confirmed' | 'open' | 'empty'
      readonly txHash?: string
      readonly blockNumber?: bigint
      readonly amount?: bigint
      readonly dueAt?: Date
    },
    at: Date,
  ): Promise<boolean>
}

/**
 * Everything the marketplace remembers. Calls throw when the store cannot be asked; no method guesses.
 * Rows that are due are taken with a lease, so that of several processes one works on each.
 */
export interface Store
  extends
    AdminStore,
    AuditStore,
    DisputeStore,
    EventStore,
    VerificationStore,
    StorePeople,
    ListingStore,
    AccountStore,
    CashOutStore,
    RoomStore,
    CursorStore,
    ChannelStore,
    DebtStore,
    FollowStore,
    WordsStore,
    OfferStore,
    MessageStore,
    ExtensionStore,
    SearchStore,
    PictureStore,
    PortfolioStore,
    RulingStore,
    TimerStore {
  /**
   * Runs `work` in one transaction: committed when it answers, undone when it throws. Never held across a network call.
   * What answers nothing may be done as late as the commit: a failure of it is thrown by what comes after it.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Inserts task, history and event in one statement; a repeat of the idempotency key answers the first task. @throws
   * IDEMPOTENCY_KEY_REUSED
   */
  /** What was published under a key; null when nothing was. @throws IDEMPOTENCY_KEY_REUSED for another body */
  publishedUnder(wallet: string, idempotency: { readonly key: string; readonly bodyHash: string }): Promise<Task | null>
  publish(
    task: NewTask,
    event: NewEvent<'task.created'> | null,
    idempotency: { readonly key: string; readonly bodyHash: string } | null,
  ): Promise<{ readonly task: Task; readonly replayed: boolean }>

  task(id: string): Promise<KeptTask | null>
  taskView(id: string): Promise<TaskView | null>
  tasks(filter: TaskFilter & { readonly anyStatus: boolean }, page: PageRequest): Promise<Page<TaskView>>
  availableTasks(filter: AvailableFilter, page: PageRequest, now: Date): Promise<Page<TaskView>>
  /** Whether this wallet has applied to, or works on, the task. */
  isParticipant(taskId: string, wallet: string): Promise<boolean>
  applications(taskId: string, page: PageRequest): Promise<Page<ApplicationView>>
  application(taskId: string, executorId: string): Promise<Application | null>
  submission(id: string): Promise<Submission | null>
  submissions(taskId: string): Promise<readonly Submission[]>
  /** Some of them, newest first; of one worker where one is named. */
  submissionsSlice(taskId: string, executorId: string | null, slice: Slice): Promise<Ranked<Submission>>
  stampEvidenceAccess(submissionIds: readonly string[], at: Date): Promise<void>
  escrowPayment(taskId: string): Promise<Payment | null>
  paymentEvents(taskId: string, slice: Slice): Promise<Ranked<PaymentEvent>>
  /** The mode in which the task was locked last; null where no lock was begun here. */
  lastLock(taskId: string): Promise<LockMode | null>
  openSettlement(taskId: string): Promise<Settlement | null>
  settlement(taskId: string, purpose: Settlement['purpose']): Promise<Settlement | null>
  disputeOf(submissionId: string): Promise<Dispute | null>

  worker(id: string): Promise<WorkerView | null>
  workerByWallet(wallet: string): Promise<WorkerView | null>
  /** Creates the worker of a wallet, or updates the fields given. */
  /** A worker that is not there yet is written; of one that is there the name changes alone, never its `party`. */
  putWorker(worker: {
    readonly id: string
    readonly wallet: string
    readonly displayName?: string
    readonly party?: Worker['party']
    readonly at: Date
  }): Promise<WorkerView>
  identity(network: string, wallet: string): Promise<Identity | null>
  putIdentity(network: string, wallet: string, identity: Identity, at: Date): Promise<void>
  /** The wallet has another agent; what it published as the one of before, since then, names this one. */
  changeIdentity(change: IdentityChange & { readonly to: number; readonly publishedSince: Date }): Promise<void>
  /** The wallet has none, unless it was stored since then. */
  forgetIdentity(change: IdentityChange & { readonly storedBefore: Date }): Promise<void>
  /** Identities on this network that are to be held against the registry, each looked at again at `until`. */
  leaseIdentities(network: string, now: Date, until: Date, limit: number): Promise<readonly StoredIdentity[]>
  /** They agree with the registry, and are due again when they are twice as old, at most thirty days from now. */
  identitiesChecked(checked: readonly StoredIdentity[], now: Date): Promise<void>
  rating(taskId: string, direction: RatingDirection): Promise<Rating | null>
  ratings(taskId: string): Promise<readonly Rating[]>
  /** The mean of the ratings of an agent that count: given for paid tasks of ours, by their parties (decision 0093). */
  countedRatings(network: string, agentId: number, direction: RatingDirection | null): Promise<CountedRatings>
  /** Caches what the ratings say of an agent, for the worker and the publisher behind it. */
  putScore(score: {
    readonly network: string
    readonly agentId: number
    readonly role: 'worker' | 'publisher'
    readonly wallet: string
    readonly score: number | null
    readonly count: number
    readonly at: Date
  }): Promise<void>

  /**
   * Open settlements of this network whose time has come, each leased until `leaseUntil` and its `sentUntil` raised to
   * the one given, unless it waits for copies to die (`isWaiting`).
   */
  leaseSettlements(
    network: string,
    now: Date,
    leaseUntil: Date,
    sentUntil: Date,
    limit: number,
  ): Promise<readonly Settlement[]>
  /** Keeps the leases of settlements this process still works on: open, and not taken up by another since. */
  renewSettlements(held: readonly HeldSettlement[], until: Date): Promise<number>
  /** Refused authorizations that may still be used, each looked at again at `until`. */
  leaseWatched(
    network: string,
    now: Date,
    until: Date,
    limit: number,
  ): Promise<readonly (Settlement & { readonly watchUntil: Date })[]>
  /** Tasks whose deadline passed, in a status that can expire and with no settlement in flight. */
  dueTasks(network: string, now: Date, limit: number): Promise<readonly string[]>
  leaseRatings(network: string, now: Date, leaseUntil: Date, limit: number): Promise<readonly Rating[]>
  owedFees(network: string, limit: number): Promise<readonly OwedFee[]>
  /** The first distribution behind a capture: the one that moved its fee, if any did. */
  sweepAfter(asset: Asset, captured: LogPlace): Promise<{ readonly txHash: string } | null>
  /** The sweep in flight for an asset, or a new one; null when another process holds its lease. */
  leaseSweep(fresh: Sweep, now: Date, leaseUntil: Date): Promise<Sweep | null>
  paymentsHealth(now: Date): Promise<PaymentsHealth>
}
