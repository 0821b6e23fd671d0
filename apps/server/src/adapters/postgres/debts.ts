import type { Store } from '@ergon/core'
import type { Pool } from 'pg'
import { toSettlement, type SettlementRow } from './rows.ts'

type Debts = Pick<Store, 'feeOwedBy' | 'feeOwedFor'>

/** Fees that were refused after their worker was paid. */
export function createDebts(pool: Pool): Debts {
  const first = async (name: string, which: string, value: string): ReturnType<Debts['feeOwedFor']> => {
    const {
      rows: [row],
    } = await pool.query<SettlementRow & { is_under_way: boolean }>({ name, text: owedText(which), values: [value] })
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
  return {
    feeOwedBy: (wallet) => first('fee-owed-by', 't.publisher_wallet = $1', wallet),
    feeOwedFor: (taskId) => first('fee-owed-for', 's.task_id = $1', taskId),
  }
}

/** A fee that falls with its payout was never sent, and has no code. */
const owedText = (which: string): string => `select s.*,
    exists (select 1 from settlements o
      where o.purpose = 'fee' and o.subject = s.subject and o.status in ('claimed', 'in_doubt')) as is_under_way
  from settlements s join tasks t on t.id = s.task_id
  where s.purpose = 'fee'
    and ((s.status = 'refused' and s.code is not null)
      or (s.status in ('claimed', 'in_doubt') and s.last_refusal is not null)) and ${which}
    and exists (select 1 from settlements p
      where p.task_id = s.task_id and p.submission_id = s.submission_id and p.purpose = 'payout'
        and p.status = 'confirmed')
    and not exists (select 1 from settlements c
      where c.purpose = 'fee' and c.subject = s.subject and c.status = 'confirmed')
  order by s.created_at limit 1`
