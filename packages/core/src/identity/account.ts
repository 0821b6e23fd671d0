import type { ReportReason, ReportTarget } from '@ergon/contract'

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
