import type { WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appliedJob, assignJob, openStage, publisher, untilQuiet, worker, type Stage } from './stage.ts'

const refusedWith = (code: string, details: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as unknown }) as Error
const page = { limit: 10, offset: 0, cursor: null }
const caller = (n: number): WalletCaller => ({
  kind: 'wallet',
  wallet: `0x${n.toString(16).padStart(40, '0')}`,
  agentId: null,
  via: 'signature',
})
const nobody = { kind: 'anonymous' } as const

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

const openTask = async (): Promise<string> => (await appliedJob(stage)).taskId
const read = async (as: Parameters<Stage['market']['questions']>[0], taskId: string) =>
  (await stage.market.questions(as, taskId, page)).rows.map(({ text, answer }) => [text, answer?.text ?? null])

test('whoever sees an open task asks, the publisher answers once, and everybody reads both', async () => {
  const taskId = await openTask()
  const first = await stage.market.askQuestion(caller(1), taskId, 'Is there a bell?')
  const second = await stage.market.askQuestion(worker, taskId, 'Which gate?')
  const answer = { questionId: second.id, text: 'The green one.' }
  expect(await stage.market.answerQuestion(publisher, taskId, answer)).toMatchObject({
    id: second.id,
    answer: { text: 'The green one.', side: 'publisher' },
  })
  const all = [
    ['Which gate?', 'The green one.'],
    ['Is there a bell?', null],
  ]
  expect([await read(nobody, taskId), await read(publisher, taskId), await read(worker, taskId)]).toEqual([
    all,
    all,
    all,
  ])
  const next = await stage.market.questions(nobody, taskId, { ...page, limit: 1 })
  expect(next).toMatchObject({ total: 2, hasMore: true, nextCursor: second.id })
  expect((await stage.market.questions(nobody, taskId, { ...page, cursor: second.id })).rows[0]?.id).toBe(first.id)
  await expect(stage.market.answerQuestion(publisher, taskId, answer)).rejects.toThrow(
    refusedWith('VALIDATION_FAILED', { field: 'question_id' }),
  )
  const other = await openTask()
  for (const questionId of [first.id, taskId])
    await expect(stage.market.answerQuestion(publisher, other, { questionId, text: 'No.' })).rejects.toThrow(
      refusedWith('VALIDATION_FAILED', { field: 'question_id' }),
    )
})

test('who asked and the publisher are told, and nobody else', async () => {
  const taskId = await openTask()
  const { id, executorId } = await stage.market.askQuestion(caller(2), taskId, 'Is there a bell?')
  await stage.market.answerQuestion(publisher, taskId, { questionId: id, text: 'No.' })
  const { rows } = await stage.pool.query<{ type: string; data: unknown; wallets: string[] }>(
    `select o.type, o.data, array(select r.wallet from event_recipients r where r.xid = o.xid and r.seq = o.seq
        order by r.wallet) as wallets
      from outbox o where o.task_id = $1 and o.type like 'question.%' order by o.seq`,
    [taskId],
  )
  const data = { task_id: taskId, question_id: id, executor_id: executorId }
  const wallets = [caller(2).wallet, publisher.wallet]
  expect(rows).toEqual([
    { type: 'question.asked', data, wallets },
    { type: 'question.answered', data, wallets },
  ])
})

test('nobody answers for the publisher, who asks nothing, and whoever it blocked asks nothing either', async () => {
  const taskId = await openTask()
  const { id } = await stage.market.askQuestion(worker, taskId, 'Which gate?')
  await expect(stage.market.answerQuestion(worker, taskId, { questionId: id, text: 'Mine.' })).rejects.toThrow(
    refusedWith('FORBIDDEN'),
  )
  await expect(stage.market.askQuestion(publisher, taskId, 'Who comes?')).rejects.toThrow(refusedWith('FORBIDDEN'))
  await stage.market.askQuestion(caller(3), taskId, 'Is there a bell?')
  await stage.market.block(publisher, caller(3).wallet)
  await expect(stage.market.askQuestion(caller(3), taskId, 'Is there a bell?')).rejects.toThrow(
    refusedWith('PARTY_BLOCKED'),
  )
})

test('once a worker is assigned nobody asks or answers, and what was said is still read', async () => {
  const job = await appliedJob(stage)
  const { id } = await stage.market.askQuestion(worker, job.taskId, 'Which gate?')
  await assignJob(stage, job)
  await untilQuiet(stage)
  const closed = refusedWith('TASK_NOT_OPEN', { status: 'accepted' })
  await expect(stage.market.askQuestion(caller(4), job.taskId, 'Which gate?')).rejects.toThrow(closed)
  await expect(
    stage.market.answerQuestion(publisher, job.taskId, { questionId: id, text: 'The green one.' }),
  ).rejects.toThrow(closed)
  expect(await read(nobody, job.taskId)).toEqual([['Which gate?', null]])
  // The thread of the two sides is another one.
  await stage.market.sendMessage(publisher, job.taskId, 'The code is 1234.')
  expect(await read(nobody, job.taskId)).toEqual([['Which gate?', null]])
  expect((await stage.market.messages(worker, job.taskId, page)).total).toBe(1)
})

test('of a task that is over strangers read nothing', async () => {
  const taskId = await openTask()
  await stage.market.askQuestion(worker, taskId, 'Which gate?')
  await stage.market.cancel(publisher, taskId, null)
  await untilQuiet(stage)
  await expect(read(nobody, taskId)).rejects.toThrow(refusedWith('TASK_GONE'))
  expect(await read(publisher, taskId)).toEqual([['Which gate?', null]])
})

describe('bounds (decision 0233)', () => {
  test('a worker asks five times about a task', async () => {
    const taskId = await openTask()
    const one = caller(5)
    for (let n = 0; n < 5; n += 1) await stage.market.askQuestion(one, taskId, `Question ${String(n)}`)
    await expect(stage.market.askQuestion(one, taskId, 'One more')).rejects.toThrow(
      refusedWith('TASK_NOT_OPEN', { questions_of_a_worker: 5 }),
    )
  })

  test('thirty fresh wallets at once leave twenty questions, and an answer makes room for one', async () => {
    const taskId = await openTask()
    const asked = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => stage.market.askQuestion(caller(100 + n), taskId, 'Which gate?')),
    )
    const made = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
    expect(made).toHaveLength(20)
    await stage.market.answerQuestion(publisher, taskId, { questionId: made[0] ?? '', text: 'The green one.' })
    await stage.market.askQuestion(caller(200), taskId, 'Is there a bell?')
    await expect(stage.market.askQuestion(caller(201), taskId, 'And a dog?')).rejects.toThrow(
      refusedWith('RATE_LIMITED', { unanswered_max: 20 }),
    )
  })
})
