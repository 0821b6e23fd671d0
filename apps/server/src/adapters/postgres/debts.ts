import type { Store } from '@ergon/core'
import type { Pool } from 'pg'
import { createTogether } from '../../surroundings/together.ts'
import { toSettlement, type SettlementRow } from './rows.ts'

type Debts = Pick<Store, 'feeOwedBy' | 'feeOwedFor'>
type Owed = Awaited<ReturnType<Debts['feeOwedFor']>>
type OwedRow = SettlementRow & { readonly is_under_way: boolean }
const maxBatch = 500

/** Fees that were refused after their worker was paid. */
export function createDebts(pool: Pool): Debts {
  return {
    feeOwedBy: createOwedBy(pool),
    async feeOwedFor(taskId) {
      const values = [taskId]
      const { rows } = await pool.query<OwedRow>({
        name: 'fee-owed-for',
        text: `select ${owed} and s.task_id = $1 order by s.created_at limit 1`,
        values,
      })
      return toOwed(rows[0])
    },
  }
}

/**
 * Asked at every publish: all who ask while others are answered share one statement, which begins after the last of
 * them came. Answers nobody what was true before it asked (decision 0254).
 */
function createOwedBy(pool: Pool): Debts['feeOwedBy'] {
  return createTogether<string, Owed>(
    async (wallets) => {
      const { rows } = await pool.query<OwedRow & { readonly owed_by: string }>({
        name: 'fees-owed-by',
        text: `select distinct on (t.publisher_wallet) t.publisher_wallet as owed_by, ${owed}
          and t.publisher_wallet = any($1) order by t.publisher_wallet, s.created_at`,
        values: [[...new Set(wallets)]],
      })
      return wallets.map((wallet) => toOwed(rows.find((row) => row.owed_by === wallet)))
    },
    { most: maxBatch },
  )
}

function toOwed(row: OwedRow | undefined): Owed {
  if (row === undefined) return null
  const { taskId, submissionId, executorId, subject, order } = toSettlement(row)
  if (submissionId === null || order.kind !== 'charge') return null
  return {
    taskId,
    submissionId,
    executorId,
    subject,
    fee: order.transfer.amount,
    payer: order.transfer.from,
    isUnderWay: row.is_under_way,
  }
}

/** A fee that falls with its payout was never sent, and has no code. Of several of a wallet the oldest is told. */
const owed = `s.*,
    exists (select 1 from settlements o
      where o.purpose = 'fee' and o.subject = s.subject and o.status in ('claimed', 'in_doubt')) as is_under_way
  from settlements s join tasks t on t.id = s.task_id
  where s.purpose = 'fee'
    and ((s.status = 'refused' and s.code is not null)
      or (s.status in ('claimed', 'in_doubt') and s.last_refusal is not null))
    and exists (select 1 from settlements p
      where p.task_id = s.task_id and p.submission_id = s.submission_id and p.purpose = 'payout'
        and p.status = 'confirmed')
    and not exists (select 1 from settlements c
      where c.purpose = 'fee' and c.subject = s.subject and c.status = 'confirmed')`
