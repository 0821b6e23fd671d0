/** One part of an account: which rows are the wallet's, and by what they are told apart and ordered. */
export type AccountSection = {
  readonly name: string
  readonly table: string
  /** Sees `$1`, the wallet, and `$2`, its executor id or null. */
  readonly where: string
  /** An expression over `x`, unique among the rows of one wallet. */
  readonly key: string
  readonly keyType: 'uuid' | 'bigint' | 'text'
  /**
   * Columns that are no data of the person: authorizations that move money, hashes, leases, and bytes that stand
   * elsewhere.
   */
  readonly without: readonly string[]
}

const section = (
  name: string,
  table: string,
  where: string,
  key = 'x.id',
  keyType: AccountSection['keyType'] = 'uuid',
  without: readonly string[] = [],
): AccountSection => ({ name, table, where, key, keyType, without })

const ownTask = '= any(array(select id from tasks where publisher_wallet = $1 or executor_id = $2))'

/**
 * Every row that is of one wallet. The first four are named by the specification (spec §2); a table that comes to hold
 * something of a wallet gets a row here, and a test counts the tables.
 */
export const accountSections: readonly AccountSection[] = [
  section('submissions', 'submissions', 'x.executor_id = $2', 'x.id', 'uuid', ['seq']),
  section('position_receipts', 'position_receipts', 'x.executor_id = $2', 'x.submission_id'),
  section(
    'evidence_files',
    'evidence_files',
    'x.executor_id = $2',
    "x.submission_id || ' ' || x.evidence_type",
    'text',
  ),
  section('uploads', 'uploads', 'x.executor_id = $2', 'x.key', 'text', ['is_purging', 'of_newcomers']),
  section(
    'image_hashes',
    'image_hashes',
    'x.executor_id = $2',
    "x.submission_id || ' ' || x.evidence_type || ' ' || x.variant",
    'text',
    ['q0', 'q1', 'q2', 'q3'],
  ),
  section('pictures', 'worker_pictures', 'x.executor_id = $2', 'x.executor_id', 'uuid', ['bytes']),
  section(
    'task_places',
    'task_places',
    'x.task_id = any(array(select id from tasks where publisher_wallet = $1))',
    'x.task_id',
  ),
  section('applications', 'applications', 'x.executor_id = $2'),
  section('reports', 'reports', 'x.reporter = $1', 'x.id', 'uuid', ['operator_note', 'decided_by']),
  section('blocked_users', 'blocks', 'x.blocker = $1'),
  section('tasks_published', 'tasks', 'x.publisher_wallet = $1', 'x.id', 'uuid', ['payment_auth', 'body_hash']),
  section('tasks_worked', 'tasks', 'x.executor_id = $2', 'x.id', 'uuid', [
    'payment_auth',
    'body_hash',
    'idempotency_key',
  ]),
  section('task_history', 'task_history', `x.task_id ${ownTask}`, 'x.seq', 'bigint'),
  section(
    'task_words',
    'task_words',
    'x.author = $1 or x.executor_id = $2',
    "x.task_id || ' ' || x.kind || ' ' || coalesce(x.executor_id, x.task_id)",
    'text',
  ),
  section('listings', 'listings', 'x.seller_executor_id = $2'),
  section(
    'disputes',
    'disputes',
    `x.task_id ${ownTask} or x.submission_id = any(array(select id from submissions where executor_id = $2))`,
  ),
  section(
    'dispute_statements',
    'dispute_statements',
    `exists (select 1 from disputes d join tasks t on t.id = d.task_id join submissions s on s.id = d.submission_id
    where d.id = x.dispute_id
      and ((x.side = 'publisher' and t.publisher_wallet = $1) or (x.side = 'worker' and s.executor_id = $2)))`,
    'x.id',
    'uuid',
    ['seq'],
  ),
  // Of a task that it works on a wallet reads its own thread, never that of another worker.
  section(
    'task_messages',
    'task_messages',
    `x.author = $1 or x.executor_id = $2
    or x.task_id = any(array(select id from tasks where publisher_wallet = $1))`,
  ),
  section('task_extensions', 'task_extensions', `x.task_id ${ownTask}`),
  section('task_invitations', 'task_invitations', 'x.publisher = $1 or x.executor_id = $2'),
  section('portfolio', 'portfolio_pieces', 'x.executor_id = $2 or x.publisher = $1'),
  section(
    'portfolio_pictures',
    'portfolio_pictures',
    'x.piece_id = any(array(select id from portfolio_pieces where executor_id = $2 or publisher = $1))',
    "x.piece_id || ' ' || x.place",
    'text',
    ['bytes'],
  ),
  section('settlement_offers', 'settlement_offers', `x.executor_id = $2 or x.task_id ${ownTask}`, 'x.id', 'uuid', [
    'payments',
    'signature',
    'answer',
  ]),
  section('rulings', 'rulings', `x.arbiter = $1 or x.task_id ${ownTask}`, 'x.id', 'uuid', ['signature', 'nonce']),
  section('escrows', 'escrows', `x.task_id ${ownTask}`, 'x.task_id'),
  section('meter_terms', 'meter_terms', `x.task_id ${ownTask}`, 'x.task_id'),
  section('channels', 'channels', `x.task_id ${ownTask}`, 'x.id', 'text', ['signature']),
  section('channel_openings', 'channel_openings', `x.wallet = $1 or x.task_id ${ownTask}`, 'x.channel_id', 'text', [
    'wire',
    'signature',
  ]),
  section(
    'channel_ticks',
    'channel_ticks',
    `x.channel_id = any(array(select id from channels where task_id ${ownTask}))`,
    'x.id',
    'uuid',
    ['signature', 'body_hash', 'idempotency_key'],
  ),
  section(
    'channel_orders',
    'channel_orders',
    `x.channel_id = any(array(select id from channels where task_id ${ownTask}))`,
    'x.id',
    'uuid',
    ['wire'],
  ),
  section('settlements', 'settlements', `x.executor_id = $2 or x.task_id ${ownTask}`, 'x.id', 'uuid', [
    'order_json',
    'seq',
  ]),
  section(
    'movements',
    'movements',
    `x.task_id ${ownTask}`,
    "x.network || ' ' || x.tx_hash || ' ' || lpad(x.log_index::text, 10, '0')",
    'text',
  ),
  section(
    'payment_events',
    'payment_events',
    `x.from_address = $1 or x.to_address = $1 or x.task_id ${ownTask}`,
    'x.id',
    'uuid',
    ['seq'],
  ),
  section('cash_outs', 'cash_outs', 'x.wallet = $1', 'x.id', 'uuid', ['signature', 'due_at', 'sent_until', 'attempts']),
  section('ledger', 'ledger', "x.account = 'wallet:' || $1", 'x.seq', 'bigint'),
  section('ratings', 'ratings', 'x.rater = $1 or x.ratee = $1', 'x.id', 'uuid', ['document']),
  section('publisher_decisions', 'publisher_decisions', 'x.wallet = $1', 'x.wallet', 'text'),
  section('publisher_scores', 'publisher_scores', 'x.wallet = $1', 'x.wallet', 'text'),
  section('identities', 'identities', 'x.wallet = $1', 'x.network', 'text'),
  section('account_proofs', 'account_proofs', 'x.wallet = $1', 'x.wallet', 'text'),
  section('bans', 'bans', 'x.wallet = $1', 'x.wallet', 'text', ['actor']),
  section('bans_history', 'audit_log', 'x.subject = $1', 'x.id', 'uuid', ['actor', 'request_id', 'before', 'after']),
  section('sessions', 'sessions', 'x.wallet = $1', 'x.sid'),
  section('push_configs', 'a2a_push_configs', 'x.wallet = $1', "x.task_id || ' ' || x.config_id", 'text', [
    'secrets',
    'place',
    'lease',
  ]),
  section('push_subscriptions', 'push_subscriptions', 'x.wallet = $1', 'x.id', 'uuid', ['auth', 'place', 'lease']),
  section('mail_notices', 'mail_subscriptions', 'x.wallet = $1', 'x.id', 'uuid', ['place', 'lease']),
  section('saved_searches', 'saved_searches', 'x.wallet = $1', 'x.slot', 'bigint', ['seen']),
  section('tool_approvals', 'approval_budgets', 'x.wallet = $1', 'x.grant_id', 'text'),
  section(
    'tool_approvals_made',
    'approval_uses',
    'x.grant_id = any(array(select grant_id from approval_budgets where wallet = $1))',
    "x.grant_id || ' ' || x.submission_id",
    'text',
    ['reservation'],
  ),
  section(
    'standing_orders',
    'standing_warrants',
    'x.wallet = $1',
    "x.grant_id || ' ' || x.chain_id || ' ' || x.token",
    'text',
    ['standing_order', 'taken_back_tries'],
  ),
  section('linked_signer', 'linked_signers', 'x.wallet = $1', 'x.wallet', 'text', ['secret']),
  section('linked_signer_requests', 'linked_signer_requests', 'x.wallet = $1', 'x.id', 'uuid', [
    'subject',
    'asked',
    'signature',
  ]),
  section('operations', 'operations', 'x.identity = $1', "x.key || ' ' || x.operation", 'text', [
    'token',
    'lease_until',
    'body_hash',
  ]),
  section('webhooks', 'webhooks', 'x.owner = $1', 'x.id', 'uuid', ['held_until']),
  section(
    'webhook_secrets',
    'webhook_secrets',
    'x.webhook_id = any(array(select id from webhooks where owner = $1))',
    'x.id',
    'uuid',
    ['sealed'],
  ),
  section(
    'webhook_deliveries',
    'webhook_deliveries',
    'x.webhook_id = any(array(select id from webhooks where owner = $1))',
    'x.id',
    'uuid',
    ['lease'],
  ),
  section(
    'webhook_attempts',
    'webhook_attempts',
    `x.delivery_id = any(array(
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.owner = $1))`,
    "x.delivery_id || ' ' || lpad(x.attempt::text, 10, '0')",
    'text',
  ),
  section('connected_tools', 'oauth_grants', 'x.wallet = $1', 'x.id', 'text', ['code_hash', 'challenge']),
  section('tool_sign_ins', 'oauth_sign_ins', 'x.wallet = $1', 'x.rid', 'text', ['csrf_hash', 'challenge', 'state']),
  section('tool_log', 'oauth_audit', 'x.wallet = $1', 'x.id', 'bigint'),
  section(
    'events',
    'outbox',
    'x.seq = any(array(select seq from event_recipients where wallet = $1))',
    'x.seq',
    'bigint',
    ['xid'],
  ),
]
