import type { ReportReason, ReportState, ReportTarget } from '@ergon/contract'
import type { TakenDown } from '../submissions/submission.ts'

/** Reports of a UTC day: each is read by a person, and wallets are made for nothing. */
export const reportsPerDay = { ofWallet: 30, ofAddress: 100, inAll: 10_000 } as const

/** What someone tells the operator about something of the marketplace. */
export type Report = {
  readonly id: string
  readonly reporter: string
  readonly target: ReportTarget
  readonly targetId: string
  readonly reason: ReportReason
  readonly note: string | null
  readonly createdAt: Date
}

/** A report as whoever runs the service sees it, with what it is about as that is now. */
export type ReportView = Report & {
  readonly state: ReportState
  readonly operatorNote: string | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  /** Who answers for what is reported; null where nobody is left. */
  readonly wallet: string | null
  readonly title: string | null
  readonly taskId: string | null
  readonly isHidden: boolean
  readonly isBanned: boolean
  readonly takenDown: TakenDown | null
}

/** What the operator did about a report; `state` is what it is from now on. */
export type ReportDecision = {
  readonly reportId: string
  readonly state: ReportState
  readonly note: string
  readonly actor: string
  readonly at: Date
}

/** A wallet that another one wants nothing to do with. */
export type Block = {
  readonly id: string
  readonly blocker: string
  readonly blocked: string
  readonly createdAt: Date
}

/** An account as it is handed out: rows are JSON objects as text, so that a number of any size stays what it is. */
export type AccountExport = {
  readonly executorId: string | null
  readonly exportedAt: Date
  readonly profile: string | null
  readonly sections: readonly { readonly name: string; readonly pages: AsyncIterable<readonly string[]> }[]
}
