import type { AdminAct, AuditAction, AuditLine, AuditState } from '../admin/audit-line.ts'
import type { MarketDeps } from './deps.ts'

/** The line of an act; whoever writes the change writes it in the same transaction. */
export function auditLine(
  deps: Pick<MarketDeps, 'ids' | 'clock'>,
  act: AdminAct,
  action: AuditAction,
  subject: string,
  before: AuditState,
  after: AuditState,
): AuditLine {
  return { ...act, id: deps.ids.next(), at: deps.clock.now(), action, subject, before, after }
}
