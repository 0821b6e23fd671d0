import type { DuePush, PushConfig, PushConfigs } from '@ergon/core'
import type { Pool } from 'pg'
import type { SealedText } from '../sealed-text.ts'
import { dueByLane } from './due-by-lane.ts'
import { fewKeys } from './few-keys.ts'
import { leaseKeeperOf, leaseMs as firstMs, queues } from './lease-keeper.ts'
import { sayingBusy } from './trouble.ts'

type Row = {
  task_id: string
  wallet: string
  config_id: string
  url: string
  secrets: Buffer
}
type LeasedRow = Row & { place: string; attempts: number; lease: string; due_at: Date }
type Secrets = Pick<PushConfig, 'token' | 'schemes' | 'credentials'>

/** How often what cannot be opened is tried again, and after what time. */
const unreadMost = 24
const unreadMs = 3_600_000
const columns = 'task_id, wallet, config_id, url, secrets'
const keys = 'task_id, wallet, config_id'
const one = 'task_id = $1 and wallet = $2 and config_id = $3'
/** The same address is told with its new token after what is under way to it; another one at once. */
const put = `insert into a2a_push_configs as c (task_id, wallet, config_id, url, secrets, place, due_at, created_at)
  select $1, $2, $3, $4, $5, $6, now(), now()
  where (select count(*) from a2a_push_configs where wallet = $2 and not (${one})) < $7
  on conflict (task_id, wallet, config_id) do update set url = excluded.url, secrets = excluded.secrets, attempts = 0,
    was_told = true, lease = case when c.url = excluded.url then c.lease end,
    due_at = case when c.lease is not null and c.url = excluded.url then c.due_at else clock_timestamp() end`
const address = "split_part(url, '/', 3)"
const found = dueByLane({
  ...{ table: 'a2a_push_configs', key: keys, lane: address, ofLane: '$5' },
  may: 'wallet not in (select wallet from bans)',
})
/**
 * The oldest of each address and wallet first, as many as each has room for beside what is under way. What a banned
 * wallet asked for waits until the ban is lifted (decision 0057).
 */
const claim = `${found}, lanes as (
    select split_part(lane, ' ', 1) as wallet, split_part(lane, ' ', 2) as address, count
    from unnest($3::text[], $4::int[]) as u (lane, count)
  ), waiting as (
    select ${keys}, due_at, ${address} as address
    from ${fewKeys('found', keys.split(', '))} f join a2a_push_configs c using (${keys})
  ), ranked as (
    select *,
      row_number() over (partition by address order by due_at, task_id, config_id)
        + coalesce((select sum(count) from lanes l where l.address = w.address), 0) as of_address,
      row_number() over (partition by wallet order by due_at, task_id, config_id)
        + coalesce((select sum(count) from lanes l where l.wallet = w.wallet), 0) as of_wallet
    from waiting w
  ), chosen as materialized (
    select ${keys} from ranked where of_address <= $5 and of_wallet <= $6 order by due_at limit $1
  ), picked as materialized (
    select ${keys} from ${fewKeys('chosen', keys.split(', '))} r join a2a_push_configs c using (${keys})
    where c.due_at <= now() for update of c skip locked
  )
  update a2a_push_configs c
  set due_at = date_trunc('milliseconds', clock_timestamp()) + $2 * interval '1 millisecond', lease = gen_random_uuid(),
    was_told = false
  from ${fewKeys('picked', keys.split(', '))} p
  where c.task_id = p.task_id and c.wallet = p.wallet and c.config_id = p.config_id
  returning c.task_id, c.wallet, c.config_id, c.url, c.secrets, c.place, c.attempts, c.lease, c.due_at`

const held = `${one} and lease = $4`

/** Push configurations in PostgreSQL; their tokens are sealed. Times are the database's, which all processes share. */
export function createPushConfigs(pool: Pool, sealed: SealedText): PushConfigs {
  const steps = rounds(pool)
  /** What cannot be opened waits: who started a server with a wrong secret has a day to start it with the right one. */
  const putOff = async (row: LeasedRow): Promise<void> => {
    if (row.attempts < unreadMost) await steps.failed(keysOf(row), row.place, unreadMs)
    else await steps.forget(keysOf(row))
  }
  return sayingBusy<PushConfigs>({
    async put({ taskId, wallet, id, url, token, schemes, credentials }, place, most) {
      const secrets = sealed.seal(JSON.stringify({ token, schemes, credentials } satisfies Secrets))
      const { rowCount } = await pool.query({
        name: 'push-put',
        text: put,
        values: [taskId, wallet, id, url, secrets, place, most],
      })
      return rowCount === 1
    },
    async list(taskId, wallet) {
      const { rows } = await pool.query<Row>({
        name: 'push-list',
        text: `select ${columns} from a2a_push_configs where task_id = $1 and wallet = $2
          order by created_at, config_id`,
        values: [taskId, wallet],
      })
      return rows.flatMap((row) => toConfig(row, sealed) ?? [])
    },
    async remove({ taskId, wallet, id }) {
      const { rowCount } = await pool.query({
        name: 'push-remove',
        text: `delete from a2a_push_configs where ${one}`,
        values: [taskId, wallet, id],
      })
      return rowCount === 1
    },
    async claim({ most, leaseMs, perAddress, perWallet, underWay }) {
      const { rows } = await pool.query<LeasedRow>({
        name: 'push-claim',
        text: claim,
        values: [most, Math.min(leaseMs, firstMs), [...underWay.keys()], [...underWay.values()], perAddress, perWallet],
      })
      const leases = rows.map((row) => ({ keys: [row.task_id, row.wallet, row.config_id], due: row.due_at }))
      leaseKeeperOf(pool).keep(queues.pushes, leases, leaseMs)
      const due: DuePush[] = []
      for (const row of rows) {
        const config = toConfig(row, sealed)
        if (config === null) await putOff(row)
        else due.push({ ...config, place: row.place, attempts: row.attempts, lease: row.lease })
      }
      return due
    },
    ...steps,
  })
}

type Held = Pick<DuePush, 'taskId' | 'wallet' | 'id' | 'lease'>
const keysOf = ({ task_id: taskId, wallet, config_id: id, lease }: LeasedRow): Held => ({ taskId, wallet, id, lease })

/** Null where its secrets were sealed under one that this deployment has no more: nobody can be told with them. */
function toConfig(row: Row, sealed: SealedText): PushConfig | null {
  try {
    const secrets = JSON.parse(sealed.open(row.secrets)) as Secrets // written above alone
    return { taskId: row.task_id, wallet: row.wallet, id: row.config_id, url: row.url, ...secrets }
  } catch {
    return null
  }
}

type Rounds = Pick<PushConfigs, 'reached' | 'heard' | 'tell'> & {
  failed(config: Held, place: string, waitMs: number): Promise<void>
  forget(config: Held): Promise<void>
}

/** How a round goes on and ends, and when a configuration is due again. */
function rounds(pool: Pool): Rounds {
  const write = async (name: string, text: string, { taskId, wallet, id, lease }: Held, ...more: readonly unknown[]) =>
    (await pool.query({ name: `push-${name}`, text, values: [taskId, wallet, id, lease, ...more] })).rowCount === 1
  return {
    reached: (config, place) =>
      write('reached', `update a2a_push_configs set place = $5, attempts = 0 where ${held}`, config, place),
    async heard(config, place, idleMs) {
      const text = `update a2a_push_configs set place = $5, attempts = 0, lease = null,
          due_at = clock_timestamp() + case when was_told then 0 else $6::int end * interval '1 millisecond'
          where ${held}`
      await write('heard', text, config, place, idleMs)
    },
    async failed(config, place, waitMs) {
      const text = `update a2a_push_configs set place = $5, attempts = attempts + 1, lease = null,
          due_at = clock_timestamp() + $6 * interval '1 millisecond' where ${held}`
      await write('failed', text, config, place, waitMs)
    },
    async forget(config) {
      await write('forget', `delete from a2a_push_configs where ${held}`, config)
    },
    async tell(taskIds) {
      await pool.query({
        name: 'push-tell',
        text: `with told as materialized (
            select ${keys} from a2a_push_configs where task_id = any($1) order by ${keys} for no key update
          )
          update a2a_push_configs set was_told = true,
          due_at = case when lease is null and attempts = 0 then clock_timestamp() else due_at end
          where (${keys}) in (select ${keys} from told)`,
        values: [taskIds],
      })
    },
  }
}
