import type { CheckReasonCode, EvidenceType, SubmissionStatus } from '@ergon/contract'

export type CheckResult = 'passed' | 'failed' | 'inconclusive' | 'not_applicable' | 'not_configured' | 'error'
/** What a reason is made of: counts, measures with their unit in the name, and a few words. No position. */
export type CheckFigures = Readonly<Record<string, number | string>>
/**
 * `reason` is the English sentence of `code` and `figures`; both are null for what was checked before reasons had
 * codes.
 */
export type Check = {
  readonly name: string
  readonly result: CheckResult
  readonly reason: string
  readonly code: CheckReasonCode | null
  readonly figures: CheckFigures | null
}

/** Evidence by type, each value already held against the rule of its type. */
export type Evidence = Readonly<Partial<Record<EvidenceType, unknown>>>

/** What an operator took down: its files and values are gone, and the SHA-256 of each is kept (decision 0130). */
export type TakenDown = {
  readonly at: Date
  readonly hashes: Readonly<Record<string, string>>
  /** The files that it had, by name: asked for one, the service answers that it was taken down. */
  readonly keys: readonly string[]
}

export type Submission = {
  readonly id: string
  readonly taskId: string
  readonly executorId: string
  readonly status: SubmissionStatus
  readonly submittedAt: Date
  readonly evidence: Evidence
  readonly notes: string | null
  readonly checks: readonly Check[]
  readonly preCheckScore: number | null
  readonly coverage: number | null
  /** Null while the checks have not run. */
  readonly verifiedAt: Date | null
  readonly rejectionReason: string | null
  readonly paymentTx: string | null
  readonly decidedAt: Date | null
  readonly evidenceAccessedAt: Date | null
  readonly takenDown: TakenDown | null
}
