import type { LedgerDrift, Store } from '@ergon/core'
import type { Pool } from 'pg'

type DriftRow = { network: string; token: string; decimals: number; figure: LedgerDrift['figure']; drift: string }

/** Lines that one round adds up; more wait for the next. */
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
        const { rows: slices } = await client.query<{ upto: bigint | null; lines: bigint }>(
          `select max(seq) as upto, count(*) as lines from (select seq, at from ledger
            where seq > (select checked_seq from money_audit) order by seq limit $1) s
            where s.at < clock_timestamp() - interval '10 minutes'`,
          [slice],
        )
        const { upto = null, lines = 0n } = slices[0] ?? {}
        if (upto !== null) {
          await client.query(addText, [upto])
          await client.query('update money_audit set checked_seq = $1', [upto])
        }
        const isBehind = lines >= BigInt(slice)
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

const addText = `insert into ledger_checks as c (network, token, escrowed, operator, treasury, balance, lines)
  select network, token, sum(escrowed), sum(operator), sum(treasury), sum(balance), count(*) from ledger_sums
  where seq > (select checked_seq from money_audit) and seq <= $1 group by network, token
  on conflict (network, token) do update set escrowed = c.escrowed + excluded.escrowed,
    operator = c.operator + excluded.operator, treasury = c.treasury + excluded.treasury,
    balance = c.balance + excluded.balance, lines = c.lines + excluded.lines`

const driftText = `with added as (
    select network, token, sum(escrowed) as escrowed, sum(operator) as operator, sum(treasury) as treasury,
      sum(balance) as balance, sum(lines) as lines
    from (select network, token, escrowed, operator, treasury, balance, lines from ledger_checks
      union all select network, token, escrowed, operator, treasury, balance, 1 from ledger_sums
        where seq > (select checked_seq from money_audit)) parts
    group by network, token),
  totals as (
    select network, token, sum(escrowed) as escrowed, sum(operator) as operator, sum(treasury) as treasury,
      sum(balance) as balance, sum(lines) as lines
    from ledger_totals group by network, token)
  select network, token, f.figure, f.drift::text as drift,
    coalesce((select t.decimals from tasks t where t.network = d.network and t.token = d.token limit 1), 0) as decimals
  from (select network, token, t.escrowed - coalesce(a.escrowed, 0) as escrowed,
      t.operator - coalesce(a.operator, 0) as operator, t.treasury - coalesce(a.treasury, 0) as treasury,
      coalesce(a.balance, 0) as balance, t.lines - coalesce(a.lines, 0) as lines
    from totals t left join added a using (network, token)) d,
    lateral (values ('escrowed', escrowed), ('operator', operator), ('treasury', treasury), ('balance', balance),
      ('lines', lines)) f (figure, drift)
  where f.drift <> 0`
