import { lateBlocks, BookedForAnother, type Tx } from '@ergon/core'
import { toBooked, type BookedRow } from './follow.ts'
import type { TransactionLine } from './transaction-line.ts'

/** What came of payments on chain, within a transaction: who writes a log first has booked it. */
export function createMovementTx(
  client: TransactionLine,
): Pick<Tx, 'addMovement' | 'movements' | 'confirmRefused' | 'reviveFeeOf'> {
  return {
    async addMovement(movement, { taskId, settlementId }) {
      const { network, txHash, logIndex, blockNumber, hash, kind, atomic, feeBps } = movement
      const {
        rows: [row],
      } = await client.query<{ fresh: boolean; settlement_id: string | null }>({
        name: 'movement-add',
        text: addText,
        values: [
          network,
          txHash,
          logIndex,
          blockNumber,
          hash,
          kind,
          atomic.toString(),
          feeBps,
          taskId,
          settlementId,
          lateBlocks,
        ],
      })
      // No row: it was booked before logs were counted.
      if (row === undefined) return false
      if (settlementId !== null && row.settlement_id !== settlementId) throw new BookedForAnother(movement)
      return row.fresh
    },
    async movements(network, hash) {
      const { rows } = await client.query<BookedRow>({
        name: 'movements',
        text: 'select * from movements where network = $1 and hash = $2 order by block_number, log_index',
        values: [network, hash],
      })
      return rows.map(toBooked)
    },
    async confirmRefused(id, { txHash, blockNumber }, at) {
      const { rowCount } = await client.query({
        name: 'settlement-confirm-refused',
        text: confirmRefusedText,
        values: [id, txHash ?? null, blockNumber ?? null, at],
      })
      return rowCount === 1
    },
    async reviveFeeOf(submissionId, at) {
      await client.tell(reviveText, [submissionId, at])
    },
  }
}

const confirmRefusedText = `update settlements s
  set status = 'confirmed', tx_hash = $2, block_number = $3, code = null, watch_until = null, updated_at = $4
  where s.id = $1 and s.status = 'refused'
    and not exists (select 1 from settlements o
      where o.subject = s.subject and o.purpose = s.purpose and o.status in ('claimed', 'in_doubt', 'confirmed'))`

const reviveText = `update settlements s set status = 'claimed', code = null, due_at = $2, updated_at = $2
  where s.id = (select f.id from settlements f where f.submission_id = $1 and f.purpose = 'fee' and f.status = 'refused'
      order by f.created_at desc limit 1)
    and not exists (select 1 from settlements o
      where o.subject = s.subject and o.purpose = 'fee' and o.status in ('claimed', 'in_doubt', 'confirmed'))`

/** A row of a block that the follower has left behind is one for it to look for (`lateBlocks`). */
const addText = `insert into movements as m (network, tx_hash, log_index, block_number, hash, kind, atomic, fee_bps,
      task_id, settlement_id, missing_since)
  select $1, $2, $3::integer, $4::bigint, $5, $6, $7::numeric, $8::integer, $9::uuid, $10::uuid,
    (select to_timestamp(0) from chain_followings f
      where f.network = $1 and f.followed_block >= $4::bigint + $11::integer)
  where not exists (select 1 from movements b
    where b.network = $1 and b.tx_hash = $2 and b.log_index = -1 and b.hash = $5 and b.kind = $6)
  on conflict (network, tx_hash, log_index)
  do update set settlement_id = coalesce(m.settlement_id, excluded.settlement_id)
  returning (xmax = 0) as fresh, settlement_id`
