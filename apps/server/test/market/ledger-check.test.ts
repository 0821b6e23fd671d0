import { expect, test } from 'vitest'
import { openStage, submittedJob, type Stage } from './stage.ts'

const line = 'insert into ledger (journal, task_id, network, token, account, amount_atomic, at) values '
const zero = '00000000-0000-7000-8000-000000000000'

async function totals({ pool }: Stage): Promise<unknown> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select sum(escrowed)::text as escrowed, sum(operator)::text as operator, sum(balance)::text as balance,
      sum(lines)::int as lines from ledger_totals`,
  )
  return rows[0]
}

/** Makes every line of the ledger old enough to be added up once and for all; the table itself forbids it. */
async function age({ pool }: Stage): Promise<void> {
  await pool.query(`alter table ledger disable trigger ledger_no_change;
    update ledger set at = now() - interval '1 hour'; alter table ledger enable trigger ledger_no_change`)
}

test('a journal that does not add up to zero is not written', async () => {
  await using stage = await openStage()
  await expect(stage.pool.query(`${line} ('${zero}', null, 'base', 'USDC', 'operator', 5, now())`)).rejects.toThrow(
    'a journal adds up to zero',
  )
  expect(await totals(stage)).toEqual({ escrowed: null, operator: null, balance: null, lines: null })
})

test('running totals follow the ledger, whoever writes it at once', async () => {
  await using stage = await openStage()
  await submittedJob(stage)
  const before = await totals(stage)
  expect(before).toMatchObject({ balance: '0', lines: 2 })
  await Promise.all(
    Array.from({ length: 40 }, () =>
      stage.pool.query(`with j as (select gen_random_uuid() as id) ${line.replace('values ', '')}
        select j.id, null, 'base', 'USDC', a, n, now() from j, (values ('operator', -1), ('treasury', 1)) l (a, n)`),
    ),
  )
  const sums = await stage.pool.query<{ operator: string; lines: number }>(
    `select sum(operator)::text as operator, count(*)::int as lines from ledger_sums`,
  )
  expect(await totals(stage)).toMatchObject({ ...sums.rows[0], balance: '0' })
})

test('the audit adds each line up once, and reports a total that is not the sum of its lines', async () => {
  await using stage = await openStage()
  await submittedJob(stage)
  await age(stage)
  expect(await stage.store.ledgerDrift()).toEqual([])
  const { rows } = await stage.pool.query<{ checked: string; last: string }>(
    'select (select checked_seq from money_audit)::text as checked, (select max(seq) from ledger)::text as last',
  )
  expect(rows[0]?.checked).toBe(rows[0]?.last)
  await stage.pool.query('update ledger_totals set escrowed = escrowed + 7 where lines > 0')
  expect(await stage.store.ledgerDrift()).toMatchObject([{ figure: 'escrowed', atomic: 7n }])
  await stage.pool.query("update money_audit set due_at = '-infinity'")
  await stage.market.duties.auditMoney()
  // The comparison with the chain sees it as well.
  expect((await stage.market.unresolvedFindings(10)).map(({ subject }) => subject).toSorted()).toEqual([
    'escrow',
    'ledger:localnet:USDC:escrowed',
  ])
  expect(await stage.store.paymentsHealth(stage.clock.now())).toMatchObject({ ledgerBalanced: false })
})
