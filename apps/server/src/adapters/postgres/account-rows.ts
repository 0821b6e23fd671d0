import type { Report } from '@ergon/core'

export type ReportRow = {
  id: string
  reporter: string
  target: Report['target']
  target_id: string
  reason: Report['reason']
  note: string | null
  created_at: Date
}

export function toReport(row: ReportRow): Report {
  return {
    id: row.id,
    reporter: row.reporter,
    target: row.target,
    targetId: row.target_id,
    reason: row.reason,
    note: row.note,
    createdAt: row.created_at,
  }
}
