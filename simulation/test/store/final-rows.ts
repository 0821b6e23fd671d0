import type { Pool } from 'pg'
import type { MemoryDatabase } from '../../src/store/index.ts'
import { allRows, type Table } from '../../src/store/engine/table.ts'

/** What is in each table at the end, in an order of its own; sequences and numbers of transactions left out. */
export type Rows = Readonly<Record<string, readonly unknown[]>>

const at = (time: number | Date | null): string | null =>
  time === null ? null : time === -Infinity ? '-infinity' : new Date(time).toISOString()
const text = (value: bigint | null): string | null => (value === null ? null : value.toString())

export function memoryRows({ disk }: MemoryDatabase): Rows {
  const { tables: t, events } = disk
  const rows = <R>(table: Table<R>, map: (row: R) => readonly unknown[]): readonly unknown[] =>
    sorted(allRows(undefined, table).map(map))
  return {
    tasks: rows(t.tasks, ({ task, paymentBlock }) => [
      task.id,
      task.status,
      task.title,
      text(task.bounty.atomic),
      task.publisherType,
      task.executorId,
      task.escrowStatus,
      task.escrowTx,
      task.paymentTx,
      task.feeTx,
      task.refundTx,
      text(paymentBlock),
      text(task.captured),
      at(task.deadline),
      at(task.updatedAt),
    ]),
    history: allRows(undefined, t.history)
      .toSorted((one, other) => one.seq - other.seq)
      .map((row) => [row.taskId, row.status, at(row.at)]),
    workers: rows(t.workers, (row) => [
      row.id,
      row.wallet,
      row.displayName,
      row.party,
      row.tasksCompleted,
      row.onchainScore,
    ]),
    identities: rows(t.identities, (row) => [row.network, row.wallet, String(row.agentId), row.txHash]),
    applications: rows(t.applications, (row) => [row.id, row.taskId, row.executorId, row.status, row.message]),
    submissions: rows(t.submissions, ({ submission: one, verificationDueAt, verificationAttempts }) => [
      one.id,
      one.taskId,
      one.status,
      one.rejectionReason,
      one.paymentTx,
      at(one.decidedAt),
      at(one.verifiedAt),
      at(verificationDueAt),
      verificationAttempts,
    ]),
    meterTerms: rows(t.meterTerms, ({ taskId, terms }) => [taskId, terms.unit, text(terms.price), text(terms.cap)]),
    channels: rows(t.channels, ({ channel: row, ...due }) => [
      row.id,
      row.taskId,
      row.status,
      text(row.limit),
      text(row.cumulative),
      text(row.measured),
      at(row.measuredUntil),
      row.vouchers,
      row.signature,
      at(row.updatedAt),
      row.closing?.reason ?? null,
      row.end === null ? null : text(row.end.settled),
      row.end?.txHash ?? null,
      at(due.dueAt),
      at(due.auditDueAt),
    ]),
    channelOrders: rows(t.channelOrders, (row) => [row.id, row.channelId, row.act, row.signature, row.status]),
    ticks: rows(t.ticks, (row) => [row.id, row.channelId, row.index, text(row.amount), row.idempotency?.key ?? null]),
    disputes: rows(t.disputes, (row) => [
      row.id,
      row.status,
      row.resolution?.verdict ?? null,
      row.resolution?.splitPct ?? null,
      row.resolution?.reason ?? null,
      at(row.resolvedAt),
    ]),
    offers: rows(t.offers, (row) => [row.id, row.taskId, row.side, row.status, row.answer, at(row.endedAt)]),
    rulings: rows(t.rulings, (row) => [row.id, row.disputeId, row.status, row.appealedBy, at(row.endedAt)]),
    escrows: rows(t.escrows, (row) => [row.taskId, row.payment.hash, at(row.auditDueAt)]),
    settlements: rows(t.settlements, ({ settlement: one, ...row }) => [
      one.id,
      one.taskId,
      one.purpose,
      one.subject,
      one.status,
      one.txHash,
      text(row.blockNumber),
      row.code,
      one.attempts,
      at(row.dueAt),
      at(row.updatedAt),
      at(row.proofDueAt),
      at(one.sentUntil),
      at(row.watchUntil),
      row.lastRefusal,
    ]),
    movements: rows(t.movements, (row) => [
      row.txHash,
      row.logIndex,
      text(row.blockNumber),
      row.hash,
      row.kind,
      text(row.atomic),
      row.feeBps,
      row.taskId,
      row.settlementId,
      at(row.missingSince),
    ]),
    distributions: rows(t.distributions, (row) => [
      row.txHash,
      row.logIndex,
      text(row.blockNumber),
      row.asset.symbol,
      text(row.atomic),
    ]),
    followings: rows(t.followings, ({ network, following: one, dueAt }) => [
      network,
      text(one?.first ?? null),
      text(one?.followed.number ?? null),
      at(one?.followed.at ?? null),
      text(one?.head.number ?? null),
      at(one?.head.at ?? null),
      at(one?.readAt ?? null),
      at(dueAt),
    ]),
    sweeps: rows(t.sweeps, (row) => [
      row.id,
      row.key,
      row.status,
      row.txHash,
      text(row.blockNumber),
      text(row.amount),
      row.attempts,
      at(row.dueAt),
    ]),
    ledger: rows(t.ledger, (row) => [row.journal, row.taskId, row.account, text(row.atomic), at(row.at)]),
    paymentEvents: rows(t.paymentEvents, (row) => [
      row.id,
      row.taskId,
      row.type,
      row.status,
      text(row.amount?.atomic ?? null),
      row.note ?? null,
    ]),
    ratings: rows(t.ratings, ({ rating: one, dueAt, auditDueAt, writtenAt, sentAt, landsUntil }) => [
      one.id,
      one.taskId,
      one.direction,
      one.status,
      one.txHash,
      one.feedbackIndex,
      one.attempts,
      at(dueAt),
      at(auditDueAt),
      at(writtenAt),
      at(sentAt),
      at(landsUntil),
    ]),
    bans: rows(t.bans, (row) => [row.wallet, row.reason]),
    settings: rows(t.runConfig, (row) => [row.key, row.value]),
    version: rows(t.adminVersion, (row) => [text(row.version)]),
    findings: rows(t.findings, (row) => [
      row.scope,
      row.kind,
      row.subject,
      text(row.atomic),
      at(row.firstSeen),
      at(row.lastSeen),
      at(row.resolvedAt),
    ]),
    auditRound: rows(t.auditRound, (row) => [at(row.dueAt), at(row.sumsDueAt), at(row.lastRun)]),
    cursors: rows(t.cursors, (row) => [row.name, row.holder, at(row.heldUntil), row.failures]),
    events: events.map((row) => [row.id, row.type, row.taskId, at(row.at), [...row.wallets].sort()]),
  }
}

/** Times as `at` writes them. */
const time = (column: string): string =>
  `case when ${column} = '-infinity' then '-infinity'
    else to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`

/** Columns and where they stand; `@` marks a time. */
const statements: Readonly<Record<string, readonly [columns: string, from: string]>> = {
  offers: ['id, task_id, side, status, answer, @ended_at', 'settlement_offers'],
  rulings: ['id, dispute_id, status, appealed_by, @ended_at', 'rulings'],
  tasks: [
    'id, status, title, bounty_atomic::text, publisher_type, executor_id, escrow_status, escrow_tx, ' +
      'payment_tx, fee_tx, refund_tx, payment_block::text, captured_atomic::text, @deadline, ' +
      '@updated_at',
    'tasks',
  ],
  history: ['task_id, status, @at', 'task_history order by seq'],
  workers: ['id, wallet, display_name, party, tasks_completed, onchain_score', 'workers'],
  identities: ['network, wallet, agent_id::text, tx_hash', 'identities'],
  applications: ['id, task_id, executor_id, status, message', 'applications'],
  submissions: [
    'id, task_id, status, rejection_reason, payment_tx, @decided_at, @verified_at, ' +
      '@verification_due_at, verification_attempts',
    'submissions',
  ],
  meterTerms: ['task_id, unit, price_atomic::text, cap_atomic::text', 'meter_terms'],
  channels: [
    'id, task_id, status, limit_atomic::text, cumulative_atomic::text, measured::text, @measured_until, vouchers, ' +
      'signature, @updated_at, close_reason, settled_atomic::text, settlement_tx, @due_at, @audit_due_at',
    'channels',
  ],
  channelOrders: ['id, channel_id, act, signature, status', 'channel_orders'],
  ticks: ['id, channel_id, voucher_index, amount_atomic::text, idempotency_key', 'channel_ticks'],
  disputes: ['id, status, verdict, split_pct, resolution_reason, @resolved_at', 'disputes'],
  escrows: ['task_id, hash, @audit_due_at', 'escrows'],
  settlements: [
    'id, task_id, purpose, subject, status, tx_hash, block_number::text, code, attempts, @due_at, ' +
      '@updated_at, @proof_due_at, @sent_until, @watch_until, last_refusal',
    'settlements',
  ],
  movements: [
    'tx_hash, log_index, block_number::text, hash, kind, atomic::text, fee_bps, task_id, ' +
      'settlement_id, @missing_since',
    'movements',
  ],
  distributions: ['tx_hash, log_index, block_number::text, token, atomic::text', 'distributions'],
  followings: [
    'network, first_block::text, followed_block::text, @followed_at, head_block::text, @head_at, ' +
      '@read_at, @due_at',
    'chain_followings',
  ],
  sweeps: ['id, key, status, tx_hash, block_number::text, amount::text, attempts, @due_at', 'sweeps'],
  ledger: ['journal, task_id, account, amount_atomic::text, @at', 'ledger'],
  paymentEvents: ['id, task_id, type, status, amount_atomic::text, note', 'payment_events'],
  ratings: [
    'id, task_id, direction, status, tx_hash, feedback_index, attempts, @due_at, @audit_due_at, ' +
      '@written_at, @sent_at, @lands_until',
    'ratings',
  ],
  bans: ['wallet, reason', 'bans'],
  settings: ['key, value', 'run_config'],
  version: ['version::text', 'admin_version'],
  findings: ['scope, kind, subject, amount_atomic::text, @first_seen, @last_seen, @resolved_at', 'money_findings'],
  auditRound: ['@due_at, @sums_due_at, @last_run', 'money_audit'],
  cursors: ['name, holder, @held_until, failures', "event_cursors where name <> 'webhooks'"],
  events: [
    'id, type, task_id, @at, ' +
      'array(select r.wallet from event_recipients r where r.xid = o.xid and r.seq = o.seq order by 1)',
    'outbox o order by xid, seq',
  ],
}

export async function postgresRows(pool: Pool): Promise<Rows> {
  const tables: [string, readonly unknown[]][] = []
  for (const [name, [columns, from]] of Object.entries(statements)) {
    const shown = columns.replaceAll(/@(\w+)/g, (_, column: string) => time(column))
    const { rows } = await pool.query<unknown[]>({ text: `select ${shown} from ${from}`, rowMode: 'array' })
    tables.push([name, name === 'history' || name === 'events' ? rows : sorted(rows)])
  }
  return Object.fromEntries(tables)
}

function sorted(rows: readonly unknown[]): readonly unknown[] {
  return rows
    .map((row) => ({ row, key: JSON.stringify(row) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ row }) => row)
}
