import type { AcceptedTick, Channel, ChannelStore, Ticked, TickTurn } from '@ergon/core'
import type { Pool } from 'pg'
import { toChannel, toTick, type ChannelRow, type TickRow } from './channel-rows.ts'
import { inKeyedTransaction } from './keyed-call.ts'
import { createTickLine, type TakeTicks, type TickEnd, type WaitingTick } from './tick-line.ts'
import type { TransactionLine } from './transaction-line.ts'

/** How ticks are taken (decision 0206): locked in one statement, decided here, written in another. */
export function createTickTurns(pool: Pool): Pick<ChannelStore, 'takeTick'> {
  const line = createTickLine((ticks, waits) => inKeyedTransaction(pool, undefined, takeTicks(ticks, waits)))
  return { takeTick: (taskId, key, decide) => line({ taskId: taskId.toLowerCase(), key, decide }) }
}

const takeTicks =
  (ticks: Parameters<TakeTicks>[0], waits: boolean) =>
  async (client: TransactionLine): Promise<ReadonlyMap<WaitingTick, TickEnd>> => {
    const found = await lockTurns(client, [...new Set(ticks.map(({ taskId }) => taskId))], waits)
    const earlier = await acceptedUnderKeys(client, ticks, found)
    const ends = new Map(ticks.map((one) => [one, take(one, found, earlier)]))
    const accepted = [...ends.values()].flatMap((end) => (end !== 'held' && 'ticked' in end ? [end.ticked] : []))
    await write(
      client,
      accepted.filter(({ replayed }) => !replayed),
    )
    return ends
  }

type Turn = { readonly task: TickTurn['task']; channel: Channel | null; readonly isHeld: boolean }
type Turns = ReadonlyMap<string, Turn>
type Keyed = Map<string, AcceptedTick>

/** A refusal leaves the channel as it was; what is accepted is what the next one finds. */
function take({ taskId, key, decide }: WaitingTick, turns: Turns, earlier: Keyed): TickEnd {
  const turn = turns.get(taskId)
  if (turn?.isHeld === true) return 'held'
  const name = nameOf(turn?.channel?.id ?? '', key ?? '')
  try {
    const ticked = decide(
      turn === undefined
        ? null
        : { task: turn.task, channel: turn.channel, earlier: key === null ? null : (earlier.get(name) ?? null) },
    )
    if (turn !== undefined) turn.channel = ticked.channel
    if (key !== null) earlier.set(name, ticked.tick)
    return { ticked }
  } catch (refused) {
    return { refused }
  }
}

const nameOf = (channelId: string, key: string): string => `${channelId} ${key}`

type TurnRow = Omit<ChannelRow, 'id'> & {
  readonly id: string | null
  readonly of_task: string
  readonly task_status: TickTurn['task']['status']
  readonly task_escrow: TickTurn['task']['escrowStatus']
  readonly task_deadline: Date
  readonly publisher_wallet: string
  readonly worker_wallet: string | null
  readonly has_channel: boolean
}

/** The tasks with their channels, locked in one order by everybody. */
async function lockTurns(client: TransactionLine, taskIds: readonly string[], waits: boolean): Promise<Turns> {
  const { rows } = await client.query<TurnRow>({
    name: waits ? 'ticks-lock' : 'ticks-lock-free',
    text: lockText(waits ? '' : 'skip locked'),
    values: [taskIds],
  })
  return new Map(rows.map((row) => [row.of_task, toTurn(row)]))
}

function toTurn(row: TurnRow): Turn {
  const { id } = row
  return {
    task: {
      ...{ id: row.of_task, status: row.task_status, escrowStatus: row.task_escrow, deadline: row.task_deadline },
      ...{ publisherWallet: row.publisher_wallet, workerWallet: row.worker_wallet },
    },
    channel: id === null ? null : toChannel({ ...row, id }),
    isHeld: id === null && row.has_channel,
  }
}

const lockText = (how: string): string => `with locked as (
    select * from channels where task_id = any($1::uuid[]) order by id for update ${how})
  select t.id as of_task, t.status as task_status, t.escrow_status as task_escrow, t.deadline as task_deadline,
      t.publisher_wallet, w.wallet as worker_wallet,
      exists (select 1 from channels o where o.task_id = t.id) as has_channel, c.*
    from tasks t left join workers w on w.id = t.executor_id left join locked c on c.task_id = t.id
    where t.id = any($1::uuid[])`

/** Asked when the locks are had: what another server accepted before is seen only then. */
async function acceptedUnderKeys(client: TransactionLine, ticks: readonly WaitingTick[], turns: Turns): Promise<Keyed> {
  const asked = ticks.flatMap(({ taskId, key }) => {
    const channelId = turns.get(taskId)?.channel?.id
    return key === null || channelId === undefined ? [] : [{ channelId, key }]
  })
  if (asked.length === 0) return new Map()
  const { rows } = await client.query<TickRow>({
    name: 'ticks-under',
    text: `select t.* from unnest($1::text[], $2::text[]) as k (channel_id, key)
      join channel_ticks t on t.channel_id = k.channel_id and t.idempotency_key = k.key`,
    values: [asked.map(({ channelId }) => channelId), asked.map(({ key }) => key)],
  })
  return new Map(rows.map((row) => [nameOf(row.channel_id, row.idempotency_key ?? ''), toTick(row)]))
}

/** The ticks and the channels they raised, in one statement. */
async function write(client: TransactionLine, accepted: readonly Ticked[]): Promise<void> {
  if (accepted.length === 0) return
  const raised = new Map(accepted.map(({ channel }) => [channel.id, channel]))
  await client.query({
    name: 'ticks-write',
    text: writeText,
    values: [
      JSON.stringify(accepted.map(({ tick }) => tickRow(tick))),
      JSON.stringify([...raised.values()].map(channelRow)),
    ],
  })
}

function tickRow(tick: AcceptedTick): object {
  const { key = null, bodyHash = null } = tick.idempotency ?? {}
  return {
    ...{ id: tick.id, channel_id: tick.channelId, voucher_index: tick.index, signature: tick.signature },
    ...{ amount: tick.amount.toString(), cumulative: tick.cumulative.toString(), measured: tick.measured.toString() },
    ...{ evidence: tick.evidence, note: tick.note, author: tick.author, key, body_hash: bodyHash, at: tick.at },
  }
}

function channelRow(one: Channel): object {
  return {
    ...{ id: one.id, vouchers: one.vouchers, cumulative: one.cumulative.toString() },
    ...{ measured: one.measured.toString(), signature: one.signature },
    ...{ measured_until: one.measuredUntil, updated_at: one.updatedAt },
  }
}

const writeText = `with ticks as (
  insert into channel_ticks (id, channel_id, voucher_index, amount_atomic, cumulative_atomic, measured, signature,
      evidence, note, author, idempotency_key, body_hash, at)
    select id, channel_id, voucher_index, amount, cumulative, measured, signature, evidence, note, author, key,
        body_hash, at
      from jsonb_to_recordset($1::jsonb) as t (id uuid, channel_id text, voucher_index integer, amount bigint,
        cumulative bigint, measured bigint, signature text, evidence jsonb, note text, author text, key text,
        body_hash text, at timestamptz)
)
update channels c set vouchers = r.vouchers, cumulative_atomic = r.cumulative, measured = r.measured,
    signature = r.signature, measured_until = r.measured_until, updated_at = r.updated_at
  from jsonb_to_recordset($2::jsonb) as r (id text, vouchers integer, cumulative bigint, measured bigint,
    signature text, measured_until timestamptz, updated_at timestamptz)
  where c.id = r.id`
