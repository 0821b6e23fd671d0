import { createMarket, type Movement } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  ledgerDisagreements,
  openStage,
  paymentEventsOf,
  publisher,
  type Stage,
  submittedJob,
  untilQuiet,
  worker,
} from './stage.ts'

/** The books follow what the chain says on its own (decision 0083). */

const minute = 60_000

/** A stage whose chain is followed from its first block on. */
async function followed(mode: 'fase1' | 'fase2' = 'fase2'): Promise<Stage> {
  const stage = await openStage(mode)
  stage.chain.now = () => stage.clock.now()
  await stage.market.duties.followChains()
  return stage
}

async function assigned(stage: Stage) {
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  const payment = await stage.store.escrowPayment(job.taskId)
  if (payment === null) throw new Error('an assigned job has its payment')
  return { ...job, payment }
}

/** A lock that was given up, whose signature is used after that. */
async function lockedAllTheSame(stage: Stage): Promise<void> {
  const job = await appliedJob(stage)
  stage.chain.fault = (method) => (method === 'send' ? 'refused' : 'none')
  await expect(assignJob(stage, job)).rejects.toMatchObject({ code: 'LOCK_REVERTED' })
  stage.chain.fault = () => 'none'
  const {
    rows: [row],
  } = await stage.pool.query<{ hash: string }>(
    "select order_json->'payment'->>'hash' as hash from settlements where task_id = $1",
    [job.taskId],
  )
  stage.chain.authorize({ hash: row?.hash ?? '', payer: publisher.wallet, receiver: worker.wallet }, 10_000_000n)
}

async function follow(stage: Stage): Promise<void> {
  for (let rounds = 0; (await stage.market.duties.followChains()) > 0; rounds += 1)
    if (rounds > 20) throw new Error('the chain is never caught up with')
}

const findings = async (stage: Stage) =>
  (await stage.market.unresolvedFindings(20)).map(({ kind, taskId, subject }) => ({ kind, taskId, subject }))
const eventsOf = async (stage: Stage, taskId: string) =>
  (await paymentEventsOf(stage, taskId)).map(({ type, status, txHash }) => ({ type, status, txHash }))

test('a whole market that only we moved gives nothing to book', async () => {
  await using stage = await followed()
  const job = await submittedJob(stage)
  await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
  const cancelled = await assigned(stage)
  await stage.market.cancel(publisher, cancelled.taskId, null)
  await untilQuiet(stage)
  const before = await stage.pool.query('select count(*) from ledger')
  await follow(stage)
  expect((await stage.pool.query('select count(*) from ledger')).rows).toEqual(before.rows)
  expect([await findings(stage), await ledgerDisagreements(stage)]).toEqual([[], []])
})

describe('what moved past us is booked with its own transaction', () => {
  test('part of a payment that its payer paid out, while nobody asked', async () => {
    await using stage = await followed()
    const { taskId, payment } = await assigned(stage)
    stage.chain.capture(payment.hash, 3_000_000n)
    expect(await ledgerDisagreements(stage)).not.toEqual([])
    await follow(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
    expect(await eventsOf(stage, taskId)).toContainEqual({
      type: 'disburse_worker',
      status: 'success',
      txHash: stage.chain.movements.at(-1)?.txHash,
    })
    await follow(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('all of it taken back under the work: booked, and a finding that the work goes on without money', async () => {
    await using stage = await followed()
    const { taskId, payment } = await assigned(stage)
    stage.chain.reclaim(payment.hash)
    await follow(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
    stage.clock.advance(minute)
    await stage.market.duties.auditMoney()
    expect(await findings(stage)).toEqual([{ kind: 'orphaned', taskId, subject: payment.hash }])
    await stage.market.cancel(publisher, taskId, null)
    await untilQuiet(stage)
    stage.clock.advance(minute)
    await stage.market.duties.auditMoney()
    expect([await findings(stage), await ledgerDisagreements(stage)]).toEqual([[], []])
  })

  test('our own release whose answer was lost is confirmed as ours, and told once', async () => {
    await using stage = await followed()
    const job = await submittedJob(stage)
    stage.chain.fault = (method) => (method === 'send' ? 'lost after' : 'none')
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    await follow(stage)
    expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('completed')
    const { rowCount } = await stage.pool.query(
      "select 1 from outbox where type = 'payment.released' and task_id = $1",
      [job.taskId],
    )
    expect([rowCount, await ledgerDisagreements(stage)]).toEqual([1, []])
  })

  test('money locked with a signature we gave up is booked and sent back', async () => {
    await using stage = await followed()
    const before = stage.chain.balance(publisher.wallet)
    await lockedAllTheSame(stage)
    await follow(stage)
    await untilQuiet(stage)
    expect([stage.chain.balance(publisher.wallet), await ledgerDisagreements(stage)]).toEqual([before, []])
  })

  test('a node that does not know yet what another one showed ends nothing: the money goes back once it does', async () => {
    await using stage = await followed()
    const before = stage.chain.balance(publisher.wallet)
    await lockedAllTheSame(stage)
    const { movements } = stage.chain.rail
    Object.assign(stage.chain.rail, { movements: () => Promise.resolve([]) })
    await follow(stage)
    expect(stage.chain.balance(publisher.wallet)).toBeLessThan(before)
    Object.assign(stage.chain.rail, { movements })
    await follow(stage)
    await untilQuiet(stage)
    expect([stage.chain.balance(publisher.wallet), await ledgerDisagreements(stage)]).toEqual([before, []])
  })

  test('fees that another party sent on name the transaction that moved them', async () => {
    await using stage = await followed()
    const job = await submittedJob(stage)
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    stage.chain.sweepOtherwise()
    await follow(stage)
    await stage.market.duties.disburseFees()
    expect((await stage.market.payment(publisher, job.taskId)).feeTx).toMatch(/^0x/)
    expect((await eventsOf(stage, job.taskId)).filter(({ type }) => type === 'disburse_fee')).toMatchObject([
      { status: 'success' },
    ])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('that nothing was there when a sweep was first asked for says nothing of the fees that came since', async () => {
    await using stage = await followed()
    const paid = async () => {
      const job = await submittedJob(stage)
      await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
      return job
    }
    await paid()
    stage.chain.sweepOtherwise()
    stage.chain.fault = (method) => (method === 'sweep' ? 'lost after' : 'none')
    await stage.market.duties.disburseFees()
    stage.chain.fault = () => 'none'
    await follow(stage)
    const later = await paid()
    stage.clock.advance(30 * minute)
    await stage.market.duties.disburseFees()
    expect(await ledgerDisagreements(stage)).toEqual([])
    await untilQuiet(stage)
    const events = await eventsOf(stage, later.taskId)
    expect(events.filter(({ type }) => type === 'disburse_fee')).toMatchObject([
      { status: 'success', txHash: expect.stringMatching(/^0x/) as string },
    ])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('a direct payment that landed after it was given up is booked as the payment', async () => {
    await using stage = await followed('fase1')
    const job = await submittedJob(stage)
    const input = await approval(stage, job.submissionId)
    stage.chain.fault = (method) => (method === 'send' ? 'held' : 'none')
    expect(await stage.market.approve(publisher, job.submissionId, input)).toMatchObject({ state: 'approving' })
    stage.chain.fault = () => 'none'
    stage.chain.deliver()
    await follow(stage)
    expect((await stage.market.readTask(publisher, job.taskId)).status).toBe('completed')
  })
})

describe('a direct payment whose block was undone', () => {
  async function paid(stage: Stage) {
    const job = await submittedJob(stage)
    await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    await untilQuiet(stage)
    await follow(stage)
    const { paymentTx } = await stage.market.readTask(publisher, job.taskId)
    const { feeTx } = await stage.market.payment(publisher, job.taskId)
    return { ...job, paymentTx: String(paymentTx), feeTx: String(feeTx) }
  }
  /** Blocks and minutes go by. */
  async function later(stage: Stage): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      for (let blocks = 0; blocks < 3; blocks += 1) stage.chain.sweepOtherwise()
      stage.clock.advance(minute)
      await follow(stage)
    }
  }

  test('and whose payer withdrew it: unbooked, said to be unpaid, and a finding for good', async () => {
    await using stage = await followed('fase1')
    const { taskId, paymentTx } = await paid(stage)
    stage.chain.withdraw(paymentTx)
    await follow(stage)
    const [finding] = await findings(stage)
    expect(finding).toMatchObject({ kind: 'reorged', taskId })
    expect((await stage.market.readTask(publisher, taskId)).paymentTx).toBe(paymentTx)
    await later(stage)
    expect(await findings(stage)).toMatchObject([{ kind: 'reorged', taskId }])
    expect((await stage.market.readTask(publisher, taskId)).paymentTx).toBeNull()
    expect((await eventsOf(stage, taskId)).at(-1)).toEqual({
      type: 'disburse_worker',
      status: 'failed',
      txHash: paymentTx,
    })
    const { rows } = await stage.pool.query<{ type: string }>(
      'select type from outbox where task_id = $1 order by id desc limit 1',
      [taskId],
    )
    expect(rows).toEqual([{ type: 'payment.failed' }])
    expect(await ledgerDisagreements(stage)).toEqual([])
    await later(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('and whose fee was withdrawn: its publisher owes the fee again', async () => {
    await using stage = await followed('fase1')
    const { taskId, feeTx, paymentTx } = await paid(stage)
    stage.chain.withdraw(feeTx)
    await follow(stage)
    await later(stage)
    expect((await stage.market.payment(publisher, taskId)).feeTx).toBeNull()
    expect((await stage.market.readTask(publisher, taskId)).paymentTx).toBe(paymentTx)
    expect(await stage.store.feeOwedBy(publisher.wallet)).toMatchObject({ taskId })
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('and which another transaction carried: named by that one, and booked once', async () => {
    await using stage = await followed('fase1')
    const { taskId, paymentTx } = await paid(stage)
    const again = stage.chain.carryAgain(paymentTx)
    await follow(stage)
    await later(stage)
    expect((await stage.market.readTask(publisher, taskId)).paymentTx).toBe(again)
    expect(await findings(stage)).toEqual([])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('and whose signature is still good is waited for', async () => {
    await using stage = await followed('fase1')
    const { taskId, paymentTx } = await paid(stage)
    const { rail } = stage.chain
    const blind = createMarket({
      ...stage.deps,
      rails: () => ({
        ...rail,
        find: () => Promise.resolve({ state: 'absent' }),
        logs: { ...rail.logs, window: async (...range) => ({ ...(await rail.logs.window(...range)), spent: [] }) },
      }),
    })
    for (let round = 0; round < 3; round += 1) {
      for (let blocks = 0; blocks < 3; blocks += 1) stage.chain.sweepOtherwise()
      stage.clock.advance(minute)
      await blind.duties.followChains()
    }
    expect((await findings(stage)).map(({ kind }) => kind)).toContain('reorged')
    expect((await stage.market.readTask(publisher, taskId)).paymentTx).toBe(paymentTx)
    await follow(stage)
    expect(await findings(stage)).toEqual([])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})

describe('what belongs to nothing here', () => {
  const stranger = { hash: `0x${'ab'.repeat(32)}`, payer: `0x${'9'.repeat(40)}`, receiver: worker.wallet }

  test('a payment of another user of the operator is theirs', async () => {
    await using stage = await followed()
    stage.chain.fund(stranger.payer, 5n)
    stage.chain.authorize(stranger, 5n)
    await follow(stage)
    expect(await findings(stage)).toEqual([])
  })

  test('one that our own facilitator sent is a finding until its money has left', async () => {
    await using stage = await followed()
    stage.chain.sentByFacilitator = () => true
    stage.chain.fund(stranger.payer, 5n)
    stage.chain.authorize(stranger, 5n)
    await follow(stage)
    expect(await findings(stage)).toEqual([{ kind: 'unclaimed', taskId: null, subject: stranger.hash }])
    stage.chain.reclaim(stranger.hash)
    await follow(stage)
    expect(await findings(stage)).toEqual([])
  })
})

describe('how far it is', () => {
  test('the lag is a figure, and a chain nobody can read is an alarm that ends when it is read again', async () => {
    await using stage = await followed()
    await assigned(stage)
    await follow(stage)
    const head = stage.chain.movements.at(-1)?.blockNumber
    expect(await stage.market.chainLags()).toMatchObject([
      { network: 'localnet', block: head, lagBlocks: 0n, lagSeconds: 0, readAt: stage.clock.now() },
    ])
    stage.chain.fault = () => 'unreadable'
    stage.clock.advance(6 * minute)
    await stage.market.duties.followChains()
    await stage.market.duties.auditMoney()
    expect(await findings(stage)).toEqual([{ kind: 'behind', taskId: null, subject: 'localnet' }])
    stage.chain.fault = () => 'none'
    stage.clock.advance(minute)
    await follow(stage)
    await stage.market.duties.auditMoney()
    expect(await findings(stage)).toEqual([])
  })

  test('several processes share a chain, and each log is booked once', async () => {
    await using stage = await followed()
    const { payment } = await assigned(stage)
    for (let part = 0; part < 5; part += 1) stage.chain.capture(payment.hash, 1_000_000n)
    const markets = Array.from({ length: 6 }, () => createMarket(stage.deps))
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(markets.map((market) => market.duties.followChains()))
      stage.clock.advance(11_000)
    }
    expect(await ledgerDisagreements(stage)).toEqual([])
    const { rows } = await stage.pool.query<{ log: string }>('select tx_hash as log from movements')
    expect(rows.map(({ log }) => log).toSorted()).toEqual(
      stage.chain.movements.map((one: Movement) => one.txHash).toSorted(),
    )
  })

  test('a process that stops in the middle of a window is followed by one that books the rest', async () => {
    await using stage = await followed()
    const jobs = [await assigned(stage), await assigned(stage), await assigned(stage)]
    for (const { payment } of jobs) stage.chain.capture(payment.hash, 2_000_000n)
    let left = 2
    const dying = createMarket({
      ...stage.deps,
      store: {
        ...stage.store,
        transaction: async (work) => {
          if ((left -= 1) < 0) throw new Error('the process ends here')
          return stage.store.transaction(work)
        },
      },
    })
    await expect(dying.duties.followChains()).rejects.toThrow('ends here')
    expect(await ledgerDisagreements(stage)).not.toEqual([])
    stage.clock.advance(11_000)
    await follow(stage)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})

test('a fee is named by the sweep that moved it, also when captures and sweeps share a block', async () => {
  await using stage = await followed()
  const paid = async () => {
    const job = await submittedJob(stage)
    const input = await approval(stage, job.submissionId)
    return { ...job, approve: () => stage.market.approve(publisher, job.submissionId, input) }
  }
  const [first, second] = [await paid(), await paid()]
  stage.chain.isOneBlock = true
  await first.approve()
  stage.chain.sweepOtherwise()
  await second.approve()
  stage.chain.isOneBlock = false
  stage.chain.sweepOtherwise()
  await follow(stage)
  await stage.market.duties.disburseFees()
  const sweeps = (
    await stage.pool.query<{ tx_hash: string }>('select tx_hash from distributions order by block_number, log_index')
  ).rows.map((row) => row.tx_hash)
  const named = await Promise.all(
    [first, second].map(async ({ taskId }) => (await stage.market.payment(publisher, taskId)).feeTx),
  )
  expect([named, new Set(sweeps).size]).toEqual([sweeps, 2])
})
