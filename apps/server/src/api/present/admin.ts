import {
  runSettings,
  taskStatuses,
  type TaskStatus,
  type Operations,
  type OutputOf,
  type RunConfig,
  type RunConfigKey,
} from '@ergon/contract'
import type { AdminMetrics, AdminWorker, AuditLine, Market, MoneyFinding, SweptFees } from '@ergon/core'
import type { ProcessFacts } from '../deps.ts'
import { presentLag } from './chain-lag.ts'
import { instant, instantOrNull } from './instant.ts'
import { usd, usdOrNull } from './money.ts'
import { presentUploads } from './upload-sizes.ts'
import { presentWorker } from './work.ts'

type WireSweep = OutputOf<Operations['admin.sweepFees']>['sweeps'][number]
type WireLine = OutputOf<Operations['admin.audit']>['lines'][number]

export function presentAdminWorker({ wallet, worker, ban }: AdminWorker): OutputOf<Operations['admin.ban']> {
  return {
    wallet_address: wallet,
    status: ban === null ? 'active' : 'banned',
    banned_at: instantOrNull(ban?.bannedAt ?? null),
    ban_reason: ban?.reason ?? null,
    banned_by: ban?.actor ?? null,
    worker: worker === null ? null : presentWorker(worker),
  }
}

export function presentAuditLine(line: AuditLine): WireLine {
  return {
    id: line.id,
    at: instant(line.at),
    actor: line.actor,
    action: line.action,
    subject: line.subject,
    before: { ...line.before },
    after: { ...line.after },
    reason: line.reason,
    request_id: line.requestId,
  }
}

export function presentFinding(found: MoneyFinding): OutputOf<Operations['admin.findings']>['findings'][number] {
  return {
    kind: found.kind,
    subject: found.subject,
    task_id: found.taskId,
    settlement_id: found.settlementId,
    network: found.network,
    token: found.token,
    amount_usd: usdOrNull(found.amount),
    detail: found.detail,
    first_seen_at: instant(found.firstSeen),
    last_seen_at: instant(found.lastSeen),
  }
}

export function presentSweep({ accrued, state, amount, txHash }: SweptFees): WireSweep {
  return {
    network: accrued.asset.network,
    token: accrued.asset.symbol,
    accrued_usd: usd(accrued),
    state: state === 'in flight' ? 'in_flight' : state,
    amount_usd: usdOrNull(amount),
    tx_hash: txHash,
  }
}

export function presentSetting(
  key: RunConfigKey,
  config: RunConfig,
  defaults: RunConfig,
): OutputOf<Operations['admin.changeConfig']> {
  return {
    key,
    value: config[key],
    default: defaults[key],
    changed: config[key] !== defaults[key],
    says: runSettings[key].says,
  }
}

type Counted = {
  readonly metrics: AdminMetrics
  readonly health: Awaited<ReturnType<Market['paymentsHealth']>>
  readonly findings: Awaited<ReturnType<Market['moneyFindings']>>
  readonly lags: Awaited<ReturnType<Market['chainLags']>>
  readonly uploads: Awaited<ReturnType<Market['uploadSizes']>>
  readonly refusals: number
  readonly process: ProcessFacts
  readonly at: Date
}

export function presentMetrics({
  metrics,
  health,
  findings,
  lags,
  uploads,
  refusals,
  process,
  at,
}: Counted): OutputOf<Operations['admin.metrics']> {
  return {
    at: instant(at),
    tasks: byStatus(metrics.tasks),
    money: {
      assets: metrics.money.map(({ asset, ...sums }) => {
        const dollars = (atomic: bigint): number => usd({ atomic, asset })
        return {
          network: asset.network,
          token: asset.symbol,
          locked_usd: dollars(sums.locked),
          paid_usd: dollars(sums.paid),
          fees_accrued_usd: dollars(sums.feesAccrued),
          fees_swept_usd: dollars(sums.feesSwept),
          in_doubt_usd: dollars(sums.inDoubt),
        }
      }),
      findings: { ...findings.counts },
      findings_unresolved: findings.unresolved,
      oldest_finding_at: instantOrNull(findings.oldest),
      audited_at: instantOrNull(findings.lastRun),
      chains: lags.map(presentLag),
    },
    settlements: { in_flight: health.inFlight, in_doubt: health.inDoubt, oldest_seconds: health.oldestSeconds },
    submissions_waiting: metrics.submissionsWaiting,
    verification_lag_seconds: metrics.verificationLagSeconds,
    disputes_open: metrics.disputesOpen,
    wallets: metrics.wallets,
    bans: metrics.bans,
    outbox: metrics.outbox,
    uploads: presentUploads(uploads),
    rate_limit_refusals: refusals,
    process: {
      uptime_seconds: process.uptimeSeconds,
      rss_bytes: process.rssBytes,
      event_loop_delay_ms: process.eventLoopDelayMs,
    },
  }
}

function byStatus(counts: AdminMetrics['tasks']): Record<TaskStatus, number> {
  // Every status is there.
  return Object.fromEntries(taskStatuses.map((status) => [status, counts[status] ?? 0])) as Record<TaskStatus, number>
}
