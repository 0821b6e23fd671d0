import type { TaskStatus } from '@ergon/contract'
import type { MemoryDatabase } from '../../src/store/index.ts'
import { allRows, allSlots, slotsOf, type Slot, type Table } from '../../src/store/engine/table.ts'
import type { ChannelRow, LedgerRow, SettlementRow, TaskRow } from '../../src/store/rows.ts'

type Answer = (disk: MemoryDatabase, values: readonly unknown[]) => readonly object[] | Promise<readonly object[]>

/** As one statement of its own would change it. */
async function change<R>(
  { disk }: MemoryDatabase,
  table: Table<R>,
  slots: readonly Slot<R>[],
  now: (row: R) => R,
): Promise<readonly object[]> {
  const session = disk.open('statement', () => undefined)
  const changed = await table.update(session, slots, () => true, now)
  disk.commit(session)
  return changed.map(() => ({}))
}

function changeTask(database: MemoryDatabase, id: unknown, now: Partial<TaskRow['task']>): Promise<readonly object[]> {
  const { tasks } = database.disk.tables
  const slots = slotsOf(undefined, tasks.by.pkey, String(id))
  return change(database, tasks, slots, (row) => ({ ...row, task: { ...row.task, ...now } }))
}

function sums(ledger: readonly LedgerRow[], name: string): readonly object[] {
  const accounts = Map.groupBy(ledger, ({ account }) => account)
  return [...accounts].map(([account, own]) => ({ account, [name]: own.reduce((sum, { atomic }) => sum + atomic, 0n) }))
}

const reclaimed = (row: ChannelRow): ChannelRow => ({ ...row, channel: { ...row.channel, status: 'reclaimed' } })

const closing = (row: ChannelRow): ChannelRow => ({ ...row, channel: { ...row.channel, status: 'closing' } })

const eventsOf = ({ rows }: MemoryDatabase, taskId: unknown): readonly { type: string; data: unknown }[] =>
  rows.events().filter((event) => event.taskId === taskId)
const settlementsOf = ({ rows }: MemoryDatabase, taskId: unknown): readonly SettlementRow[] =>
  rows.settlements().filter(({ settlement }) => settlement.taskId === taskId)
const typesOf = (events: readonly { type: string }[]): readonly object[] => events.map(({ type }) => ({ type }))

/** What the tests of the market ask past its store, answered in memory: the texts are theirs. */
export const statements: Readonly<Record<string, Answer>> = {
  'select account, sum(amount_atomic)::bigint as balance from ledger group by account': ({ rows }) =>
    sums(rows.ledger(), 'balance'),
  'select account, sum(amount_atomic)::bigint as sum from ledger where journal in (select journal from ledger where account = $1) group by account':
    ({ rows }, [of]) => {
      const ledger = rows.ledger()
      const journals = new Set(ledger.filter(({ account }) => account === of).map(({ journal }) => journal))
      return sums(
        ledger.filter(({ journal }) => journals.has(journal)),
        'sum',
      )
    },
  'select count(*) from ledger': ({ rows }) => [{ count: BigInt(rows.ledger().length) }],
  'select status from tasks where id = $1': ({ rows }, [id]) =>
    rows.tasks().flatMap(({ task }) => (task.id === id ? [{ status: task.status }] : [])),
  // No transaction is older than another here.
  'select pg_current_xact_id()::text as xid': () => [{ xid: '1' }],
  'select pg_snapshot_xmin(pg_current_snapshot())::text as xid': () => [{ xid: '2' }],
  'select tx_hash, kind from movements where hash = $1 order by block_number': ({ rows }, [hash]) =>
    rows
      .movements()
      .filter((one) => one.hash === hash)
      .toSorted((one, other) => Number(one.blockNumber - other.blockNumber))
      .map(({ txHash, kind }) => ({ tx_hash: txHash, kind })),
  'select tx_hash as log from movements': ({ rows }) => rows.movements().map(({ txHash }) => ({ log: txHash })),
  'select type from outbox where task_id = $1 order by id': (database, [taskId]) => typesOf(eventsOf(database, taskId)),
  'select type from outbox where task_id = $1 order by seq': (database, [taskId]) =>
    typesOf(eventsOf(database, taskId)),
  'select type from outbox where task_id = $1 order by id desc limit 1': (database, [taskId]) =>
    typesOf(eventsOf(database, taskId)).slice(-1),
  "select 1 from outbox where type = 'payment.released' and task_id = $1": (database, [taskId]) =>
    eventsOf(database, taskId).filter(({ type }) => type === 'payment.released'),
  "select 1 from outbox where type = 'reputation.updated'": ({ rows }) =>
    rows.events().filter(({ type }) => type === 'reputation.updated'),
  'select type, data from outbox where task_id = $1 and type = any($2) order by seq': (database, [taskId, types]) =>
    eventsOf(database, taskId)
      .filter(({ type }) => Array.isArray(types) && types.includes(type))
      .map(({ type, data }) => ({ type, data })),
  'select status, due_at from settlements where task_id = $1': (database, [taskId]) =>
    settlementsOf(database, taskId).map(({ settlement, dueAt }) => ({
      status: settlement.status,
      due_at: new Date(dueAt),
    })),
  "select status from settlements where purpose = 'stray'": ({ rows }) =>
    rows.settlements().flatMap(({ settlement: { purpose, status } }) => (purpose === 'stray' ? [{ status }] : [])),
  'select 1 from settlements where watch_until is not null': ({ rows }) =>
    rows.settlements().filter(({ watchUntil }) => watchUntil !== null),
  "update channels set status = 'reclaimed' where status <> 'reclaimed'": (database) => {
    const { channels } = database.disk.tables
    const open = allSlots(undefined, channels, ({ channel }) => channel.status !== 'reclaimed')
    return change(database, channels, open, reclaimed)
  },
  "update channels set status = 'reclaimed' where id = $1": (database, [id]) => {
    const { channels } = database.disk.tables
    return change(database, channels, slotsOf(undefined, channels.by.pkey, String(id)), reclaimed)
  },
  "update channels set status = 'closing' where id = $1": (database, [id]) => {
    const { channels } = database.disk.tables
    return change(database, channels, slotsOf(undefined, channels.by.pkey, String(id)), closing)
  },
  "update channels set status = 'closing' where task_id = $1": (database, [taskId]) => {
    const { channels } = database.disk.tables
    return change(database, channels, slotsOf(undefined, channels.by.task_id_key, String(taskId)), closing)
  },
  'select account, amount_atomic from ledger where journal = (select journal from ledger where account = $1) order by amount_atomic':
    ({ rows }, [of]) => {
      const ledger = rows.ledger()
      const journal = ledger.find(({ account }) => account === of)?.journal
      return ledger
        .filter((line) => line.journal === journal)
        .map(({ account, atomic }) => ({ account, amount_atomic: atomic }))
        .toSorted((one, other) => Number(one.amount_atomic - other.amount_atomic))
    },
  'select 1 from ledger where account = any($1)': ({ rows }, [accounts]) =>
    rows.ledger().filter(({ account }) => Array.isArray(accounts) && accounts.includes(account)),
  'select sum(amount_atomic)::bigint as sum from ledger where account = $1': ({ rows }, [of]) => [
    {
      sum: rows.ledger().reduce((sum, { account, atomic }) => (account === of ? sum + atomic : sum), 0n),
    },
  ],
  'select actor, before, after from audit_log where action = $1 and subject = $2 order by id': (
    { disk },
    [action, subject],
  ) =>
    allRows(undefined, disk.tables.auditLog, (line) => line.action === action && line.subject === subject).map(
      ({ actor, before, after }) => ({ actor, before, after }),
    ),
  'select status from applications where task_id = $1 order by created_at, id': ({ disk }, [taskId]) =>
    allRows(undefined, disk.tables.applications, (one) => one.taskId === taskId)
      .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1))
      .map(({ status }) => ({ status })),
  "select order_json->'payment'->>'hash' as hash from settlements where task_id = $1": (database, [taskId]) =>
    settlementsOf(database, taskId).map(({ settlement: { order } }) => ({
      hash: order.kind === 'charge' ? null : order.payment.hash,
    })),
  'select tx_hash from distributions order by block_number, log_index': ({ rows }) =>
    rows
      .distributions()
      .toSorted((one, other) => Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex)
      .map(({ txHash }) => ({ tx_hash: txHash })),
  'update tasks set status = $2 where id = $1': (database, [id, status]) =>
    // The texts are those of the tests, which give a status.
    changeTask(database, id, { status: status as TaskStatus }),
  "update tasks set status = 'expired' where id = $1": (database, [id]) =>
    changeTask(database, id, { status: 'expired' }),
  "update tasks set publisher_type = 'human' where id = $1": (database, [id]) =>
    changeTask(database, id, { publisherType: 'human' }),
  "update tasks set escrow_status = 'refunding' where id = $1": (database, [id]) =>
    changeTask(database, id, { escrowStatus: 'refunding' }),
}
