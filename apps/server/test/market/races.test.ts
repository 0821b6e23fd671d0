import { createPool, createNonceStore, createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { createMarket } from '@ergon/core'
import { createTestIds } from '@ergon/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  gateTask,
  ledgerDisagreements,
  openStage,
  paymentEventsOf,
  publisher,
  type Stage,
  submittedJob,
  untilQuiet,
  worker,
} from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new RangeError(`no element ${String(index)}`)
  return found
}

async function race<T>(count: number, start: (index: number) => Promise<T>) {
  const results = await Promise.allSettled(Array.from({ length: count }, (_, index) => start(index)))
  return {
    won: results.filter((one) => one.status === 'fulfilled').length,
    codes: new Set(
      results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code?: string }).code] : [])),
    ),
  }
}

test('of ten assigns one locks', async () => {
  const job = await appliedJob(stage)
  const before = stage.chain.balance(publisher.wallet)
  const { won, codes } = await race(10, () => assignJob(stage, job))
  expect(won).toBe(1)
  expect([...codes].every((code) => code === 'ESCROW_NOT_ASSIGNABLE' || code === 'TASK_NOT_ASSIGNABLE')).toBe(true)
  expect(before - stage.chain.balance(publisher.wallet)).toBe(10_000_000n)
})

test('of ten approves one pays, though each carries a release order of its own', async () => {
  const job = await submittedJob(stage)
  const inputs = await Promise.all(Array.from({ length: 10 }, () => approval(stage, job.submissionId)))
  const before = stage.chain.balance(worker.wallet)
  const { won, codes } = await race(10, (index) => stage.market.approve(publisher, job.submissionId, at(inputs, index)))
  expect(won).toBe(1)
  expect([...codes].every((code) => code === 'APPROVAL_IN_FLIGHT' || code === 'ESCROW_NOT_RELEASABLE')).toBe(true)
  expect(stage.chain.balance(worker.wallet) - before).toBe(8_700_000n)
})

test('twice as many rated approvals at once as there are connections do not wait for each other', async () => {
  const jobs = []
  for (let count = 0; count < 20; count += 1) jobs.push(await submittedJob(stage))
  const inputs = await Promise.all(jobs.map((job) => approval(stage, job.submissionId)))
  const outcomes = await Promise.all(
    jobs.map((job, index) => stage.market.approve(publisher, job.submissionId, { ...at(inputs, index), rating: 80 })),
  )
  expect(outcomes.map(({ state }) => state)).toEqual(jobs.map(() => 'approved'))
  const relayed: number[] = []
  while (relayed.at(-1) !== 0) relayed.push(await stage.market.duties.relayRatings())
  expect(relayed.reduce((sum, one) => sum + one, 0)).toBe(20)
})

test('approve and expire: the money goes one way', async () => {
  for (let round = 0; round < 5; round += 1) {
    const job = await submittedJob(stage)
    const input = await approval(stage, job.submissionId)
    stage.clock.advance(25 * 3_600_000)
    await Promise.allSettled([stage.market.approve(publisher, job.submissionId, input), stage.market.duties.expire()])
    await untilQuiet(stage)
    await stage.market.duties.expire()
    const task = await stage.market.readTask(publisher, job.taskId)
    expect(['completed/released', 'expired/refunded']).toContain(`${task.status}/${task.escrowStatus}`)
    expect(await ledgerDisagreements(stage)).toEqual([])
  }
})

test('cancel and submit: a refund in flight closes the door', async () => {
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  await Promise.allSettled([
    stage.market.cancel(publisher, job.taskId, null),
    stage.market.submit(worker, job.taskId, {
      executorId: null,
      evidence: { text_response: 'done' },
      notes: null,
      deviceMetadata: null,
    }),
  ])
  await untilQuiet(stage)
  const task = await stage.market.readTask(publisher, job.taskId)
  expect(['cancelled/refunded', 'verifying/authorized']).toContain(`${task.status}/${task.escrowStatus}`)
  expect(await ledgerDisagreements(stage)).toEqual([])
})

test.each(['first', 'second'] as const)(
  'a cancellation that an assignment overtakes refunds what the %s attempt locked',
  async (attempt) => {
    const job = await appliedJob(stage)
    if (attempt === 'second') {
      stage.chain.fault = (method) => (method === 'send' ? 'refused' : 'none')
      await expect(assignJob(stage, job)).rejects.toThrow()
      stage.chain.fault = () => 'none'
    }
    const again =
      attempt === 'first'
        ? job
        : {
            ...job,
            paymentAuth: JSON.stringify(
              (await stage.market.assignChallenge(publisher, job.taskId, job.executorId)).envelope,
            ),
          }
    const before = stage.chain.balance(publisher.wallet)
    // The first transaction of the cancellation waits until the assignment is done, as it does when every connection is
    // busy.
    let overtaken = false
    const store = new Proxy(stage.store, {
      get(target, name, receiver): unknown {
        const member: unknown = Reflect.get(target, name, receiver)
        if (name !== 'transaction' || typeof member !== 'function' || overtaken) return member
        overtaken = true
        return async (...args: unknown[]): Promise<unknown> => {
          await assignJob(stage, again)
          return Reflect.apply(member, target, args)
        }
      },
    })
    await createMarket({ ...stage.deps, store, ids: createTestIds(attempt === 'first' ? 3 : 4) }).cancel(
      publisher,
      job.taskId,
      null,
    )
    await untilQuiet(stage)
    const task = await stage.market.readTask(publisher, job.taskId)
    expect(`${task.status}/${task.escrowStatus}`).toBe('cancelled/refunded')
    expect(stage.chain.balance(publisher.wallet)).toBe(before)
    expect(await ledgerDisagreements(stage)).toEqual([])
  },
)

test('of ten applications by one worker one is recorded', async () => {
  const { task } = await stage.market.publish(
    publisher,
    gateTask({ category: 'research', bountyUsd: '1', deadlineHours: 1 }),
  )
  const { won, codes } = await race(10, () => stage.market.apply(worker, task.id, { executorId: null, message: null }))
  expect([won, [...codes]]).toEqual([1, ['already_applied']])
})

test('of ten publishes under one idempotency key one task comes into being', async () => {
  const published = await Promise.all(
    Array.from({ length: 10 }, () =>
      stage.market.publish(
        publisher,
        gateTask({
          category: 'research',
          bountyUsd: '1',
          deadlineHours: 1,
          idempotency: { key: 'race', bodyHash: 'x' },
        }),
      ),
    ),
  )
  expect(new Set(published.map(({ task }) => task.id)).size).toBe(1)
})

/** A database that never went back. */
const steady = { wentBackAt: () => null }

test('one nonce ten times, over two processes: one is fresh', async () => {
  const other = createPool(stage.databaseUrl)
  const stores = [createNonceStore(stage.pool, steady), createNonceStore(other, steady)]
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => at(stores, index % 2).consume('31337:0xabc:nonce', 2_000_000_000)),
  )
  await other.end()
  expect(answers.filter(Boolean)).toHaveLength(1)
})

test('a nonce is forgotten by the clock of the database, a quarter of an hour after its signature expired', async () => {
  const nonces = createNonceStore(stage.pool, steady)
  const { rows } = await stage.pool.query<{ now: number }>('select extract(epoch from now())::float8 as now')
  const now = rows[0]?.now ?? 0
  const ages = [1_200, 1_000, 600, 0, -60]
  for (const age of ages) expect(await nonces.consume(`aged ${String(age)}`, now - age)).toBe(true)
  expect([await nonces.purge(1), await nonces.purge(10), await nonces.purge(10)]).toEqual([1, 1, 0])
  const again = await Promise.all(ages.map((age) => nonces.consume(`aged ${String(age)}`, now - age)))
  expect(again).toEqual([true, true, false, false, false])
})

test('two processes that name the same fee record it once', async () => {
  const other = createPool(stage.databaseUrl)
  const twin = createMarket({
    ...stage.deps,
    store: createPostgresStore(other, { identityNetwork: 'localnet' }),
    ids: createTestIds(9),
  })
  const job = await submittedJob(stage)
  await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
  for (let round = 0; round < 4; round += 1)
    await Promise.all([stage.market.duties.disburseFees(), twin.duties.disburseFees()])
  await other.end()
  const fees = (await paymentEventsOf(stage, job.taskId)).filter(({ type }) => type === 'disburse_fee')
  expect(fees.map(({ status }) => status)).toEqual(['success'])
  expect(await ledgerDisagreements(stage)).toEqual([])
})

test('two reconcilers share the due settlements and pay once', async () => {
  const other = createPool(stage.databaseUrl)
  const twin = createMarket({
    ...stage.deps,
    store: createPostgresStore(other, { identityNetwork: 'localnet' }),
    ids: createTestIds(2),
  })
  const before = stage.chain.balance(worker.wallet)
  stage.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
  for (let count = 0; count < 5; count += 1) {
    const job = await submittedJobWhileLost(stage)
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
  }
  stage.chain.fault = () => 'none'
  stage.clock.advance(400_000)
  const done = await Promise.all([stage.market.duties.reconcile(), twin.duties.reconcile()])
  await other.end()
  expect(done[0] + done[1]).toBe(5)
  expect(stage.chain.balance(worker.wallet) - before).toBe(5n * 8_700_000n)
})

async function submittedJobWhileLost(current: Stage) {
  const fault = current.chain.fault
  current.chain.fault = () => 'none'
  const job = await submittedJob(current)
  current.chain.fault = fault
  return job
}
