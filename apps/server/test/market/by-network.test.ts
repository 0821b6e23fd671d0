import { expect, test } from 'vitest'
import { openStage, submittedJob } from './stage.ts'

/** An operator who serves several networks is told which of them something is about. */
test('what is open and what was found is told of each network', async () => {
  await using stage = await openStage()
  const now = stage.clock.now()
  await submittedJob(stage)
  await submittedJob(stage)
  expect((await stage.store.paymentsHealth(now)).byNetwork).toEqual([])
  await stage.pool.query(
    `update settlements set status = 'in_doubt', created_at = $1::timestamptz - interval '7 seconds'
      where purpose = 'lock'`,
    [now],
  )
  await stage.pool.query(
    `insert into cash_outs (id, wallet, network, token, decimals, token_address, to_address, amount_atomic,
        valid_before, nonce, signature, status, sent_until, due_at, created_at, updated_at)
      values (gen_random_uuid(), 'w', 'base', 'USDC', 6, 't', 'to', 1, 1, 'n', 's', 'claimed', $1, $1, $1, $1)`,
    [now],
  )
  const found = `insert into money_findings (kind, scope, subject, network, detail, first_seen, last_seen)
    values ('stuck', 'x', $2, $3, '', $1, $1)`
  for (const [subject, network] of [
    ['a', 'base'],
    ['b', 'base'],
    ['c', 'polygon'],
  ] as const)
    await stage.pool.query(found, [now, subject, network])

  expect(await stage.store.paymentsHealth(now)).toEqual({
    inFlight: 1,
    inDoubt: 2,
    oldestSeconds: 7,
    byNetwork: [
      { network: 'base', inFlight: 1, inDoubt: 0, oldestSeconds: 0 },
      { network: 'localnet', inFlight: 0, inDoubt: 2, oldestSeconds: 7 },
    ],
    ledgerBalanced: true,
  })
  expect(await stage.store.moneyFindings()).toMatchObject({
    counts: { stuck: 3 },
    byNetwork: [
      { network: 'base', kind: 'stuck', count: 2 },
      { network: 'polygon', kind: 'stuck', count: 1 },
    ],
    unresolved: 3,
  })
})
