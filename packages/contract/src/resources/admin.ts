import * as Type from 'typebox'
import { chainLag, moneyFindingKinds } from '../findings.ts'
import { runConfigKeys } from '../run-config.ts'
import { id, instant, nullable, open, txHash, usd, wallet } from '../schema.ts'
import { taskStatuses } from '../vocabulary.ts'
import { uploadSizes } from './upload-sizes.ts'
import { worker } from './work.ts'

/** A wallet as whoever runs the service sees it. */
export const adminWorker = open({
  wallet_address: wallet('The wallet.'),
  status: Type.Enum(['active', 'banned']),
  banned_at: nullable(instant('When it was banned.')),
  ban_reason: nullable(Type.String()),
  banned_by: nullable(Type.String()),
  worker: nullable(worker),
})

const auditState = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]))
export const auditLine = open({
  id: id('The line.'),
  at: instant('When.'),
  actor: Type.String({ description: 'X-Admin-Actor, or admin.' }),
  action: Type.Enum([
    'task.force',
    'task.elapse',
    'wallet.ban',
    'wallet.unban',
    'fees.sweep',
    'config.set',
    'dispute.resolve',
    'dispute.read',
    'report.decide',
  ]),
  subject: Type.String({ description: 'What it was done to.' }),
  before: auditState,
  after: auditState,
  reason: Type.String(),
  request_id: Type.String(),
})

export const sweptFees = open({
  network: Type.String(),
  token: Type.String(),
  accrued_usd: usd('What had accrued when it was asked.'),
  state: Type.Enum(['swept', 'in_flight', 'nothing', 'refused'], {
    description: 'in_flight: the chain does not show it yet; the service goes on with it.',
  }),
  amount_usd: nullable(usd('What the treasury received.')),
  tx_hash: txHash('The transaction.'),
})

/** A difference between the books and the chains that is still there. */
export const moneyFinding = open({
  kind: Type.Enum([...moneyFindingKinds]),
  subject: Type.String({
    description: 'What tells it from others of its kind: an escrow, a settlement, an asset, a rating.',
  }),
  task_id: nullable(id('The task it is about.')),
  settlement_id: nullable(id('The settlement it is about.')),
  network: Type.String(),
  token: nullable(Type.String()),
  amount_usd: nullable(usd('How much it is about.')),
  detail: Type.String({ description: 'What was seen, in English.' }),
  first_seen_at: instant('When a comparison first saw it.'),
  last_seen_at: instant('When a comparison last saw it.'),
})

const settingValue = nullable(Type.Union([Type.Number(), Type.Boolean(), Type.String()]))
export const runSetting = open({
  key: Type.Enum([...runConfigKeys]),
  value: settingValue,
  default: settingValue,
  changed: Type.Boolean({ description: 'Whether it differs from what the deployment set.' }),
  says: Type.String(),
})

export const metrics = open({
  at: instant('When it was counted.'),
  tasks: Type.Record(Type.Enum([...taskStatuses]), Type.Integer(), { description: 'Tasks by status.' }),
  money: open({
    assets: Type.Array(
      open({
        network: Type.String(),
        token: Type.String(),
        locked_usd: usd('In escrow.'),
        paid_usd: usd('Paid to workers.'),
        fees_accrued_usd: usd('With the operator contract.'),
        fees_swept_usd: usd('With the treasury.'),
        in_doubt_usd: usd('Of payments whose end is not known.'),
      }),
    ),
    findings: Type.Record(Type.Enum([...moneyFindingKinds]), Type.Integer()),
    findings_unresolved: Type.Integer(),
    oldest_finding_at: nullable(instant('When the oldest was first seen.')),
    audited_at: nullable(instant('When the ledger was last compared with the chains.')),
    chains: Type.Array(chainLag),
  }),
  settlements: open({ in_flight: Type.Integer(), in_doubt: Type.Integer(), oldest_seconds: nullable(Type.Number()) }),
  submissions_waiting: Type.Integer(),
  verification_lag_seconds: nullable(
    Type.Number({ description: 'Age of the oldest submission that is not verified yet.' }),
  ),
  disputes_open: Type.Integer(),
  wallets: Type.Integer(),
  bans: Type.Integer(),
  outbox: Type.Integer({ description: 'Events that are kept.' }),
  uploads: uploadSizes,
  rate_limit_refusals: Type.Integer({ description: 'Of this process since it began.' }),
  process: open({
    uptime_seconds: Type.Number(),
    rss_bytes: Type.Integer(),
    event_loop_delay_ms: Type.Number({ description: 'How late nine of ten timers fired at most, in the last second.' }),
  }),
})
