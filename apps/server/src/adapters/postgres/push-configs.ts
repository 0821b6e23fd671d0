import type { DuePush, PushConfig, PushConfigs } from '@ergon/core'
import type { Pool } from 'pg'
import type { SealedText } from '../sealed-text.ts'
import { leaseKeeperOf, leaseMs as firstMs, queues } from './lease-keeper.ts'
import { sayingBusy } from './trouble.ts'

type Row = {
  task_id: string
  wallet: string
  config_id: string
  url: string
  secrets: Buffer
  place: string
  attempts: number
}
type Secrets = Pick<PushConfig, 'token' | 'schemes' | 'credentials'>

/** How often what cannot be opened is tried again, and after what time. */
const unreadMost = 24
const unreadMs = 3_600_000
const columns = 'task_id, wallet, config_id, url, secrets, place, attempts'
const one = 'task_id = $1 and wallet = $2 and config_id = $3'
const put = `insert into a2a_push_configs (task_id, wallet, config_id, url, secrets, place, due_at, created_at)
  select $1, $2, $3, $4, $5, $6, now(), now()
  where (select count(*) from a2a_push_configs where wallet = $2 and not (${one})) < $7
  on conflict (task_id, wallet, config_id) do update set url = excluded.url, secrets = excluded.secrets, attempts = 0,
    due_at = now()`
const due = 'due_at <= clock_timestamp()'
/**
 * The oldest of each address and wallet first, as many as each has room for beside what is under way. What a banned
 * wallet asked for waits until the ban is lifted (decision 0057).
 */
const claim = `with lanes as (
    select split_part(lane, ' ', 1) as wallet, split_part(lane, ' ', 2) as address, count
    from unnest($3::text[], $4::int[]) as u (lane, count)
  ), waiting as (
    select task_id, wallet, config_id, due_at, split_part(url, '/', 3) as address from a2a_push_configs
    where ${due} and wallet not in (select wallet from bans)
  ), ranked as (
    select *,
      row_number() over (partition by address order by due_at, task_id, config_id)
        + coalesce((select sum(count) from lanes l where l.address = w.address), 0) as of_address,
      row_number() over (partition by wallet order by due_at, task_id, config_id)
        + coalesce((select sum(count) from lanes l where l.wallet = w.wallet), 0) as of_wallet
    from waiting w
  ), picked as (
    select c.task_id, c.wallet, c.config_id from a2a_push_configs c join ranked r using (task_id, wallet, config_id)
    where c.${due} and r.of_address <= $5 and r.of_wallet <= $6 order by r.due_at limit $1 for update of c skip locked
  )
  update a2a_push_configs c
  set due_at = date_trunc('milliseconds', clock_timestamp()) + $2 * interval '1 millisecond' from picked p
  where c.task_id = p.task_id and c.wallet = p.wallet and c.config_id = p.config_id
  returning c.task_id, c.wallet, c.config_id, c.url, c.secrets, c.place, c.attempts, c.due_at`

/** Push configurations in PostgreSQL; their tokens are sealed. Times are the database's, which all processes share. */
export function createPushConfigs(pool: Pool, sealed: SealedText): PushConfigs {
  const toConfig = (row: Row): DuePush | null => {
    const secrets = readSecrets(sealed, row.secrets)
    if (secrets === null) return null
    return {
      taskId: row.task_id,
      wallet: row.wallet,
      id: row.config_id,
      url: row.url,
      ...secrets,
      place: row.place,
      attempts: row.attempts,
    }
  }
  const remove: PushConfigs['remove'] = async ({ taskId, wallet, id }) => {
    const { rowCount } = await pool.query({
      name: 'push-remove',
      text: `delete from a2a_push_configs where ${one}`,
      values: [taskId, wallet, id],
    })
    return rowCount === 1
  }
  const steps = rounds(pool)
  /** What cannot be opened waits: who started a server with a wrong secret has a day to start it with the right one. */
  const putOff = async ({ task_id: taskId, wallet, config_id: id, place, attempts }: Row): Promise<void> => {
    const which = { taskId, wallet, id }
    if (attempts < unreadMost) await steps.failed(which, place, unreadMs)
    else await remove(which)
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
      return rows.flatMap((row) => toConfig(row) ?? [])
    },
    remove,
    async claim({ most, leaseMs, perAddress, perWallet, underWay }) {
      const { rows } = await pool.query<Row & { readonly due_at: Date }>({
        name: 'push-claim',
        text: claim,
        values: [most, Math.min(leaseMs, firstMs), [...underWay.keys()], [...underWay.values()], perAddress, perWallet],
      })
      const held = rows.map((row) => ({ keys: [row.task_id, row.wallet, row.config_id], due: row.due_at }))
      leaseKeeperOf(pool).keep(queues.pushes, held, leaseMs)
      const found = rows.map((row) => ({ row, config: toConfig(row) }))
      for (const { row, config } of found) if (config === null) await putOff(row)
      return found.flatMap(({ config }) => config ?? [])
    },
    ...steps,
  })
}

/** Null where they were sealed under a secret that this deployment has no more: nobody can be told with them. */
function readSecrets(sealed: SealedText, bytes: Buffer): Secrets | null {
  try {
    return JSON.parse(sealed.open(bytes)) as Secrets // written above alone
  } catch {
    return null
  }
}

type Rounds = Pick<PushConfigs, 'heard' | 'tell'> & {
  failed(config: Pick<PushConfig, 'taskId' | 'wallet' | 'id'>, place: string, waitMs: number): Promise<void>
}

/** When a configuration is due again. */
function rounds(pool: Pool): Rounds {
  return {
    async heard({ taskId, wallet, id }, place, idleMs) {
      await pool.query({
        name: 'push-heard',
        text: `update a2a_push_configs
          set place = $4, attempts = 0, due_at = clock_timestamp() + $5 * interval '1 millisecond' where ${one}`,
        values: [taskId, wallet, id, place, idleMs],
      })
    },
    async failed({ taskId, wallet, id }, place, waitMs) {
      await pool.query({
        name: 'push-failed',
        text: `update a2a_push_configs
          set place = $4, attempts = attempts + 1, due_at = clock_timestamp() + $5 * interval '1 millisecond'
          where ${one}`,
        values: [taskId, wallet, id, place, waitMs],
      })
    },
    async tell(taskIds) {
      await pool.query({
        name: 'push-tell',
        text: 'update a2a_push_configs set due_at = clock_timestamp() where task_id = any($1) and attempts = 0',
        values: [taskIds],
      })
    },
  }
}
