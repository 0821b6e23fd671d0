import { setTimeout as pause } from 'node:timers/promises'
import { createMarket, type Market } from '@ergon/core'
import { createTestIds } from '@ergon/core/testing'
import { describe, expect, test } from 'vitest'
import { createPool, createPostgresStore } from '../../src/adapters/postgres/index.ts'
import {
  appliedJob,
  approval,
  assignJob,
  findings,
  ledgerDisagreements,
  openStage,
  paymentEventsOf,
  publisher,
  type Stage,
  submittedJob,
  untilQuiet,
  worker,
} from './stage.ts'

/**
 * Unknown is never no (decisions 0081, 0082): what may still come is waited out, and what came all the same is booked
 * or goes back.
 */

const refusedWith = (code: string) => expect.objectContaining({ code }) as Error
const statusOf = async (stage: Stage, taskId: string): Promise<string> =>
  (await stage.market.readTask(publisher, taskId)).status
const onSend = (stage: Stage, fault: ReturnType<Stage['chain']['fault']>): void => {
  stage.chain.fault = (method) => (method === 'send' ? fault : 'none')
}

async function oneRound({ market, clock }: Stage, ms = 1_000): Promise<void> {
  clock.advance(ms)
  await market.duties.reconcile()
  await market.duties.watchRefused()
}

/** A process whose node has not seen what was collected. */
function nodeBehind(stage: Stage): Market {
  const escrowState = () => Promise.resolve({ collected: false, capturable: 0n, refundable: 0n })
  return createMarket({ ...stage.deps, ids: createTestIds(78), rails: () => ({ ...stage.chain.rail, escrowState }) })
}

describe('a claim is given back on proof alone', () => {
  test('a verdict that binds nobody leaves the assignment in doubt until every copy is past its deadline', async () => {
    await using stage = await openStage()
    const job = await appliedJob(stage)
    onSend(stage, 'refused for now')
    expect((await assignJob(stage, job)).state).toBe('assigning')
    await oneRound(stage, 9_000)
    expect(await statusOf(stage, job.taskId)).toBe('assigning')
    await expect(assignJob(stage, job)).rejects.toThrow(refusedWith('ESCROW_NOT_ASSIGNABLE'))
    await oneRound(stage, 31_000)
    expect(await statusOf(stage, job.taskId)).toBe('published')
    expect(stage.chain.deliver()).toBe(0)
    onSend(stage, 'none')
    expect(
      (
        await assignJob(stage, {
          ...job,
          paymentAuth: JSON.stringify(
            (await stage.market.assignChallenge(publisher, job.taskId, job.executorId)).envelope,
          ),
        })
      ).state,
    ).toBe('accepted')
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('a copy that lands while its verdict says no is the assignment', async () => {
    await using stage = await openStage()
    const job = await appliedJob(stage)
    onSend(stage, 'refused late')
    expect((await assignJob(stage, job)).state).toBe('accepted')
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('a copy held in the network beyond its deadline never locks twice', async () => {
    await using stage = await openStage()
    const before = stage.chain.balance(publisher.wallet)
    const job = await appliedJob(stage)
    onSend(stage, 'held')
    expect((await assignJob(stage, job)).state).toBe('assigning')
    onSend(stage, 'refused')
    await untilQuiet(stage)
    expect(await statusOf(stage, job.taskId)).toBe('published')
    onSend(stage, 'none')
    expect(
      (
        await assignJob(stage, {
          ...job,
          paymentAuth: JSON.stringify(
            (await stage.market.assignChallenge(publisher, job.taskId, job.executorId)).envelope,
          ),
        })
      ).state,
    ).toBe('accepted')
    expect(stage.chain.deliver()).toBe(0)
    await untilQuiet(stage)
    expect(before - stage.chain.balance(publisher.wallet)).toBe(10_000_000n)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('a facilitator that is away after it was reached leaves the payment pending, and it is made later, once', async () => {
    await using stage = await openStage()
    const job = await submittedJob(stage)
    const before = stage.chain.balance(worker.wallet)
    onSend(stage, 'unavailable though sent')
    expect(
      await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId)),
    ).toMatchObject({ state: 'approving', paymentTx: null })
    onSend(stage, 'none')
    await untilQuiet(stage)
    expect([await statusOf(stage, job.taskId), stage.chain.balance(worker.wallet) - before]).toEqual([
      'completed',
      8_700_000n,
    ])
  })

  test('in mode fase1 a second approval waits while the first payout may still be made', async () => {
    await using stage = await openStage('fase1')
    const job = await submittedJob(stage)
    const before = stage.chain.balance(worker.wallet)
    onSend(stage, 'refused for now')
    const [first, second] = [await approval(stage, job.submissionId), await approval(stage, job.submissionId)]
    expect((await stage.market.approve(publisher, job.submissionId, first)).state).toBe('approving')
    const isWaiting = refusedWith('APPROVAL_IN_FLIGHT')
    for (let round = 0; round < 5; round += 1) {
      await oneRound(stage, 40_000)
      await expect(stage.market.approve(publisher, job.submissionId, second)).rejects.toThrow(isWaiting)
      await expect(approval(stage, job.submissionId)).rejects.toThrow(isWaiting)
    }
    // The authorization runs out on chain: now it is proven.
    await oneRound(stage, 3_600_000)
    onSend(stage, 'none')
    stage.chain.deliver()
    expect(
      (await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))).state,
    ).toBe('approved')
    await untilQuiet(stage)
    expect(stage.chain.balance(worker.wallet) - before).toBe(8_700_000n)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test.each(['assign', 'approve', 'cancel'] as const)(
    '%s without an answer says pending, and never failed',
    async (what) => {
      await using stage = await openStage()
      const job = what === 'assign' ? await appliedJob(stage) : await submittedJob(stage)
      if (what === 'cancel')
        await stage.market.requestChanges(
          publisher,
          'submissionId' in job ? String(job.submissionId) : '',
          'Again, please.',
        )
      for (const fault of ['lost before', 'unavailable though sent', 'held', 'refused for now'] as const) {
        onSend(stage, fault)
        if (what === 'assign') expect((await assignJob(stage, job)).state).toBe('assigning')
        else if (what === 'approve')
          expect(
            (
              await stage.market.approve(
                publisher,
                'submissionId' in job ? String(job.submissionId) : '',
                await approval(stage, 'submissionId' in job ? String(job.submissionId) : ''),
              )
            ).state,
          ).toBe('approving')
        else break
        break
      }
      expect((await paymentEventsOf(stage, job.taskId)).filter(({ status }) => status === 'failed')).toEqual([])
      onSend(stage, 'none')
      await untilQuiet(stage)
      expect(await ledgerDisagreements(stage)).toEqual([])
    },
  )
})

describe('a signature that was given up stays watched', () => {
  test('what it locks later goes back, and the task is as it was', async () => {
    await using stage = await openStage()
    const before = stage.chain.balance(publisher.wallet)
    const job = await appliedJob(stage)
    onSend(stage, 'refused')
    await expect(assignJob(stage, job)).rejects.toThrow(refusedWith('LOCK_REVERTED'))
    onSend(stage, 'none')
    const { hash } = JSON.parse(job.paymentAuth ?? '') as { hash: string }
    // Whoever has the signature may carry it to the chain.
    stage.chain.authorize({ hash, payer: publisher.wallet, receiver: worker.wallet }, 10_000_000n)
    for (let round = 0; round < 4; round += 1) await oneRound(stage, 10_000)
    expect(stage.chain.balance(publisher.wallet)).toBe(before)
    expect(await statusOf(stage, job.taskId)).toBe('published')
    expect(await ledgerDisagreements(stage)).toEqual([])
    expect(await findings(stage)).toEqual([])
  })

  test('while what it holds is on its way back, it assigns nobody', async () => {
    await using stage = await openStage()
    const before = stage.chain.balance(publisher.wallet)
    const job = await appliedJob(stage)
    onSend(stage, 'refused')
    await expect(assignJob(stage, job)).rejects.toThrow(refusedWith('LOCK_REVERTED'))
    const { hash } = JSON.parse(job.paymentAuth ?? '') as { hash: string }
    stage.chain.authorize({ hash, payer: publisher.wallet, receiver: worker.wallet }, 10_000_000n)
    // The facilitator is away, so its money is still held when the payer sends the signature again.
    onSend(stage, 'unavailable though sent')
    await oneRound(stage, 10_000)
    expect((await stage.pool.query("select status from settlements where purpose = 'stray'")).rows).toEqual([
      { status: 'in_doubt' },
    ])
    await expect(assignJob(stage, job)).rejects.toThrow(refusedWith('LOCK_REVERTED'))
    onSend(stage, 'none')
    for (let round = 0; round < 4; round += 1) await oneRound(stage, 40_000)
    expect([await statusOf(stage, job.taskId), stage.chain.balance(publisher.wallet)]).toEqual(['published', before])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('with another assignment standing, the stray lock goes back and the assignment stays', async () => {
    await using stage = await openStage()
    const before = stage.chain.balance(publisher.wallet)
    const job = await appliedJob(stage)
    onSend(stage, 'refused')
    await expect(assignJob(stage, job)).rejects.toThrow()
    onSend(stage, 'none')
    const again = {
      ...job,
      paymentAuth: JSON.stringify((await stage.market.assignChallenge(publisher, job.taskId, job.executorId)).envelope),
    }
    expect((await assignJob(stage, again)).state).toBe('accepted')
    const { hash } = JSON.parse(job.paymentAuth ?? '') as { hash: string }
    stage.chain.authorize({ hash, payer: publisher.wallet, receiver: worker.wallet }, 10_000_000n)
    for (let round = 0; round < 4; round += 1) await oneRound(stage, 10_000)
    expect(before - stage.chain.balance(publisher.wallet)).toBe(10_000_000n)
    expect(await statusOf(stage, job.taskId)).toBe('accepted')
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('a direct payment that lands after it was given up is the payment', async () => {
    await using stage = await openStage('fase1')
    const job = await submittedJob(stage)
    const before = { worker: stage.chain.balance(worker.wallet), treasury: stage.chain.balance('treasury') }
    const input = await approval(stage, job.submissionId)
    onSend(stage, 'refused')
    await expect(stage.market.approve(publisher, job.submissionId, input)).rejects.toThrow()
    expect(await statusOf(stage, job.taskId)).toBe('verifying')
    onSend(stage, 'none')
    const given = await stage.store.settlement(job.taskId, 'payout')
    if (given === null) throw new Error('the payout was claimed')
    await stage.chain.rail.send(
      { ...given.order, key: 'by another hand' },
      0,
      new Date(stage.clock.now().getTime() + 60_000),
    )
    for (let round = 0; round < 4; round += 1) await oneRound(stage, 10_000)
    await untilQuiet(stage)
    expect(await statusOf(stage, job.taskId)).toBe('completed')
    expect([
      stage.chain.balance(worker.wallet) - before.worker,
      stage.chain.balance('treasury') - before.treasury,
    ]).toEqual([8_700_000n, 1_300_000n])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('a fee that fell with its payout and is carried to the chain by another hand is booked, and the next approval pays as ever', async () => {
    await using stage = await openStage('fase1')
    const job = await submittedJob(stage)
    const before = { worker: stage.chain.balance(worker.wallet), treasury: stage.chain.balance('treasury') }
    onSend(stage, 'refused')
    await expect(
      stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId)),
    ).rejects.toThrow()
    onSend(stage, 'none')
    const fallen = await stage.store.settlement(job.taskId, 'fee')
    if (fallen === null) throw new Error('the fee was claimed with its payout')
    await stage.chain.rail.send(
      { ...fallen.order, key: 'by another hand' },
      0,
      new Date(stage.clock.now().getTime() + 60_000),
    )
    for (let round = 0; round < 4; round += 1) await oneRound(stage, 10_000)
    expect(await ledgerDisagreements(stage)).toEqual([])
    expect(
      (await stage.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))).state,
    ).toBe('approved')
    await untilQuiet(stage)
    expect([
      stage.chain.balance(worker.wallet) - before.worker,
      stage.chain.balance('treasury') - before.treasury,
    ]).toEqual([8_700_000n, 2_600_000n])
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('one that was used in part and has run out before anybody looked again holds nothing of its payer', async () => {
    await using stage = await openStage()
    const before = stage.chain.balance(publisher.wallet)
    const job = await appliedJob(stage)
    onSend(stage, 'lost before')
    expect((await assignJob(stage, job)).state).toBe('assigning')
    const { hash } = JSON.parse(job.paymentAuth ?? '') as { hash: string }
    stage.chain.authorize({ hash, payer: publisher.wallet, receiver: worker.wallet }, 4_000_000n)
    onSend(stage, 'none')
    // Everybody sleeps past the end of the authorization.
    await oneRound(stage, 30 * 3_600_000)
    expect(await statusOf(stage, job.taskId)).toBe('published')
    for (let round = 0; round < 4; round += 1) await oneRound(stage, 10_000)
    expect(stage.chain.balance(publisher.wallet)).toBe(before)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('what was booked of it while its claim was open goes back, though a node that is behind knows nothing of it', async () => {
    await using stage = await openStage()
    await stage.market.duties.followChains()
    const before = stage.chain.balance(publisher.wallet)
    const job = await appliedJob(stage)
    onSend(stage, 'lost before')
    expect((await assignJob(stage, job)).state).toBe('assigning')
    const { hash } = JSON.parse(job.paymentAuth ?? '') as { hash: string }
    stage.chain.authorize({ hash, payer: publisher.wallet, receiver: worker.wallet }, 4_000_000n)
    await stage.market.duties.followChains()
    onSend(stage, 'none')
    stage.clock.advance(2 * 3_600_000)
    await stage.market.duties.reconcile()
    expect(await statusOf(stage, job.taskId)).toBe('published')
    // Its time is over, so this look would be the last.
    await nodeBehind(stage).duties.watchRefused()
    expect(stage.chain.capturable(hash)).toBe(4_000_000n)
    for (let round = 0; round < 4; round += 1) {
      await oneRound(stage, 10_000)
      await stage.market.duties.followChains()
    }
    expect(stage.chain.balance(publisher.wallet)).toBe(before)
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test('one that has run out is watched no more', async () => {
    await using stage = await openStage()
    const job = await appliedJob(stage)
    onSend(stage, 'refused')
    await expect(assignJob(stage, job)).rejects.toThrow()
    const watched = async (): Promise<number> =>
      (await stage.pool.query('select 1 from settlements where watch_until is not null')).rowCount ?? 0
    expect(await watched()).toBe(1)
    await oneRound(stage, 3_700_000)
    expect(await watched()).toBe(0)
  })
})

describe('no settlement waits for a process that is gone', () => {
  /** A process of its own over the same database and chain, whose `send` never comes back. */
  function dying(stage: Stage) {
    const pool = createPool(stage.databaseUrl)
    const market = createMarket({
      ...stage.deps,
      ids: createTestIds(77),
      store: createPostgresStore(pool, { identityNetwork: 'localnet' }),
      rails: () => ({ ...stage.chain.rail, send: () => new Promise(() => undefined) }),
    })
    return { market, [Symbol.asyncDispose]: () => pool.end() }
  }

  test('another takes it over within ten seconds', async () => {
    await using stage = await openStage()
    await using gone = dying(stage)
    const job = await submittedJob(stage)
    const input = await approval(stage, job.submissionId)
    void gone.market.approve(publisher, job.submissionId, input)
    await until(async () => (await stage.market.paymentsHealth()).inFlight === 1)
    await oneRound(stage, 7_000)
    expect(await statusOf(stage, job.taskId)).toBe('verifying')
    await oneRound(stage, 2_000)
    expect(await statusOf(stage, job.taskId)).toBe('completed')
  })

  test('one that is alive keeps what it works on, however long the chain takes', async () => {
    await using stage = await openStage()
    await using slow = dying(stage)
    const job = await submittedJob(stage)
    void slow.market.approve(publisher, job.submissionId, await approval(stage, job.submissionId))
    await until(async () => (await stage.market.paymentsHealth()).inFlight === 1)
    for (let round = 0; round < 10; round += 1) {
      stage.clock.advance(2_500)
      expect(await slow.market.duties.renewLeases()).toBe(1)
      expect(await stage.market.duties.reconcile()).toBe(0)
    }
    expect((await stage.store.settlement(job.taskId, 'release'))?.attempts).toBe(0)
    // It falls silent, and eight seconds later it is another's.
    await oneRound(stage, 8_000)
    expect(await statusOf(stage, job.taskId)).toBe('completed')
    expect(await slow.market.duties.renewLeases()).toBe(0)
  })
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 20_000; !(await isSo()); await pause(5)) {
    if (performance.now() > deadline) throw new Error('it did not come to be')
  }
}
