import type { AdminWorker, AuditLine, Ban } from '@ergon/core'
import { toWorker, type WorkerRow } from './rows.ts'

export type BanRow = { wallet: string; reason: string; actor: string; banned_at: Date }

export function toBan(row: BanRow): Ban {
  return { wallet: row.wallet, reason: row.reason, actor: row.actor, bannedAt: row.banned_at }
}

/** A wallet that works, is banned, or both. */
export type AdminWorkerRow = (WorkerRow | { id: null }) & {
  known_wallet: string
  ban_reason: string | null
  ban_actor: string | null
  banned_at: Date | null
}

export function toAdminWorker(row: AdminWorkerRow): AdminWorker {
  const ban =
    row.banned_at === null
      ? null
      : { wallet: row.known_wallet, reason: row.ban_reason ?? '', actor: row.ban_actor ?? '', bannedAt: row.banned_at }
  return { wallet: row.known_wallet, worker: row.id === null ? null : toWorker(row), ban }
}

export type AuditRow = {
  id: string
  at: Date
  actor: string
  action: AuditLine['action']
  subject: string
  before: AuditLine['before']
  after: AuditLine['after']
  reason: string
  request_id: string
}

export function toAuditLine(row: AuditRow): AuditLine {
  return {
    id: row.id,
    at: row.at,
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    before: row.before,
    after: row.after,
    reason: row.reason,
    requestId: row.request_id,
  }
}
