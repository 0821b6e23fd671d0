import { createMarket, type MarketDeps, type Rail, type Store } from '@ergon/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  approval,
  gateTask,
  localnet,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

/** What is due on one network is in the way of no other: on real PostgreSQL (decision 0301). */

const sick = { ...localnet, name: 'sick', caip2: 'eip155:8453', chainId: 8_453 } as const
let stage: Stage
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  stage = stack.use(await openStage())
  const { submissionId, taskId } = await submittedJob(stage)
  await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
  await untilQuiet(stage)
  await stage.market.giveRating(publisher, {
    ...{ taskId, direction: 'publisher_rates_executor', score: 80, comment: null },
    ...{ workerWallet: worker.wallet, agentId: null, proofTx: null },
  })
  stage.clock.advance(3_600_000)
})
afterAll(() => stack.disposeAsync())

const later = (ms: number): Date => new Date(stage.clock.now().getTime() + ms)

type Take = (store: Store, network: string, now: Date, until: Date) => Promise<readonly unknown[]>
const openOrders = `update settlements set status = 'claimed', due_at = '-infinity', proof_due_at = '-infinity'`
/** Each makes something due first. */
const taken: readonly (readonly [what: string, due: string, take: Take])[] = [
  ['settlements', openOrders, (store, network, now, until) => store.leaseSettlements(network, now, until, until, 9)],
  [
    'signatures that were given up',
    `update settlements set status = 'refused', watch_until = now(), due_at = '-infinity'`,
    (store, network, now, until) => store.leaseWatched(network, now, until, 9),
  ],
  [
    'payments to be proven',
    `update settlements set status = 'confirmed', tx_hash = '0x1', proof_due_at = '-infinity'`,
    (store, network, now, until) => store.leaseProofs(network, now, until, now, 9),
  ],
  [
    'escrows to be compared',
    `update escrows set audit_due_at = '-infinity'`,
    (store, network, now, until) => store.leaseEscrowAudits(network, now, until, 9),
  ],
  [
    'ratings to be relayed',
    `update ratings set status = 'due', due_at = '-infinity'`,
    (store, network, now, until) => store.leaseRatings(network, now, until, 9),
  ],
  [
    'ratings on their way',
    `update ratings set status = 'sending', sent_at = '-infinity', lands_until = now(), audit_due_at = '-infinity'`,
    (store, network, now, until) => store.leaseSentRatings(network, now, until, now, 9),
  ],
  [
    'ratings to be looked at',
    `update ratings set status = 'confirmed', audit_due_at = '-infinity'`,
    (store, network, now, until) => store.leaseRatingAudits(network, now, until, 9),
  ],
  [
    'identities',
    `update identities set check_at = '-infinity'`,
    (store, network, now, until) => store.leaseIdentities(network, now, until, 9),
  ],
  [
    'tasks whose deadline passed',
    `update tasks set deadline = '-infinity', status = 'published'; update settlements set status = 'confirmed'`,
    (store, network, now) => store.dueTasks(network, now, 9),
  ],
  [
    'timers',
    `insert into task_timers (task_id, kind, due_at) select id, 'outcome', '-infinity' from tasks`,
    (store, network, now, until) => store.leaseTimers(network, now, until, 9),
  ],
  [
    'fees',
    `update tasks set payment_block = 1, fee_tx = null, escrow_status = 'released'`,
    (store, network) => store.owedFees(network, 9),
  ],
  [
    'cash-outs',
    `insert into cash_outs select gen_random_uuid(), '0x1', 'localnet', 'USDC', 6, 't', '0x2', 1, 1, '0x3', '0x4',
      'claimed', null, null, 0, now(), '-infinity', now(), now()`,
    (store, network, now, until) => store.leaseCashOuts(network, now, until, until, 9),
  ],
]
test.each(taken)('%s are taken by whoever asks for their network', async (_what, due, take) => {
  await stage.pool.query(due)
  const round = (network: string) => take(stage.store, network, stage.clock.now(), later(60_000))
  expect(await round('sick')).toEqual([])
  expect(await round('localnet')).not.toEqual([])
})

test('what waits for too long is told of each network, however much waits on one', async () => {
  const { pool, store } = stage
  await pool.query(openOrders)
  // As many on the sick network, older than what waits on the other.
  await pool.query(`insert into settlements (id, task_id, purpose, subject, order_json, status, must_land, due_at,
      created_at, updated_at)
    select gen_random_uuid(), task_id, 'stray', 'sick ' || n,
      jsonb_set(order_json, '{payment,network}', '"sick"'), 'claimed', true, due_at, '2020-01-01', updated_at
    from settlements, generate_series(1, 3) n where purpose = 'lock'`)
  const networks = (await store.stuckSettlements(later(0), 1)).map(({ order }) =>
    order.kind === 'charge' ? order.transfer.network : order.payment.network,
  )
  expect(networks.toSorted()).toEqual(['localnet', 'sick'])
  await pool.query(`update ratings set status = 'due', written_at = now() - interval '1 day'`)
  await pool.query(`create temp table copied as select * from ratings;
    update copied set id = gen_random_uuid(), direction = direction || '?',
      terms = jsonb_set(terms, '{network}', '"sick"'), sent_at = '2020-01-01';
    insert into ratings select * from copied`)
  const rated = (await store.stuckRatings(later(0), 1)).map(({ terms }) => terms.network)
  expect(rated.toSorted()).toEqual(['localnet', 'sick'])
})

test('a confirmed payment without a transaction is told of each network', async () => {
  await using other = await openStage()
  const ids: string[] = []
  for (const network of ['localnet', 'sick', 'sick']) {
    const { task } = await other.market.publish(publisher, gateTask())
    ids.push(task.id)
    await other.pool.query(
      `update tasks set network = $2, payment_block = $3, escrow_status = 'released', updated_at = '2020-01-01'
        where id = $1`,
      [task.id, network, network === 'sick' ? 1 : 9],
    )
  }
  const unnamed = await other.store.unnamedPayments(other.clock.now(), 1)
  expect(unnamed.map(({ taskId }) => taskId)).toEqual(expect.arrayContaining([ids[0]]))
  expect(unnamed.map(({ network }) => network).toSorted()).toEqual(['localnet', 'sick'])
})

test('a refund on one network goes back while a hundred wait for a chain that never answers', async () => {
  await using own = await openStage()
  const never = (): Promise<never> => new Promise(() => undefined)
  // Like a node and a facilitator that take the call and say nothing.
  const silent = new Proxy({} as Rail, { get: () => never })
  const deps: MarketDeps = {
    ...own.deps,
    networks: [localnet, sick],
    rails: (network) => (network === 'sick' ? silent : own.deps.rails(network)),
  }
  const market = createMarket(deps)
  const { taskId } = await submittedJob(own)
  await own.pool.query(
    `insert into settlements (id, task_id, purpose, subject, order_json, status, must_land, due_at, created_at,
        updated_at)
      select gen_random_uuid(), task_id, 'stray', 'sick ' || n, jsonb_set(order_json, '{payment,network}', '"sick"'),
        'claimed', true, '-infinity', created_at, updated_at
      from settlements, generate_series(1, 100) n where purpose = 'lock'`,
  )
  own.clock.advance(25 * 3_600_000)
  void market.duties.reconcile(['sick'])
  expect(await market.duties.expire(['localnet'])).toBe(1)
  // The claim of the refund is given up as a crash would, and the duty takes it up past a hundred older ones.
  await own.pool.query(`update settlements set status = 'claimed', due_at = '2026-11-21' where purpose = 'refund'`)
  await own.pool.query(`update tasks set escrow_status = 'authorized', refund_tx = null where id = $1`, [taskId])
  expect(await market.duties.reconcile(['localnet'])).toBe(1)
})
