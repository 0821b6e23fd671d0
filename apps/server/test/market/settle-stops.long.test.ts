import { describe, expect, test } from 'vitest'
import type { Market } from '@ergon/core'
import { accept, offer, rule } from './settle-stage.ts'
import { hourMs } from './silence-stage.ts'
import { appliedJob, arbiter, assignJob, openStage, publisher, untilQuiet, worker, type Stage } from './stage.ts'
import { runUntilStopped, stopEverywhere, type Stops } from './until-stopped.ts'

/**
 * The process stops at its n-th await while two sides settle, while a ruling is carried out, and while silence pays
 * (decisions 0158, 0167, 0168, 0174): the money moves once or not at all, and whoever comes next goes on.
 */

/** One stop in eight each day, the next one the day after; `ERGON_STOPS=all` tries all of them. */
const step = 8
const stops: Stops =
  process.env['ERGON_STOPS'] === 'all'
    ? { from: 1, step: 1 }
    : { from: 1 + (Math.floor(Date.now() / 86_400_000) % step), step }

const policy = { reviewHours: 10, disputeHours: 100, onSilence: 'release' } as const

/** Handed in, checked, and with the word for silence beside its payment. */
async function delivered(stage: Stage) {
  const job = await appliedJob(stage, worker, '10', policy)
  const { hash } = JSON.parse(job.paymentAuth ?? '{}') as { readonly hash: string }
  await assignJob(stage, { ...job, standingOrder: JSON.stringify({ payment: hash }) })
  const { submission } = await stage.market.submit(worker, job.taskId, {
    executorId: null,
    evidence: { text_response: 'It is open.' },
    notes: null,
    deviceMetadata: null,
  })
  await stage.market.duties.verify()
  return { taskId: job.taskId, submissionId: submission.id }
}

async function disputed(stage: Stage) {
  const { taskId, submissionId } = await delivered(stage)
  const { id } = await stage.market.openDispute(worker, submissionId, { reason: 'other', description: 'We differ.' })
  return { taskId, disputeId: id }
}

const timers = ({ duties }: Market): Promise<unknown> => duties.runTimers()

/** What the worker has since then, once the timers and the reconciler had their turn again. */
async function paidAfterAll(stage: Stage, before: bigint): Promise<bigint> {
  stage.clock.advance(60_001)
  await timers(stage.market)
  await untilQuiet(stage)
  return stage.chain.balance(worker.wallet) - before
}

type Row = {
  readonly name: string
  readonly arrange: (stage: Stage) => Promise<string>
  readonly act: (market: Market, id: string, stage: Stage) => Promise<unknown>
  /** The same again by another process; null where its duties do it by themselves. */
  readonly again: ((stage: Stage, id: string) => Promise<unknown>) | null
  readonly pays: bigint
  readonly leastStops: number
}

const rows: readonly Row[] = [
  {
    name: 'an offer that is accepted pays what both signed, once',
    arrange: async (stage) => (await offer(stage, worker, (await delivered(stage)).taskId, '4')).id,
    act: (market, id) => accept({ market }, publisher, id),
    again: (stage, id) => accept(stage, publisher, id),
    pays: 3_480_000n,
    leastStops: 10,
  },
  {
    name: 'a ruling whose day has passed is carried out once',
    async arrange(stage) {
      const { disputeId } = await disputed(stage)
      await rule(stage, arbiter, disputeId, { verdict: 'split', splitPct: 40 })
      stage.clock.advance(24 * hourMs + 1)
      return disputeId
    },
    act: timers,
    again: null,
    pays: 5_220_000n,
    leastStops: 10,
  },
  {
    name: 'silence pays once',
    async arrange(stage) {
      const { taskId } = await delivered(stage)
      stage.clock.advance(10 * hourMs + 1)
      return taskId
    },
    act: timers,
    again: null,
    pays: 8_700_000n,
    leastStops: 10,
  },
]

describe('survives a stop at every await', () => {
  test.each(rows)('$name', async ({ arrange, act, again, pays, leastStops }) => {
    await using stage = await openStage('fase2')
    const once = async (stopAt: number): Promise<boolean> => {
      const id = await arrange(stage)
      const before = stage.chain.balance(worker.wallet)
      const { finished } = await runUntilStopped(stage, stopAt, (market) => act(market, id, stage))
      await untilQuiet(stage)
      // What was begun and refused is open again, and what was done refuses a second time.
      if (again !== null) await again(stage, id).catch(() => undefined)
      expect(await paidAfterAll(stage, before), `after a stop at await ${String(stopAt)}`).toBe(pays)
      return finished
    }
    expect(await stopEverywhere(stage, once, stops)).toBeGreaterThan(leastStops)
  })

  test('a ruling, an appeal and a beginning are written once or not at all', async () => {
    await using stage = await openStage('fase2')
    const verdict = { verdict: 'release', splitPct: null } as const
    const ruled = await stopEverywhere(
      stage,
      async (stopAt) => {
        const { taskId, disputeId } = await disputed(stage)
        const { finished } = await runUntilStopped(stage, stopAt, (market) =>
          rule({ market }, arbiter, disputeId, verdict),
        )
        if (!finished) await rule(stage, arbiter, disputeId, verdict).catch(() => undefined)
        const appeal = await runUntilStopped(stage, stopAt, (market) =>
          market.appeal(publisher, disputeId, 'Another gate, I say.'),
        )
        if (!appeal.finished)
          await stage.market.appeal(publisher, disputeId, 'Another gate, I say.').catch(() => undefined)
        expect(await stage.market.readRuling(publisher, disputeId)).toMatchObject({ status: 'appealed' })
        expect((await stage.store.task(taskId))?.status).toBe('disputed')
        return finished && appeal.finished
      },
      stops,
    )
    expect(ruled).toBeGreaterThan(5)
    const begun = await stopEverywhere(
      stage,
      async (stopAt) => {
        const job = await appliedJob(stage, worker, '10', { ...policy, startHours: 5 })
        await assignJob(stage, job)
        const { finished } = await runUntilStopped(stage, stopAt, (market) => market.begin(worker, job.taskId))
        if (!finished) await stage.market.begin(worker, job.taskId).catch(() => undefined)
        expect((await stage.store.task(job.taskId))?.startBy).toBeNull()
        return finished
      },
      stops,
    )
    expect(begun).toBeGreaterThan(3)
  })
})
