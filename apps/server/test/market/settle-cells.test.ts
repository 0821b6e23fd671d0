import { paymentModes, type Party } from '@ergon/contract'
import type { WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cells, delivered, publisherAs, workerOf } from './cell-stage.ts'
import { accept, offer, refusedWith, rule, type Verdict } from './settle-stage.ts'
import {
  approval,
  arbiter as named,
  ledgerDisagreements,
  openStage,
  publisher,
  untilQuiet,
  type Stage,
} from './stage.ts'

/**
 * How a dispute ends in every cell and every payment mode (decisions 0167, 0168): who may end it, what moves to the
 * last unit, and what is refused. Where nothing is held, what is decided for the worker its publisher pays itself.
 */
const arbiter = { ...named, agentId: 5_005 }
const stranger = { ...named, wallet: '0x6666666666666666666666666666666666666666', agentId: 6_006 }
const hourMs = 3_600_000
const bounty = 10_000_000n

/** What the worker, the house and the payer gain: where the bounty is held, and where it is not. */
type End = readonly [held: readonly bigint[], direct: readonly bigint[] | 'refused', status: string]
const agreements: Readonly<Record<string, End>> = {
  '10': [[8_700_000n, 1_300_000n, 0n], [8_700_000n, 1_300_000n, -bounty], 'completed'],
  '3.33': [[2_897_100n, 432_900n, 6_670_000n], [2_897_100n, 432_900n, -3_330_000n], 'completed'],
  '0': [[0n, 0n, bounty], [0n, 0n, 0n], 'cancelled'],
}
const rulings: readonly (readonly [Verdict, End])[] = [
  [
    { verdict: 'release', splitPct: null },
    [[8_700_000n, 1_300_000n, 0n], [8_700_000n, 1_300_000n, -bounty], 'completed'],
  ],
  [{ verdict: 'split', splitPct: 33 }, [[5_829_000n, 871_000n, 3_300_000n], 'refused', 'completed']],
  [{ verdict: 'refund', splitPct: null }, [[0n, 0n, bounty], [0n, 0n, 0n], 'cancelled']],
]

describe.each(paymentModes)('in mode %s', (mode) => {
  const holds = mode !== 'fase1'
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(mode)
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  const balances = (by: WalletCaller): readonly bigint[] => {
    const { chain } = stage
    return [
      chain.balance(by.wallet),
      chain.balance('operator') + chain.balance('treasury'),
      chain.balance(publisher.wallet),
    ]
  }
  const gained = (by: WalletCaller, before: readonly bigint[]): readonly bigint[] =>
    balances(by).map((now, at) => now - (before[at] ?? 0n))
  const statusOf = async (taskId: string) => (await stage.store.task(taskId))?.status
  const heldFor = async (taskId: string): Promise<bigint> => {
    const payment = await stage.store.escrowPayment(taskId)
    return payment === null ? 0n : stage.chain.capturable(payment.hash)
  }

  /** All that is due, however many timers other jobs have left behind. */
  async function runTimers(): Promise<void> {
    for (let round = 0; round < 20; round += 1) if ((await stage.market.duties.runTimers()) === 0) return
    throw new Error('timers are due for ever')
  }

  async function rejected(from: Party, by: WalletCaller) {
    const job = await delivered(stage, [from, by])
    const said = { reason: 'Too dark.', criteria: ['By daylight.'] }
    const { dispute } = await stage.market.reject(publisherAs(from), job.submissionId, said)
    return { ...job, disputeId: dispute.id }
  }

  test.each(cells)('%s and %s settle between themselves, and nobody settles for them', async (from, to) => {
    const [payer, by] = [publisherAs(from), await workerOf(stage, to)]
    for (const [at, [share, [held, direct, status]]] of Object.entries(agreements).entries()) {
      const [one, other] = at % 2 === 0 ? [payer, by] : [by, payer]
      const { taskId } = await rejected(from, by)
      const before = balances(by)
      await expect(offer(stage, stranger, taskId, share)).rejects.toEqual(refusedWith('FORBIDDEN'))
      const { id } = await offer(stage, one, taskId, share)
      for (const nobody of [one, stranger, arbiter])
        await expect(accept(stage, nobody, id)).rejects.toEqual(refusedWith('FORBIDDEN'))
      await accept(stage, other, id)
      await expect(accept(stage, other, id)).rejects.toEqual(refusedWith('OFFER_NOT_OPEN'))
      await untilQuiet(stage)
      expect([share, ...gained(by, before)]).toEqual([share, ...(holds ? held : direct)])
      expect([await statusOf(taskId), await heldFor(taskId)]).toEqual([status, 0n])
    }
    expect(await ledgerDisagreements(stage)).toEqual([])
  })

  test.each(cells)('between %s and %s an arbiter rules, and neither of the two', async (from, to) => {
    const [payer, by] = [publisherAs(from), await workerOf(stage, to)]
    for (const [verdict, [held, direct, status]] of rulings) {
      const { taskId, disputeId, submissionId } = await rejected(from, by)
      const before = balances(by)
      for (const side of [payer, by])
        await expect(rule(stage, side, disputeId, verdict)).rejects.toEqual(refusedWith('FORBIDDEN'))
      await expect(rule(stage, stranger, disputeId, verdict)).rejects.toEqual(refusedWith('ARBITER_UNKNOWN'))
      if (!holds && direct === 'refused') {
        await expect(rule(stage, arbiter, disputeId, verdict)).rejects.toEqual(refusedWith('ESCROW_NOT_RELEASABLE'))
        expect([await statusOf(taskId), ...gained(by, before)]).toEqual(['disputed', 0n, 0n, 0n])
        continue
      }
      await rule(stage, arbiter, disputeId, verdict)
      await expect(offer(stage, by, taskId, '5')).rejects.toEqual(refusedWith('OFFER_NOT_OPEN'))
      stage.clock.advance(24 * hourMs - 1)
      await runTimers()
      expect([verdict.verdict, ...gained(by, before)]).toEqual([verdict.verdict, 0n, 0n, 0n])
      stage.clock.advance(1)
      await runTimers()
      // What is owed is paid by its publisher's own hand.
      if (!holds && verdict.verdict === 'release')
        await stage.market.approve(payer, submissionId, await approval(stage, submissionId))
      await untilQuiet(stage)
      await runTimers()
      expect([verdict.verdict, ...gained(by, before)]).toEqual([verdict.verdict, ...(holds ? held : direct)])
      expect([await statusOf(taskId), await heldFor(taskId)]).toEqual([status, 0n])
      expect(await stage.market.readRuling(by, disputeId)).toMatchObject({ status: 'executed' })
    }
    expect(await ledgerDisagreements(stage)).toEqual([])
  })
})
