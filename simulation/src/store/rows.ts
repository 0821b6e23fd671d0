import type {
  Application,
  BookedMovement,
  Channel,
  Dispute,
  Distribution,
  Finding,
  Following,
  Identity,
  MeterTerms,
  NewPaymentEvent,
  Payment,
  Rating,
  RecordedEvent,
  Settlement,
  StandingOrderWords,
  Submission,
  Sweep,
  Task,
  TaskPlace,
  TaskWords,
  Decisions,
  TimerKind,
  Worker,
  WorkerProfile,
  KeptTask,
} from '@ergon/core'

/** A point in time in milliseconds; minus infinity where PostgreSQL has it as well. */
export type Instant = number

/** Rows carry what the port answers as it is answered, and beside it what only statements look at. */
export type TaskRow = {
  readonly task: KeptTask
  readonly paymentBlock: bigint | null
  readonly idempotencyKey: string | null
  readonly bodyHash: string | null
  /** The listing that it orders, until its money moved. */
  readonly uncountedListing: string | null
  /** The listing that it orders, until its buyer opens it to everybody. */
  readonly orderedFrom: string | null
}
export type HistoryRow = {
  readonly taskId: string
  readonly status: Task['status']
  readonly at: Date
  readonly seq: number
}
export type WorkerRow = Omit<Worker, 'agentId' | 'picture'> & {
  readonly tasksCompleted: number
  readonly onchainScore: number | null
  readonly profile: WorkerProfile | null
}
export type PublisherScoreRow = {
  readonly wallet: string
  readonly avgScore: number | null
  readonly ratingCount: number
}
export type IdentityRow = Identity & { readonly network: string; readonly wallet: string }
export type SubmissionRow = {
  readonly submission: Submission
  readonly device: { readonly clock: Date | null; readonly utcOffsetMin: number | null } | null
  readonly verificationDueAt: Instant | null
  readonly verificationAttempts: number
}
export type EscrowRow = {
  readonly taskId: string
  readonly payment: Payment
  readonly auditDueAt: Instant
  readonly standingOrder: StandingOrderWords | null
}
export type SettlementRow = {
  readonly settlement: Settlement
  readonly blockNumber: bigint | null
  readonly code: string | null
  readonly dueAt: Instant
  readonly updatedAt: Instant
  readonly proofDueAt: Instant
  readonly watchUntil: Instant | null
  readonly lastRefusal: string | null
}
export type MovementRow = BookedMovement
export type DistributionRow = Distribution
export type FollowingRow = { readonly network: string; readonly following: Following | null; readonly dueAt: Instant }
export type SweepRow = Sweep & {
  readonly status: 'open' | 'confirmed' | 'empty'
  readonly txHash: string | null
  readonly blockNumber: bigint | null
  readonly amount: bigint | null
  readonly dueAt: Instant
  readonly updatedAt: Instant
}
export type LedgerRow = {
  readonly seq: number
  readonly journal: string
  readonly taskId: string | null
  readonly network: string
  readonly token: string
  readonly account: string
  readonly atomic: bigint
  readonly at: Date
}
export type RatingRow = {
  readonly rating: Rating
  readonly dueAt: Instant | null
  readonly auditDueAt: Instant
  readonly writtenAt: Date
  readonly sentAt: Date | null
  readonly landsUntil: Date | null
}
export type OutboxRow = Omit<RecordedEvent, 'place'> & { readonly xid: number; readonly seq: number }
export type FindingRow = Finding & {
  readonly id: number
  readonly scope: string
  readonly firstSeen: Date
  readonly lastSeen: Date
  readonly resolvedAt: Date | null
}
export type AuditRoundRow = { readonly dueAt: Instant; readonly sumsDueAt: Instant; readonly lastRun: Date | null }
export type CursorRow = {
  readonly name: string
  readonly xid: number
  readonly seq: number
  readonly holder: string | null
  readonly heldUntil: Instant | null
  readonly failures: number
}
export type WordsRow = {
  readonly taskId: string
  readonly kind: TaskWords['kind']
  readonly executorId: string | null
  readonly author: string
  readonly text: string
  readonly at: Date
}
/** Running totals of one publisher. */
export type DecisionsRow = Decisions & { readonly wallet: string }
export type TimerRow = {
  readonly taskId: string
  readonly kind: TimerKind
  readonly dueAt: Instant
  readonly attempts: number
}
/** A channel with what no caller sees of it. */
export type ChannelRow = { readonly channel: Channel; readonly dueAt: number; readonly auditDueAt: number }
export type MeterTermsRow = { readonly taskId: string; readonly terms: MeterTerms }
export type PlaceRow = { readonly taskId: string; readonly place: TaskPlace }
export type ReceiptRow = {
  readonly submissionId: string
  readonly taskId: string
  readonly executorId: string
  readonly lat: number
  readonly lng: number
  readonly accuracyM: number | null
  readonly receivedAt: Date
}
export type EvidenceFileRow = {
  readonly submissionId: string
  readonly type: string
  readonly taskId: string
  readonly executorId: string
  readonly sha256: string
}
export type RunChangeRow = { readonly key: string; readonly value: string | number | boolean }
export type VersionRow = { readonly version: bigint }
export type { Application, Dispute, NewPaymentEvent }
