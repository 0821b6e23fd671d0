import type { LedgerDrift, Store } from '@ergon/core'
import type { Pool, PoolClient } from 'pg'

type DriftRow = { network: string; token: string; decimals: number; figure: LedgerDrift['figure']; drift: string }

/** Lines that one round adds up, and payouts; more wait for the next. */
const slice = 100_000

/**
 * The audit's own addition of the ledger, a slice a round: lines are added up once, to what the slices before them came
 * to, and the sum is compared with the running totals. Only the newest lines, which a transaction under way may still
 * precede, are read again.
 */
export function createLedgerCheck(pool: Pool): Pick<Store, 'ledgerDrift'> {
  return {
    async ledgerDrift() {
      const client = await pool.connect()
      try {
        // One snapshot: totals and lines of a journal are seen together or not at all.
        await client.query('begin isolation level repeatable read')
        const isBehind = await addUp(client)
        await client.query(seeText)
        const { rows } = isBehind ? { rows: [] } : await client.query<DriftRow>(driftText)
        await client.query('commit')
        return rows.map((row): LedgerDrift => ({
          asset: { network: row.network, symbol: row.token, decimals: row.decimals },
          figure: row.figure,
          atomic: BigInt(row.drift),
        }))
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      } finally {
        client.release()
      }
    },
  }
}

/** True when there is more to add up than the newest lines: the sums are not compared yet. */
async function addUp(client: PoolClient): Promise<boolean> {
  for (const { next, add } of [
    { next: nextLinesText, add: addLinesText },
    { next: nextPayoutsText, add: addPayoutsText },
  ]) {
    const { rows } = await client.query<{ upto: bigint | null }>(next, [slice])
    const { upto = null } = rows[0] ?? {}
    if (upto !== null) await client.query(add, [upto])
  }
  const { rows } = await client.query<{ behind: boolean }>(behindText, [slice])
  return rows[0]?.behind ?? true
}

/** What a round two minutes ago saw: every transaction that could still write before it has ended. */
const seenText = (column: string): string =>
  `(select case when seen_at < clock_timestamp() - interval '2 minutes' then ${column} else 0 end from money_audit)`

const nextLinesText = `select max(seq) as upto from (select seq from ledger
  where seq > (select checked_seq from money_audit) and seq <= ${seenText('seen_seq')} order by seq limit $1) s`

const payouts = `payment_events where type = 'disburse_worker' and status = 'success'`

const nextPayoutsText = `select max(seq) as upto from (select seq from ${payouts}
  and seq > (select checked_payout from money_audit) and seq <= ${seenText('seen_payout')} order by seq limit $1) s`

const addLinesText = `with added as (
    insert into ledger_checks as c (network, token, escrowed, operator, treasury, balance, lines)
    select network, token, sum(escrowed), sum(operator), sum(treasury), sum(balance), count(*) from ledger_sums
    where seq > (select checked_seq from money_audit) and seq <= $1 group by network, token
    on conflict (network, token) do update set escrowed = c.escrowed + excluded.escrowed,
      operator = c.operator + excluded.operator, treasury = c.treasury + excluded.treasury,
      balance = c.balance + excluded.balance, lines = c.lines + excluded.lines)
  update money_audit set checked_seq = $1`

const addPayoutsText = `with added as (
    insert into ledger_checks as c (network, token, escrowed, operator, treasury, balance, lines, paid)
    select network, token, 0, 0, 0, 0, 0, coalesce(sum(amount_atomic), 0) from ${payouts}
      and seq > (select checked_payout from money_audit) and seq <= $1 group by network, token
    on conflict (network, token) do update set paid = c.paid + excluded.paid)
  update money_audit set checked_payout = $1`

const newest = {
  line: 'coalesce((select seq from ledger order by seq desc limit 1), 0)',
  payout: `coalesce((select seq from ${payouts} order by seq desc limit 1), 0)`,
}

/** Numbers have few gaps, so that they say how much is left. */
const behindText = `select ${newest.line} - checked_seq > $1 or ${newest.payout} - checked_payout > $1 as behind
  from money_audit`

/** What was seen before is added up first. */
const seeText = `update money_audit set seen_at = clock_timestamp(),
    seen_seq = ${newest.line}, seen_payout = ${newest.payout}
  where seen_at < clock_timestamp() - interval '2 minutes'
    and checked_seq >= seen_seq and checked_payout >= seen_payout`

const driftText = `with added as (
    select network, token, sum(escrowed) as escrowed, sum(operator) as operator, sum(treasury) as treasury,
      sum(balance) as balance, sum(lines) as lines, sum(paid) as paid
    from (select network, token, escrowed, operator, treasury, balance, lines, paid from ledger_checks
      union all select network, token, escrowed, operator, treasury, balance, 1, 0 from ledger_sums
        where seq > (select checked_seq from money_audit)
      union all select network, token, 0, 0, 0, 0, 0, coalesce(amount_atomic, 0) from ${payouts}
        and seq > (select checked_payout from money_audit)) parts
    group by network, token),
  totals as (
    select network, token, sum(escrowed) as escrowed, sum(operator) as operator, sum(treasury) as treasury,
      sum(balance) as balance, sum(lines) as lines, sum(paid) as paid
    from ledger_totals group by network, token)
  select network, token, f.figure, f.drift::text as drift,
    coalesce((select t.decimals from tasks t where t.network = d.network and t.token = d.token limit 1), 0) as decimals
  from (select network, token, t.escrowed - coalesce(a.escrowed, 0) as escrowed,
      t.operator - coalesce(a.operator, 0) as operator, t.treasury - coalesce(a.treasury, 0) as treasury,
      coalesce(a.balance, 0) as balance, t.lines - coalesce(a.lines, 0) as lines, t.paid - coalesce(a.paid, 0) as paid
    from totals t left join added a using (network, token)) d,
    lateral (values ('escrowed', escrowed), ('operator', operator), ('treasury', treasury), ('balance', balance),
      ('lines', lines), ('paid', paid)) f (figure, drift)
  where f.drift <> 0`
