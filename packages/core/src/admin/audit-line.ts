/** What stood before or after an act; plain JSON. */
export type AuditState = Readonly<Record<string, string | number | boolean | null>>

/** Who acts with the admin key, and why. */
export type AdminAct = { readonly actor: string; readonly reason: string; readonly requestId: string }

export type AuditAction =
  | 'task.force'
  | 'task.elapse'
  | 'wallet.ban'
  | 'wallet.unban'
  | 'fees.sweep'
  | 'config.set'
  | 'dispute.resolve'
  | 'dispute.read'
  | 'report.decide'

/** One line of the audit log, written in the transaction of the change (decision 0057). */
export type AuditLine = AdminAct & {
  readonly id: string
  readonly at: Date
  readonly action: AuditAction
  /** The id of the task, the wallet, the asset or the key of the setting. */
  readonly subject: string
  readonly before: AuditState
  readonly after: AuditState
}
