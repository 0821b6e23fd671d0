import type { MoneyFindingKind } from '@ergon/contract'
import { createMarket, type MoneyFinding } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** A round of the comparison, when it is due again. */
async function audit(stage: Stage, market = stage.market): Promise<readonly MoneyFinding[]> {
  stage.clock.advance(minute)
  await market.duties.auditMoney()
  await market.duties.auditRatings()
  return market.unresolvedFindings(100)
}

const kinds = (found: readonly MoneyFinding[]): readonly MoneyFindingKind[] =>
  [...new Set(found.map(({ kind }) => kind))].toSorted()

async function assignedJob(stage: Stage) {
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  const payment = await stage.store.escrowPayment(job.taskId)
  if (payment === null) throw new Error('an assigned job has its payment')
  return { ...job, payment }
}

async function paidJob(stage: Stage) {
  const job = await submittedJob(stage)
  await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
  await untilQuiet(stage)
  return job
}

test('a whole job leaves nothing to find, and the round says when it ran', async () => {
  await using stage = await openStage()
  expect((await stage.market.moneyFindings()).lastRun).toBeNull()
  await paidJob(stage)
  await assignedJob(stage)
  expect(await audit(stage)).toEqual([])
  expect(await stage.market.moneyFindings()).toEqual({
    counts: {
      expired: 0,
      stuck: 0,
      orphaned: 0,
      unnamed: 0,
      mismatch: 0,
      reorged: 0,
      rating_hash: 0,
      unclaimed: 0,
      behind: 0,
    },
    byNetwork: [],
    unresolved: 0,
    oldest: null,
    lastRun: stage.clock.now(),
  })
})

test('of several processes one makes the round', async () => {
  await using stage = await openStage()
  await assignedJob(stage)
  let reads = 0
  const counted = createMarket({
    ...stage.deps,
    rails: () => ({
      ...stage.chain.rail,
      escrowState: (payment) => {
        reads += 1
        return stage.chain.rail.escrowState(payment)
      },
    }),
  })
  await Promise.all(Array.from({ length: 8 }, () => counted.duties.auditMoney()))
  expect(reads).toBe(1)
})

test('expired: money is held after the window closed, and the payer is named who may reclaim it', async () => {
  await using stage = await openStage()
  const { taskId, payment } = await assignedJob(stage)
  stage.clock.advance(31 * day)
  const found = await audit(stage)
  expect(found).toMatchObject([{ kind: 'expired', taskId, amount: { atomic: 10_000_000n } }])
  expect(found[0]?.detail).toContain(
    `${publisher.wallet} may reclaim since ${new Date(payment.authorizationExpiry * 1_000).toISOString()}`,
  )
  await stage.market.duties.expire()
  expect(await audit(stage)).toEqual([])
})

test('what was found of a payment is over with it: its worker stepped down, and the money went back', async () => {
  await using stage = await openStage()
  const { taskId } = await assignedJob(stage)
  stage.clock.advance(31 * day)
  expect(kinds(await audit(stage))).toEqual(['expired'])
  await stage.market.withdraw(worker, taskId, null)
  await untilQuiet(stage)
  expect(await audit(stage)).toEqual([])
})

describe('stuck', () => {
  test('a settlement nobody could finish for five minutes is stuck until it is finished', async () => {
    await using stage = await openStage()
    const job = await submittedJob(stage)
    stage.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    expect(await audit(stage)).toEqual([])
    stage.clock.advance(5 * minute)
    expect(await audit(stage)).toMatchObject([{ kind: 'stuck', taskId: job.taskId, amount: { atomic: 10_000_000n } }])
    stage.chain.fault = () => 'none'
    await untilQuiet(stage)
    expect(await audit(stage)).toEqual([])
  })

  test('a task that is refunding without a refund under way is stuck', async () => {
    await using stage = await openStage()
    const { taskId } = await assignedJob(stage)
    await stage.pool.query("update tasks set escrow_status = 'refunding' where id = $1", [taskId])
    stage.clock.advance(5 * minute)
    expect(await audit(stage)).toMatchObject([{ kind: 'stuck', taskId }])
  })
})

describe('orphaned', () => {
  test('the chain holds money the ledger does not know', async () => {
    await using stage = await openStage()
    const { taskId, payment } = await assignedJob(stage)
    await stage.market.cancel(publisher, taskId, null)
    stage.chain.tamper(payment, 3n)
    expect(await audit(stage)).toMatchObject([{ kind: 'orphaned', taskId, amount: { atomic: 3n } }])
    stage.chain.tamper(payment, -3n)
    expect(await audit(stage)).toEqual([])
  })

  test('the ledger says held and the chain holds none: reclaimed past us while the work goes on', async () => {
    await using stage = await openStage()
    const { taskId, payment } = await assignedJob(stage)
    stage.chain.reclaim(payment.hash)
    expect(await audit(stage)).toMatchObject([
      { kind: 'orphaned', taskId, amount: { atomic: 10_000_000n } },
      { kind: 'mismatch', subject: 'escrow', taskId: null },
    ])
  })
})

test('unnamed: a confirmed payment without a transaction, and a fee without one after an hour', async () => {
  await using stage = await openStage()
  const paid = await paidJob(stage)
  await stage.pool.query("update settlements set tx_hash = null where task_id = $1 and purpose = 'release'", [
    paid.taskId,
  ])
  expect(await audit(stage)).toMatchObject([{ kind: 'unnamed', taskId: paid.taskId }])
  await stage.pool.query('update tasks set fee_tx = null where id = $1', [paid.taskId])
  stage.clock.advance(61 * minute)
  expect((await audit(stage)).map(({ detail }) => detail)).toEqual([
    'the release is confirmed without a transaction',
    'the fee has no transaction',
  ])
})

describe('mismatch', () => {
  test('a payment holds another amount than the ledger says', async () => {
    await using stage = await openStage()
    const { taskId, payment } = await assignedJob(stage)
    stage.chain.tamper(payment, 5n)
    expect(await audit(stage)).toMatchObject([{ kind: 'mismatch', taskId, amount: { atomic: 5n } }])
  })

  test('the escrow and the operator hold less than all payments together say', async () => {
    await using stage = await openStage()
    const { payment } = await assignedJob(stage)
    stage.chain.tamper(payment, -1n)
    expect((await audit(stage)).map(({ subject }) => subject).toSorted()).toEqual([payment.hash, 'escrow'].toSorted())
  })

  test('the operator holds less than the ledger says, though a sweep is always under way', async () => {
    await using stage = await openStage()
    await paidJob(stage)
    stage.clock.advance(20 * minute)
    await stage.pool.query(
      `insert into ledger (journal, task_id, network, token, account, amount_atomic, at)
        select j.id, null, l.network, l.token, a.account, a.atomic, min(l.at)
          from ledger l, (select gen_random_uuid() as id) j,
            (values ('operator', 7), ('treasury', -7)) a (account, atomic)
          group by j.id, l.network, l.token, a.account, a.atomic`,
    )
    const sweep = (status: string) =>
      stage.pool.query(
        `insert into sweeps (id, network, token, decimals, key, status, due_at, updated_at)
          select gen_random_uuid(), network, token, decimals, gen_random_uuid()::text, $1, $2, $2 from sweeps limit 1`,
        [status, stage.clock.now()],
      )
    await sweep('open')
    // It may have moved them: nobody has looked since they came.
    expect(await audit(stage)).toEqual([])
    await sweep('empty')
    stage.clock.advance(10 * minute)
    expect(await audit(stage)).toMatchObject([{ kind: 'mismatch', subject: 'operator', amount: { atomic: 7n } }])
  })

  test('a transaction shows something else than what was booked', async () => {
    await using stage = await openStage()
    const one = await assignedJob(stage)
    const other = await assignedJob(stage)
    await stage.pool.query(
      'update settlements set tx_hash = (select tx_hash from settlements where task_id = $2) where task_id = $1',
      [one.taskId, other.taskId],
    )
    expect(await audit(stage)).toMatchObject([{ kind: 'mismatch', taskId: one.taskId }])
  })
})

test('reorged: a named transaction is no longer on chain', async () => {
  await using stage = await openStage()
  const { taskId } = await paidJob(stage)
  expect(await audit(stage)).toEqual([])
  const { paymentTx } = await stage.market.readTask(publisher, taskId)
  stage.chain.forget(String(paymentTx))
  stage.clock.advance(11 * minute)
  expect(await audit(stage)).toMatchObject([{ kind: 'reorged', taskId, subject: paymentTx }])
})

test('a chain that cannot be read is no finding, and resolves none', async () => {
  await using stage = await openStage()
  const { payment } = await assignedJob(stage)
  stage.chain.tamper(payment, 5n)
  expect(kinds(await audit(stage))).toEqual(['mismatch'])
  stage.chain.tamper(payment, -5n)
  stage.chain.fault = () => 'unreadable'
  expect(kinds(await audit(stage))).toEqual(['mismatch'])
  stage.chain.fault = () => 'none'
  expect(await audit(stage)).toEqual([])
})

describe('what is certain and ours is mended by the flow that exists', () => {
  test('an expired task that holds money gets its refund', async () => {
    await using stage = await openStage()
    const { taskId } = await assignedJob(stage)
    const before = stage.chain.balance(publisher.wallet)
    await stage.pool.query("update tasks set status = 'expired' where id = $1", [taskId])
    expect(await audit(stage)).toEqual([])
    expect(stage.chain.balance(publisher.wallet) - before).toBe(10_000_000n)
    expect(await stage.market.readTask(publisher, taskId)).toMatchObject({
      status: 'expired',
      escrowStatus: 'refunded',
    })
  })

  test('a settlement the chain has finished is confirmed before its retry is due', async () => {
    await using stage = await openStage()
    const job = await submittedJob(stage)
    stage.chain.fault = (method) => (method === 'send' ? 'lost after' : 'none')
    const input = await approval(stage, job.submissionId)
    await stage.market.approve(publisher, job.submissionId, input)
    await stage.pool.query("update settlements set due_at = 'infinity' where task_id = $1 and purpose = 'release'", [
      job.taskId,
    ])
    expect(await audit(stage)).toEqual([])
    expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('completed')
  })

  test('an expired task whose payer reclaimed past us is booked as taken back, once', async () => {
    await using stage = await openStage()
    const { taskId, payment } = await assignedJob(stage)
    await stage.pool.query("update tasks set status = 'expired' where id = $1", [taskId])
    stage.chain.reclaim(payment.hash)
    for (let round = 0; round < 11; round += 1) await audit(stage)
    expect(await audit(stage)).toEqual([])
    expect((await stage.market.readTask(publisher, taskId)).escrowStatus).toBe('refunded')
  })
})

describe('ratings', () => {
  async function rated(stage: Stage, crash: 'before' | 'after') {
    const { taskId } = await paidJob(stage)
    const terms = await stage.market.prepareRating(publisher, {
      taskId,
      direction: 'publisher_rates_executor',
      score: 80,
      comment: null,
    })
    const submission = { ...terms, signature: '0x', rater: publisher.wallet }
    const dying = createMarket({
      ...stage.deps,
      ratings: {
        ...stage.deps.ratings,
        relay: async (rating, key) => {
          if (crash === 'after') await stage.deps.ratings.relay(rating, key)
          throw new Error('the process ends here')
        },
      },
    })
    await expect(dying.submitRating(publisher, submission)).rejects.toThrow('ends here')
    return { taskId, submission }
  }
  const status = async (stage: Stage, taskId: string) =>
    (await stage.store.rating(taskId, 'publisher_rates_executor'))?.status

  test('one that landed before the crash is confirmed from the registry', async () => {
    await using stage = await openStage()
    const { taskId } = await rated(stage, 'after')
    expect(await status(stage, taskId)).toBe('sending')
    expect(await audit(stage)).toEqual([])
    expect(await status(stage, taskId)).toBe('confirmed')
  })

  test('one that never landed may be prepared anew once what was signed can land no more', async () => {
    await using stage = await openStage()
    const { taskId } = await rated(stage, 'before')
    await audit(stage)
    expect(await status(stage, taskId)).toBe('sending')
    stage.clock.advance(20 * minute)
    await audit(stage)
    expect(await status(stage, taskId)).toBe('prepared')
    await stage.market.prepareRating(publisher, {
      taskId,
      direction: 'publisher_rates_executor',
      score: 70,
      comment: null,
    })
  })

  test('rating_hash: the document of a confirmed rating hashes to what the registry holds', async () => {
    await using stage = await openStage()
    const { taskId } = await rated(stage, 'after')
    expect(await audit(stage)).toEqual([])
    await stage.pool.query(
      "update ratings set document = document || 'x'::bytea, audit_due_at = '-infinity' where task_id = $1",
      [taskId],
    )
    expect(await audit(stage)).toMatchObject([{ kind: 'rating_hash', taskId }])
    await stage.pool.query(
      'update ratings set document = substring(document from 1 for length(document) - 1) where task_id = $1',
      [taskId],
    )
    expect(await audit(stage)).toEqual([])
  })
})

test('the worker is known by the history it has with a publisher', async () => {
  await using stage = await openStage()
  const job = await paidJob(stage)
  const ofPublisher = await stage.market.correlations(publisher, [job.executorId])
  expect(ofPublisher.get(job.executorId)).toEqual({
    tasksTogether: 1,
    totalCompleted: 1,
    distinctPublishers: 1,
    concentration: 1,
    flagged: false,
  })
  expect((await stage.market.correlations(worker, [job.executorId])).get(job.executorId)).toMatchObject({
    tasksTogether: 0,
    concentration: 0,
    flagged: false,
  })
})
