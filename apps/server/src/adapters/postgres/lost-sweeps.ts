import type { Pool } from 'pg'

// For so long a facilitator sends the same bytes again, and the sweep may be mined anew.
const unnameSql = `
  with lost as (select network, tx_hash, token from lost_sweeps where lost_at < now() - interval '10 minutes'
    order by lost_at limit 1 for update skip locked),
  found as (select l.network, l.tx_hash, l.token from lost l where exists (select from distributions d
    where d.network = l.network and d.tx_hash = l.tx_hash and d.token = l.token)),
  named as (select t.id from tasks t join lost l
      on t.fee_tx = l.tx_hash and t.network = l.network and t.token = l.token
    where not exists (select from found) limit $1 for update of t),
  unnamed as (update tasks t set fee_tx = null, updated_at = now() from named n where t.id = n.id returning t.id),
  told as (
    insert into payment_events
      (id, task_id, type, status, amount_atomic, from_address, to_address, network, token, decimals, tx_hash, note, at)
    select gen_random_uuid(), e.task_id, e.type, 'failed', e.amount_atomic, e.from_address, e.to_address, e.network,
      e.token, e.decimals, e.tx_hash, 'the sweep was undone with its block', now()
    from unnamed u cross join lateral (select * from payment_events e
      where e.task_id = u.id and e.type = 'disburse_fee' and e.status = 'success' order by e.seq desc limit 1) e),
  done as (delete from lost_sweeps s using lost l
    where s.network = l.network and s.tx_hash = l.tx_hash and s.token = l.token
      and (select count(*) from named) < $1)
  select count(*)::int as count from unnamed`

/**
 * Fees whose sweep is lost for good are owed again: so many of one sweep at the most. Answers how many; fewer than that
 * are the last of their sweep.
 */
export async function unnameLostSweeps(pool: Pick<Pool, 'query'>, limit: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({ name: 'sweeps-unname', text: unnameSql, values: [limit] })
  return rows[0]?.count ?? 0
}
