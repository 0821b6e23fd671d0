import type { EvidenceType, SubmissionStatus } from '@ergon/contract'

export type CheckResult = 'passed' | 'failed' | 'inconclusive' | 'not_applicable' | 'not_configured' | 'error'
export type Check = { readonly name: string; readonly result: CheckResult; readonly reason: string }

/** Evidence by type, each value already held against the rule of its type. */
export type Evidence = Readonly<Partial<Record<EvidenceType, unknown>>>

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
}
