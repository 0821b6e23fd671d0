import type {
  AcceptedTick,
  Application,
  AuditLine,
  Ban,
  Block,
  ChannelOrder,
  Dispute,
  Listing,
  NewPaymentEvent,
  SettlementPurpose,
  SettlementStatus,
} from '@ergon/core'
import { createTable, lookup, refersTo, unique, type Reference } from './engine/table.ts'
import { createAgreements } from './agreements.ts'
import { createEvidence } from './evidence-tables.ts'
import { keyOf } from './key-of.ts'
import type {
  AuditRoundRow,
  ChannelRow,
  CursorRow,
  DistributionRow,
  EscrowRow,
  FindingRow,
  FollowingRow,
  HistoryRow,
  IdentityRow,
  LedgerRow,
  MeterTermsRow,
  MovementRow,
  PublisherScoreRow,
  RatingRow,
  RunChangeRow,
  SettlementRow,
  SubmissionRow,
  SweepRow,
  TaskRow,
  DecisionsRow,
  TimerRow,
  VersionRow,
  WordsRow,
  WorkerRow,
} from './rows.ts'

export { keyOf }

const endings: ReadonlySet<SettlementPurpose> = new Set([
  'release',
  'refund',
  'payout',
  'award',
  'return',
  'stepdown',
  'stray',
])
const open: ReadonlySet<SettlementStatus> = new Set(['claimed', 'in_doubt'])
const standing: ReadonlySet<SettlementStatus> = new Set(['claimed', 'in_doubt', 'confirmed'])

const ending = (of: (purpose: SettlementPurpose) => boolean, statuses: ReadonlySet<SettlementStatus>) =>
  unique<SettlementRow>(({ settlement: { purpose, status, subject } }) =>
    of(purpose) && statuses.has(status) ? subject : null,
  )

export type Schema = ReturnType<typeof createSchema>

/** The tables of the money path with the indexes and references of the migrations, by the same names. */
export function createSchema() {
  const tasks = createTable({
    name: 'tasks',
    by: {
      pkey: unique<TaskRow>(({ task }) => task.id),
      idempotency: unique<TaskRow>(({ task, idempotencyKey }) =>
        idempotencyKey === null ? null : keyOf(task.publisherWallet, idempotencyKey),
      ),
    },
  })
  const workers = createTable({
    name: 'workers',
    by: { pkey: unique<WorkerRow>(({ id }) => id), wallet_key: unique<WorkerRow>(({ wallet }) => wallet) },
  })
  const taskOf = <R>(table: string, taskId: (row: R) => string): Reference<R> =>
    refersTo(`${table}_task_id_fkey`, () => tasks.by.pkey, taskId)
  const workerOf = <R>(name: string, workerId: (row: R) => string): Reference<R> =>
    refersTo(name, () => workers.by.pkey, workerId)
  const work = createWork(taskOf, workerOf)
  return {
    tasks,
    workers,
    ...work,
    ...createMoney(taskOf),
    ...createChannels(taskOf, workerOf),
    ...createRest(),
    listings: createTable({
      name: 'listings',
      by: {
        pkey: unique<Listing>(({ id }) => id),
        seller: lookup<Listing>(({ sellerExecutorId }) => sellerExecutorId),
      },
      refers: [workerOf<Listing>('listings_seller_executor_id_fkey', ({ sellerExecutorId }) => sellerExecutorId)],
    }),
  }
}

export type TaskOf = <R>(table: string, taskId: (row: R) => string) => Reference<R>
export type WorkerOf = <R>(name: string, workerId: (row: R) => string) => Reference<R>

function createWork(taskOf: TaskOf, workerOf: WorkerOf) {
  const submissions = createTable({
    name: 'submissions',
    by: {
      pkey: unique<SubmissionRow>(({ submission }) => submission.id),
      one_pending: unique<SubmissionRow>(({ submission }) =>
        submission.status === 'pending_review' ? submission.taskId : null,
      ),
      task: lookup<SubmissionRow>(({ submission }) => submission.taskId),
      due: lookup<SubmissionRow>(({ verificationDueAt }) => (verificationDueAt === null ? null : 'due')),
    },
    refers: [
      taskOf('submissions', ({ submission }) => submission.taskId),
      workerOf('submissions_executor_id_fkey', ({ submission }) => submission.executorId),
    ],
  })
  const disputes = createTable({
    name: 'disputes',
    by: {
      pkey: unique<Dispute>(({ id }) => id),
      submission_id_key: unique<Dispute>(({ submissionId }) => submissionId),
      task: lookup<Dispute>(({ taskId }) => taskId),
    },
    refers: [
      taskOf('disputes', ({ taskId }) => taskId),
      refersTo(
        'disputes_submission_id_fkey',
        () => submissions.by.pkey,
        ({ submissionId }) => submissionId,
      ),
    ],
  })
  return {
    submissions,
    disputes,
    history: createTable({
      name: 'task_history',
      by: { task: lookup<HistoryRow>(({ taskId }) => taskId) },
      refers: [taskOf('task_history', ({ taskId }) => taskId)],
    }),
    applications: createTable({
      name: 'applications',
      by: {
        pkey: unique<Application>(({ id }) => id),
        task_id_executor_id_key: unique<Application>(({ taskId, executorId }) => keyOf(taskId, executorId)),
        task: lookup<Application>(({ taskId }) => taskId),
      },
      refers: [
        taskOf('applications', ({ taskId }) => taskId),
        workerOf('applications_executor_id_fkey', ({ executorId }) => executorId),
      ],
    }),
    ...createNotes(taskOf),
    ...createAgreements(taskOf, workerOf, disputes.by.pkey),
    ...createEvidence(taskOf, submissions.by.pkey, disputes.by.pkey),
  }
}

function createNotes(taskOf: TaskOf) {
  return {
    words: createTable({
      name: 'task_words',
      by: {
        pkey: unique<WordsRow>(({ taskId, kind, executorId }) => keyOf(taskId, kind, executorId ?? taskId)),
        task: lookup<WordsRow>(({ taskId }) => taskId),
      },
      refers: [taskOf('task_words', ({ taskId }) => taskId)],
    }),
    timers: createTable({
      name: 'task_timers',
      by: {
        pkey: unique<TimerRow>(({ taskId, kind }) => keyOf(taskId, kind)),
        task: lookup<TimerRow>(({ taskId }) => taskId),
      },
      refers: [taskOf('task_timers', ({ taskId }) => taskId)],
    }),
  }
}

function createMoney(taskOf: TaskOf) {
  return {
    escrows: createTable({
      name: 'escrows',
      by: {
        pkey: unique<EscrowRow>(({ taskId }) => taskId),
        hash_key: unique<EscrowRow>(({ payment }) => payment.hash),
      },
      refers: [taskOf('escrows', ({ taskId }) => taskId)],
    }),
    settlements: createTable({
      name: 'settlements',
      by: {
        pkey: unique<SettlementRow>(({ settlement }) => settlement.id),
        one_lock: ending((purpose) => purpose === 'lock', open),
        one_ending: ending((purpose) => endings.has(purpose), standing),
        one_fee: ending((purpose) => purpose === 'fee', standing),
        one_remainder: ending((purpose) => purpose === 'remainder', standing),
        task: lookup<SettlementRow>(({ settlement }) => settlement.taskId),
        submission: lookup<SettlementRow>(({ settlement }) => settlement.submissionId),
        subject: lookup<SettlementRow>(({ settlement }) => settlement.subject),
        open: lookup<SettlementRow>(({ settlement }) => (open.has(settlement.status) ? 'open' : null)),
      },
      refers: [taskOf('settlements', ({ settlement }) => settlement.taskId)],
    }),
    ...createChains(),
    paymentEvents: createTable({
      name: 'payment_events',
      by: { pkey: unique<NewPaymentEvent>(({ id }) => id), task: lookup<NewPaymentEvent>(({ taskId }) => taskId) },
      refers: [taskOf('payment_events', ({ taskId }) => taskId)],
    }),
    ledger: createTable({
      name: 'ledger',
      by: {
        account: lookup<LedgerRow>(({ network, token, account }) => keyOf(network, token, account)),
        journal: lookup<LedgerRow>(({ journal }) => journal),
      },
    }),
    ratings: createTable({
      name: 'ratings',
      by: {
        pkey: unique<RatingRow>(({ rating }) => rating.id),
        task_id_direction_key: unique<RatingRow>(({ rating }) => keyOf(rating.taskId, rating.direction)),
        task: lookup<RatingRow>(({ rating }) => rating.taskId),
      },
      refers: [taskOf('ratings', ({ rating }) => rating.taskId)],
    }),
  }
}

function createChannels(taskOf: TaskOf, workerOf: WorkerOf) {
  const channels = createTable({
    name: 'channels',
    by: {
      pkey: unique<ChannelRow>(({ channel }) => channel.id),
      task_id_key: unique<ChannelRow>(({ channel }) => channel.taskId),
    },
    refers: [
      taskOf('channels', ({ channel }) => channel.taskId),
      workerOf('channels_executor_id_fkey', ({ channel }) => channel.executorId),
    ],
  })
  const orders = createTable({
    name: 'channel_orders',
    by: {
      pkey: unique<ChannelOrder>(({ id }) => id),
      signature_key: unique<ChannelOrder>(({ signature }) => signature),
      open: unique<ChannelOrder>(({ channelId, status }) => (status === 'sent' ? channelId : null)),
      channel: lookup<ChannelOrder>(({ channelId }) => channelId),
    },
    refers: [
      refersTo(
        'channel_orders_channel_id_fkey',
        () => channels.by.pkey,
        ({ channelId }) => channelId,
      ),
    ],
  })
  return {
    channels,
    channelOrders: orders,
    meterTerms: createTable({
      name: 'meter_terms',
      by: { pkey: unique<MeterTermsRow>(({ taskId }) => taskId) },
      refers: [taskOf('meter_terms', ({ taskId }) => taskId)],
    }),
    ticks: createTable({
      name: 'channel_ticks',
      by: {
        pkey: unique<AcceptedTick>(({ id }) => id),
        channel_id_voucher_index_key: unique<AcceptedTick>(({ channelId, index }) => keyOf(channelId, String(index))),
        idempotency: unique<AcceptedTick>(({ channelId, idempotency }) =>
          idempotency === null ? null : keyOf(channelId, idempotency.key),
        ),
        channel: lookup<AcceptedTick>(({ channelId }) => channelId),
      },
      refers: [
        refersTo(
          'channel_ticks_channel_id_fkey',
          () => channels.by.pkey,
          ({ channelId }) => channelId,
        ),
      ],
    }),
  }
}

/** What is booked of the chains, and what we send them of our own accord. */
function createChains() {
  return {
    movements: createTable({
      name: 'movements',
      by: {
        pkey: unique<MovementRow>(({ network, txHash, logIndex }) => keyOf(network, txHash, String(logIndex))),
        payment: lookup<MovementRow>(({ network, hash }) => keyOf(network, hash)),
        tx: lookup<MovementRow>(({ network, txHash }) => keyOf(network, txHash)),
      },
    }),
    distributions: createTable({
      name: 'distributions',
      by: {
        pkey: unique<DistributionRow>(({ network, txHash, logIndex }) => keyOf(network, txHash, String(logIndex))),
      },
    }),
    followings: createTable({ name: 'chain_followings', by: { pkey: unique<FollowingRow>(({ network }) => network) } }),
    sweeps: createTable({
      name: 'sweeps',
      by: {
        pkey: unique<SweepRow>(({ id }) => id),
        key_key: unique<SweepRow>(({ key }) => key),
        one_open: unique<SweepRow>(({ asset, status }) =>
          status === 'open' ? keyOf(asset.network, asset.symbol) : null,
        ),
        asset: lookup<SweepRow>(({ asset }) => keyOf(asset.network, asset.symbol)),
      },
    }),
  }
}

function createRest() {
  return {
    identities: createTable({
      name: 'identities',
      by: { pkey: unique<IdentityRow>(({ network, wallet }) => keyOf(network, wallet)) },
    }),
    publisherScores: createTable({
      name: 'publisher_scores',
      by: { pkey: unique<PublisherScoreRow>(({ wallet }) => wallet) },
    }),
    decisions: createTable({
      name: 'publisher_decisions',
      by: { pkey: unique<DecisionsRow>(({ wallet }) => wallet) },
    }),
    bans: createTable({ name: 'bans', by: { pkey: unique<Ban>(({ wallet }) => wallet) } }),
    blocks: createTable({
      name: 'blocks',
      by: {
        pkey: unique<Block>(({ id }) => id),
        blocker_blocked_key: unique<Block>(({ blocker, blocked }) => keyOf(blocker, blocked)),
      },
    }),
    runConfig: createTable({ name: 'run_config', by: { pkey: unique<RunChangeRow>(({ key }) => key) } }),
    adminVersion: createTable({ name: 'admin_version', by: { pkey: unique<VersionRow>(() => 'one') } }),
    auditLog: createTable({ name: 'audit_log', by: { pkey: unique<AuditLine>(({ id }) => id) } }),
    findings: createTable({
      name: 'money_findings',
      by: {
        open: unique<FindingRow>(({ scope, kind, subject, resolvedAt }) =>
          resolvedAt === null ? keyOf(scope, kind, subject) : null,
        ),
      },
    }),
    auditRound: createTable({ name: 'money_audit', by: { pkey: unique<AuditRoundRow>(() => 'one') } }),
    cursors: createTable({ name: 'event_cursors', by: { pkey: unique<CursorRow>(({ name }) => name) } }),
  }
}
