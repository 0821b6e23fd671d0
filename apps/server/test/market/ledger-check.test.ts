import { expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { approval, openStage, publisher, submittedJob, untilQuiet, type Stage } from './stage.ts'

const line = 'insert into ledger (journal, task_id, network, token, account, amount_atomic, at) values '
const zero = '00000000-0000-7000-8000-000000000000'

async function totals({ pool }: Stage): Promise<unknown> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select sum(escrowed)::text as escrowed, sum(operator)::text as operator, sum(balance)::text as balance,
      sum(lines)::int as lines from ledger_totals`,
  )
  return rows[0]
}

/** What was seen so far, a round saw long ago. */
async function age({ pool, store }: Stage): Promise<void> {
  expect(await store.ledgerDrift()).toEqual([])
  await pool.query("update money_audit set seen_at = seen_at - interval '1 hour'")
}

async function checked({ pool }: Stage): Promise<readonly unknown[]> {
  const { rows } = await pool.query<{ lines: bigint; payouts: bigint }>(
    'select checked_seq as lines, checked_payout as payouts from money_audit',
  )
  return Object.values(rows[0] ?? {})
}

const journal = (network: string, token: string, at = 'now()'): string =>
  `with j as (select gen_random_uuid() as id) ${line.replace('values ', '')}
    select j.id, null, '${network}', '${token}', a, n, ${at}
    from j, (values ('operator', -1), ('treasury', 1)) l (a, n)`

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
  await Promise.all(Array.from({ length: 40 }, () => stage.pool.query(journal('base', 'USDC'))))
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

test('what was paid to workers is added up again as well', async () => {
  await using stage = await openStage()
  const job = await submittedJob(stage)
  await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
  await untilQuiet(stage)
  await age(stage)
  expect(await stage.store.ledgerDrift()).toEqual([])
  const { rows } = await stage.pool.query<{ last: bigint }>(
    "select max(seq) as last from payment_events where type = 'disburse_worker'",
  )
  expect((await checked(stage))[1]).toBe(rows[0]?.last)
  await stage.pool.query('update ledger_totals set paid = paid - 5 where paid > 0')
  expect(await stage.store.ledgerDrift()).toMatchObject([{ figure: 'paid', atomic: -5n }])
})

test('a line whose transaction is late, by a clock that is slow, is added up all the same', async () => {
  await using stage = await openStage()
  const slow = createPool(stage.databaseUrl, { size: 1 })
  const late = await slow.connect()
  try {
    await late.query('begin')
    await late.query(journal('base', 'USDC', "now() - interval '20 minutes'"))
    await stage.pool.query(journal('base', 'EURC', "now() - interval '20 minutes'"))
    expect(await stage.store.ledgerDrift()).toEqual([])
    await late.query('commit')
    expect(await stage.store.ledgerDrift()).toEqual([])
    await stage.pool.query("update money_audit set seen_at = seen_at - interval '1 hour'")
    expect(await stage.store.ledgerDrift()).toEqual([])
    expect((await checked(stage))[0]).toBe(4n)
  } finally {
    late.release()
    await slow.end()
  }
})

test('two tokens booked in opposite order on one part of the totals wait for each other, and both end', async () => {
  await using stage = await openStage()
  const pool = createPool(stage.databaseUrl, { size: 17 })
  const clients = await Promise.all(Array.from({ length: 17 }, () => pool.connect()))
  try {
    const parts = await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query<{ part: number }>('select pg_backend_pid() % 16 as part')
        return rows[0]?.part
      }),
    )
    const second = parts.findIndex((part, index) => parts.indexOf(part) < index)
    const [one, other] = [clients[parts.indexOf(parts[second])], clients[second]]
    if (one === undefined || other === undefined) throw new Error('of seventeen two share a part')
    await Promise.all([one.query('begin'), other.query('begin')])
    await one.query(journal('base', 'EURC'))
    const waiting = other.query(journal('base', 'USDC')).then(() => other.query(journal('base', 'EURC')))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await one.query(journal('base', 'USDC'))
    await one.query('commit')
    await waiting
    await other.query('commit')
    expect(await totals(stage)).toMatchObject({ balance: '0', lines: 8 })
  } finally {
    for (const client of clients) client.release()
    await pool.end()
  }
})
