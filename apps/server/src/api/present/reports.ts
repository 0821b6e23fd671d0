import type { Operations, OutputOf } from '@ergon/contract'
import type { Report, ReportView } from '@ergon/core'
import { instant, instantOrNull } from './instant.ts'
import { presentTakenDown } from './work.ts'

export function presentReport({
  id,
  target,
  targetId,
  reason,
  note,
  createdAt,
}: Report): OutputOf<Operations['reports.create']> {
  return { id, target, target_id: targetId, reason, note, created_at: instant(createdAt) }
}

export function presentAdminReport(report: ReportView): OutputOf<Operations['admin.decideReport']> {
  return {
    ...presentReport(report),
    reporter: report.reporter,
    state: report.state,
    operator_note: report.operatorNote,
    decided_by: report.decidedBy,
    decided_at: instantOrNull(report.decidedAt),
    wallet_address: report.wallet,
    title: report.title,
    task_id: report.taskId,
    is_hidden: report.isHidden,
    is_banned: report.isBanned,
    taken_down: presentTakenDown(report.takenDown),
  }
}
