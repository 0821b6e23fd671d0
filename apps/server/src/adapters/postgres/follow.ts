import type { BookedMovement, FollowStore, FollowTx, Following } from '@ergon/core'
import type { Pool } from 'pg'
import { toSettlement, type SettlementRow } from './rows.ts'
import type { TransactionLine } from './transaction-line.ts'

type FollowingRow = {
  network: string
  first_block: bigint
  followed_block: bigint
  followed_at: Date
  head_block: bigint
  head_at: Date
  read_at: Date
}
export type BookedRow = {
  network: string
  tx_hash: string
  log_index: number
  block_number: bigint
  hash: string
  kind: BookedMovement['kind']
  atomic: string
  fee_bps: number | null
  task_id: string | null
  settlement_id: string | null
  missing_since: Date | null
}

/** How far the chains were followed, and what is booked of them (decision 0083). */
export function createFollowings(pool: Pool): FollowStore {
  return {
    async leaseFollowing(network, now, until) {
      await pool.query({
        name: 'following-begin',
        text: "insert into chain_followings (network, due_at) values ($1, '-infinity') on conflict do nothing",
        values: [network],
      })
      const {
        rows: [row],
      } = await pool.query<{ [K in keyof FollowingRow]: FollowingRow[K] | null }>({
        name: 'following-lease',
        text: 'update chain_followings set due_at = $3 where network = $1 and due_at <= $2 returning *',
        values: [network, now, until],
      })
      if (row === undefined) return null
      // All are written together.
      return { following: row.first_block === null ? null : toFollowing(row as FollowingRow) }
    },
    async putFollowing({ network, first, followed, head, readAt }, due) {
      await pool.query({
        name: 'following-put',
        text: putText,
        values: [network, first, followed.number, followed.at, head.number, head.at, readAt, due],
      })
    },
    async followings() {
      const { rows } = await pool.query<FollowingRow>({
        name: 'followings',
        text: 'select * from chain_followings where first_block is not null order by network',
      })
      return rows.map(toFollowing)
    },
    async bookedMovements(network, from, through) {
      const { rows } = await pool.query<BookedRow>({
        name: 'movements-booked',
        text: bookedText,
        values: [network, from, through],
      })
      return rows.map(toBooked)
    },
    bookedDistributions: (network, from, through) => bookedDistributions(pool, network, from, through),
    bookedTransfers: (...asked) => bookedTransfers(pool, ...asked),
    async knownPayments(network, hashes) {
      const { rows } = await pool.query<SettlementRow>({
        name: 'payments-known',
        text: knownText,
        values: [network, hashes],
      })
      return rows
        .map(toSettlement)
        .flatMap((lock) => (lock.order.kind === 'authorize' ? [{ payment: lock.order.payment, lock }] : []))
    },
    async watchedTransfers(network, limit) {
      const { rows } = await pool.query<SettlementRow>({
        name: 'transfers-watched',
        text: transfersText,
        values: [network, limit],
      })
      return rows.map(toSettlement)
    },
    async payersOwing(network, limit) {
      const { rows } = await pool.query<{ publisher_wallet: string }>(owingText, [network, limit])
      return rows.map((row) => row.publisher_wallet)
    },
  }
}

type DistributionRow = {
  readonly tx_hash: string
  readonly log_index: number
  readonly block_number: bigint
  readonly token: string
  readonly decimals: number
  readonly atomic: string
}

async function bookedDistributions(
  pool: Pool,
  network: string,
  from: bigint,
  through: bigint,
): ReturnType<FollowStore['bookedDistributions']> {
  const { rows } = await pool.query<DistributionRow>({
    name: 'distributions-booked',
    text: `select tx_hash, log_index, block_number, token, decimals, atomic from distributions
      where network = $1 and block_number between $2 and $3 and log_index >= 0`,
    values: [network, from, through],
  })
  return rows.map((row) => ({
    network,
    txHash: row.tx_hash,
    logIndex: row.log_index,
    blockNumber: row.block_number,
    asset: { symbol: row.token, network, decimals: row.decimals },
    atomic: BigInt(row.atomic),
  }))
}

async function bookedTransfers(
  pool: Pool,
  ...asked: Parameters<FollowStore['bookedTransfers']>
): ReturnType<FollowStore['bookedTransfers']> {
  const { rows } = await pool.query<BookedRow>({
    name: 'transfers-booked',
    text: bookedTransfersText,
    values: asked,
  })
  if (rows.length === 0) return []
  const { rows: settlements } = await pool.query<SettlementRow>({
    name: 'settlements-of-transfers',
    text: 'select * from settlements where id = any($1::uuid[])',
    values: [rows.map((row) => row.settlement_id)],
  })
  const of = new Map(settlements.map((row) => [row.id, toSettlement(row)]))
  return rows.flatMap((row) => {
    const settlement = of.get(row.settlement_id ?? '')
    return settlement === undefined ? [] : [{ movement: toBooked(row), settlement }]
  })
}

/** Booked logs within a transaction. */
export function createFollowTx(client: TransactionLine): FollowTx {
  const changed = async (name: string, text: string, values: unknown[]): Promise<boolean> =>
    (await client.query({ name, text, values })).rowCount === 1
  return {
    moveMovement: ({ network, txHash, logIndex }, to) =>
      changed(
        'movement-move',
        `update movements set block_number = $4, log_index = $5, missing_since = null
         where network = $1 and tx_hash = $2 and log_index = $3
           and ($3 = $5
             or not exists (select 1 from movements o where o.network = $1 and o.tx_hash = $2 and o.log_index = $5))`,
        [network, txHash, logIndex, to.blockNumber, to.logIndex],
      ),
    async missMovement({ network, txHash, logIndex }, since) {
      await changed(
        'movement-miss',
        `update movements set missing_since = case when missing_since > to_timestamp(0) then missing_since else $4 end
          where network = $1 and tx_hash = $2 and log_index = $3`,
        [network, txHash, logIndex, since],
      )
    },
    dropMovement: ({ network, txHash, logIndex }) =>
      changed('movement-drop', 'delete from movements where network = $1 and tx_hash = $2 and log_index = $3', [
        network,
        txHash,
        logIndex,
      ]),
    addDistribution: ({ network, txHash, logIndex, blockNumber, asset, atomic }) =>
      changed(
        'distribution-add',
        `with moved as (
        update distributions d set block_number = $4::bigint, log_index = $3::integer
        where d.network = $1 and d.tx_hash = $2 and d.token = $5 and d.atomic = $7::numeric and d.log_index >= 0
          and d.block_number <> $4::bigint returning 1)
      insert into distributions (network, tx_hash, log_index, block_number, token, decimals, atomic)
      select $1, $2, $3::integer, $4::bigint, $5, $6::smallint, $7::numeric
      where not exists (select 1 from distributions d where d.network = $1 and d.tx_hash = $2 and d.log_index = -1)
        and not exists (select 1 from moved) on conflict do nothing`,
        [network, txHash, logIndex, blockNumber, asset.symbol, asset.decimals, atomic.toString()],
      ),
    async isDistributed({ network, txHash, asset }) {
      const { rowCount } = await client.query({
        name: 'distribution-of',
        text: 'select 1 from distributions where network = $1 and tx_hash = $2 and token = $3 limit 1',
        values: [network, txHash, asset.symbol],
      })
      return rowCount === 1
    },
    dropDistribution: ({ network, txHash, logIndex, atomic }) =>
      changed(
        'distribution-drop',
        `with gone as (delete from distributions
          where network = $1 and tx_hash = $2 and log_index = $3 and atomic = $4::numeric
          returning network, tx_hash, token),
        noted as (insert into lost_sweeps (network, tx_hash, token) select * from gone
          on conflict (network, tx_hash, token) do update set lost_at = now())
        select from gone`,
        [network, txHash, logIndex, atomic.toString()],
      ),
  }
}

function toFollowing(row: FollowingRow): Following {
  return {
    network: row.network,
    first: row.first_block,
    followed: { number: row.followed_block, at: row.followed_at },
    head: { number: row.head_block, at: row.head_at },
    readAt: row.read_at,
  }
}

export function toBooked(row: BookedRow): BookedMovement {
  return {
    network: row.network,
    txHash: row.tx_hash,
    logIndex: row.log_index,
    blockNumber: row.block_number,
    hash: row.hash,
    kind: row.kind,
    atomic: BigInt(row.atomic),
    feeBps: row.fee_bps,
    taskId: row.task_id,
    settlementId: row.settlement_id,
    missingSince: row.missing_since,
  }
}

/** Whoever is behind another process takes nothing back. */
const putText = `update chain_followings f set first_block = coalesce(f.first_block, $2), read_at = $7, due_at = $8,
  followed_at = case when f.followed_block is null or f.followed_block <= $3 then $4 else f.followed_at end,
  followed_block = greatest(f.followed_block, $3::bigint),
  head_at = case when f.head_block is null or f.head_block <= $5 then $6 else f.head_at end,
  head_block = greatest(f.head_block, $5::bigint)
  where f.network = $1`

/** A direct payment shows no share that was kept, and no log of the escrow. */
const bookedText = `select * from movements
  where network = $1 and (missing_since is not null or block_number between $2 and $3)
    and (kind <> 'charged' or fee_bps is not null)`

/** What was booked before logs were counted has no place to be looked for. */
const directText =
  "network = $1 and kind = 'charged' and fee_bps is null and log_index >= 0 and settlement_id is not null"
const bookedTransfersText = `(select * from movements where ${directText} and missing_since is not null
    order by missing_since limit $3)
  union all (select * from movements where ${directText} and missing_since is null and block_number >= $2
    order by block_number, log_index limit $3)`

const knownText = `select distinct on (order_json->'payment'->>'hash') * from settlements
  where purpose = 'lock' and order_json->'payment'->>'hash' = any($2) and order_json->'payment'->>'network' = $1
  order by order_json->'payment'->>'hash', seq desc`

const owingText = `select distinct publisher_wallet from tasks t
  where network = $1 and escrow_status = 'none' and executor_id is not null
    and (status in ('accepted', 'in_progress', 'submitted', 'verifying')
      or (status = 'completed' and fee_tx is null
        and exists (select from settlements s where s.task_id = t.id and s.purpose = 'fee' and s.status = 'refused')))
  order by 1 limit $2`

const transfersText = `select * from settlements
  where purpose in ('payout', 'fee')
    and (status in ('claimed', 'in_doubt') or (status = 'refused' and watch_until is not null))
  and order_json->'transfer'->>'network' = $1 order by due_at limit $2`
