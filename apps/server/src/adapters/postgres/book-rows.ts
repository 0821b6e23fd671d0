import assert from 'node:assert/strict'
import type { First, Part, Tell } from './tx-query.ts'

/** The books: journals that add up to zero, and what a task's payments were. */
export function bookRows(
  first: First,
  tell: Tell,
): Part<'settleFee' | 'ledgerBalance' | 'addPaymentEvent' | 'post' | 'endSweep'> {
  return {
    ...feeRows(first),
    async ledgerBalance(asset, account) {
      const row = await first<{ balance: bigint }>(
        `select coalesce(sum(amount_atomic), 0)::bigint as balance from ledger
          where network = $1 and token = $2 and account = $3`,
        [asset.network, asset.symbol, account],
      )
      return row?.balance ?? 0n
    },
    async addPaymentEvent(one) {
      await tell(
        `insert into payment_events (id, task_id, type, status, amount_atomic, from_address, to_address, network, token,
              decimals, tx_hash, note, at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [
          one.id,
          one.taskId,
          one.type,
          one.status,
          one.amount?.atomic ?? null,
          one.from,
          one.to,
          one.asset.network,
          one.asset.symbol,
          one.asset.decimals,
          one.txHash,
          one.note ?? null,
          one.at,
        ],
      )
    },
    async post(journal) {
      assert(journal.postings.reduce((sum, one) => sum + one.atomic, 0n) === 0n, 'a journal adds up to zero')
      await tell(
        `insert into ledger (journal, task_id, network, token, account, amount_atomic, at)
          select $1, $2, $3, $4, account, atomic, $5 from unnest($6::text[], $7::bigint[]) as line (account, atomic)`,
        [
          journal.id,
          journal.taskId,
          journal.asset.network,
          journal.asset.symbol,
          journal.at,
          journal.postings.map((one) => one.account),
          journal.postings.map((one) => one.atomic.toString()),
        ],
      )
    },
  }
}

/** The fee on its way from the operator to the treasury. */
function feeRows(first: First): Part<'settleFee' | 'endSweep'> {
  return {
    async settleFee(taskId, txHash, at) {
      const row = await first(
        `update tasks
          set fee_tx = $2, payment_block = case when $2::text is null then null else payment_block end, updated_at = $3
          where id = $1 and fee_tx is null and payment_block is not null returning id`,
        [taskId, txHash, at],
      )
      return row !== undefined
    },
    async endSweep(id, end, at) {
      const row = await first(
        `update sweeps
          set status = $2, tx_hash = coalesce($3, tx_hash), block_number = coalesce($4, block_number),
            amount = coalesce($5, amount), due_at = coalesce($6, due_at), updated_at = $7
          where id = $1 and status = 'open' returning id`,
        [id, end.status, end.txHash ?? null, end.blockNumber ?? null, end.amount ?? null, end.dueAt ?? null, at],
      )
      return row !== undefined
    },
  }
}
