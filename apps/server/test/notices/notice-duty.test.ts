import { randomUUID } from 'node:crypto'
import { createNoticeDuty, type Notice, type Notifier } from '@ergon/core'
import { expect, test } from 'vitest'
import {
  appliedJob,
  approval,
  assignJob,
  caughtUp,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from '../market/stage.ts'

type Desk = { readonly told: Notice[]; readonly givenUp: string[]; run(): Promise<number> }

/** One process that tells workers; `answer` may fail. */
function desk(
  stage: Stage,
  answer: (notice: Notice) => Promise<'told' | 'unreachable'> = () => Promise.resolve('told'),
): Desk {
  const told: Notice[] = []
  const givenUp: string[] = []
  const notifier: Notifier = {
    async notify(notice) {
      const outcome = await answer(notice)
      if (outcome === 'told') told.push(notice)
      return outcome
    },
  }
  const duty = createNoticeDuty({
    store: stage.store,
    notifier,
    clock: stage.clock,
    ids: { next: randomUUID },
    leaseMs: 60_000,
    onGivenUp: (id) => {
      givenUp.push(id)
    },
  })
  const run = async (): Promise<number> => {
    await caughtUp(stage)
    return duty()
  }
  return { told, givenUp, run }
}

async function approvedJob(stage: Stage): Promise<void> {
  const { submissionId } = await submittedJob(stage)
  await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
  await untilQuiet(stage)
}

test('workers are told of assignment, approval and payment, in plain words and once', async () => {
  await using stage = await openStage()
  const one = desk(stage)
  expect(await one.run()).toBe(0)
  await approvedJob(stage)
  await one.run()
  await one.run()
  expect(one.told.map(({ kind }) => kind)).toEqual(['assigned', 'approved', 'paid'])
  expect(new Set(one.told.map(({ wallet }) => wallet))).toEqual(new Set([worker.wallet]))
  expect(one.told.map(({ message }) => message)).toEqual([
    'You were assigned to “Photograph the gate”. You can begin.',
    'Your work on “Photograph the gate” was approved.',
    'You were paid 8.7 US dollars for “Photograph the gate”.',
  ])
  for (const { title, message } of one.told) expect(`${title} ${message}`).not.toMatch(/0x[0-9a-f]{8}/)
})

test('workers are told of rejection and dispute, and of requested changes', async () => {
  await using stage = await openStage()
  const one = desk(stage)
  await one.run()
  const first = await submittedJob(stage)
  await stage.market.requestChanges(publisher, first.submissionId, 'The sign is\u202e cut\noff.')
  const second = await submittedJob(stage)
  await stage.market.reject(publisher, second.submissionId, { reason: 'It is another gate.', criteria: [] })
  await one.run()
  expect(one.told.map(({ kind }) => kind)).toEqual([
    'assigned',
    'changes_requested',
    'assigned',
    'rejected',
    'dispute_opened',
  ])
  expect(one.told[1]?.message).toBe('The publisher of “Photograph the gate” asks for changes: The sign is cut off.')
})

test('what happened before the first process is not told', async () => {
  await using stage = await openStage()
  await assignJob(stage, await appliedJob(stage))
  const one = desk(stage)
  await one.run()
  await one.run()
  expect(one.told).toEqual([])
})

test('of several processes one tells, and another goes on where it stopped', async () => {
  await using stage = await openStage()
  const desks = [desk(stage), desk(stage), desk(stage)]
  await desks[0]?.run()
  for (let job = 0; job < 6; job += 1) {
    await assignJob(stage, await appliedJob(stage))
    await Promise.all(desks.map((one) => one.run()))
  }
  await Promise.all(desks.map((one) => one.run()))
  const all = desks.flatMap(({ told }) => told.map(({ id }) => id))
  expect(all).toHaveLength(6)
  expect(new Set(all).size).toBe(6)
})

test('a process that dies holding the place is followed when its time is over, and nothing is lost', async () => {
  await using stage = await openStage()
  await desk(stage).run()
  await assignJob(stage, await appliedJob(stage))
  const dead = desk(stage, () => new Promise(() => undefined))
  void dead.run()
  const next = desk(stage)
  const held = async (): Promise<boolean> =>
    (
      await stage.pool.query<{ held: boolean }>(
        "select held_until is not null as held from event_cursors where name = 'notices'",
      )
    ).rows[0]?.held === true
  for (const deadline = performance.now() + 20_000; !(await held());) expect(performance.now()).toBeLessThan(deadline)
  expect(await next.run()).toBe(0)
  // The lease, and what the keeper of this test's pool may have added to it: the process dies, its pool does not.
  stage.clock.advance(121_000)
  expect(await next.run()).toBe(1)
  expect(next.told.map(({ kind }) => kind)).toEqual(['assigned'])
})

test('a notice that fails is tried again, holds back those behind it, and is given up in the end', async () => {
  await using stage = await openStage()
  await desk(stage).run()
  await assignJob(stage, await appliedJob(stage))
  await assignJob(stage, await appliedJob(stage))
  let refused: string | undefined
  const one = desk(stage, ({ id }) => {
    refused ??= id
    return id === refused ? Promise.reject(new Error('the network is away')) : Promise.resolve('told')
  })
  for (let round = 0; round < 5; round += 1) await expect(one.run()).rejects.toThrow('away')
  expect(one.told).toEqual([])
  expect(await one.run()).toBe(1)
  expect(one.givenUp).toEqual([refused])
  expect(one.told).toHaveLength(1)
})
