import type { ReportAction, ReportState } from '@ergon/contract'
import { evidenceKinds, evidenceTypes } from '@ergon/contract/facts'
import type { AdminAct } from '../admin/audit-line.ts'
import { MarketError } from '../errors.ts'
import type { ReportView } from '../identity/account.ts'
import type { AdminTx } from '../ports/store-admin.ts'
import { auditLine } from './audit.ts'
import type { MarketDeps } from './deps.ts'

const stateAfter: Readonly<Record<ReportAction, ReportState>> = {
  note: 'open',
  dismiss: 'dismissed',
  hide: 'hidden',
  show: 'open',
  ban: 'banned',
  take_down: 'taken_down',
}

/**
 * What the operator does about a report, with its line in the audit log. Hiding takes a task or a listing out of the
 * lists that strangers read; its parties go on, and so does its money (decision 0120). Evidence that is taken down is
 * deleted, and its hashes are kept (decision 0130); of a worker it is the picture that goes (decision 0252).
 * @throws NOT_FOUND, VALIDATION_FAILED where this cannot be done to what is reported
 */
export async function decideReport(
  deps: MarketDeps,
  reportId: string,
  action: ReportAction,
  act: AdminAct,
): Promise<ReportView> {
  const seen = await existingReport(deps, reportId)
  requirePossible(seen, action)
  const now = deps.clock.now()
  // A note on what is decided leaves the decision.
  const state = action === 'note' ? seen.state : stateAfter[action]
  await deps.store.transaction(async (tx) => {
    if (action === 'hide' || action === 'show') await tx.setHidden(seen.targetId, action === 'hide', now)
    if (action === 'ban' && seen.wallet !== null) {
      const { wallet } = seen
      const isNew = await tx.putBan({ wallet, reason: act.reason, actor: act.actor, bannedAt: now })
      if (isNew) await tx.addAudit(auditLine(deps, act, 'wallet.ban', wallet, { banned: false }, { banned: true }))
    }
    const taken = action === 'take_down' ? await takeDown(tx, seen, now) : {}
    await tx.decideReport({ reportId, state, note: act.reason, actor: act.actor, at: now })
    await tx.addAudit(
      auditLine(
        deps,
        act,
        'report.decide',
        reportId,
        { state: seen.state },
        { state, action, target: seen.target, target_id: seen.targetId, ...taken },
      ),
    )
  })
  return existingReport(deps, reportId)
}

const fileTypes = evidenceTypes.filter((type) => evidenceKinds[type].kind === 'file')

/** What is gone, for the audit log, whose states are flat: evidence by its hashes, a picture by its name. */
async function takeDown(
  tx: AdminTx,
  { target, targetId }: ReportView,
  at: Date,
): Promise<Readonly<Record<string, string>>> {
  if (target === 'worker') {
    const picture = await tx.takeDownPicture(targetId)
    return picture === null ? {} : { picture }
  }
  const hashes = await tx.takeDownEvidence(targetId, fileTypes, at)
  return Object.fromEntries(Object.entries(hashes).map(([piece, hash]) => [`sha256_${piece}`, hash]))
}

async function existingReport(deps: MarketDeps, reportId: string): Promise<ReportView> {
  const found = await deps.store.adminReport(reportId)
  if (found === null) throw new MarketError('NOT_FOUND', { report_id: reportId })
  return found
}

function requirePossible({ target, wallet }: ReportView, action: ReportAction): void {
  const isListed = target === 'task' || target === 'listing'
  if ((action === 'hide' || action === 'show') && !isListed)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'action',
      constraint: 'only a task or a listing can be hidden or shown',
      received: action,
    })
  if (action === 'take_down' && target !== 'submission' && target !== 'worker')
    throw new MarketError('VALIDATION_FAILED', {
      field: 'action',
      constraint: 'only a submission has evidence, and only a worker a picture',
      received: action,
    })
  if (action === 'ban' && wallet === null)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'action',
      constraint: 'the wallet that answered for it is gone',
      received: action,
    })
}
