import type { WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  appliedJob,
  arbiter,
  approval,
  assignJob,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

const refusedWith = (code: string, details: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as unknown }) as Error
const page = { limit: 10, offset: 0, cursor: null }
const caller = (digit: string): WalletCaller => ({
  kind: 'wallet',
  wallet: `0x${digit.repeat(40)}`,
  agentId: 7,
  via: 'signature',
})
const stranger = caller('7')

let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
})
afterAll(() => stage[Symbol.asyncDispose]())

async function acceptedJob(as: WalletCaller = worker) {
  const job = await appliedJob(stage, as)
  await assignJob(stage, job)
  await untilQuiet(stage)
  return job
}

async function read(as: Parameters<Stage['market']['messages']>[0], taskId: string) {
  const { rows, total } = await stage.market.messages(as, taskId, page)
  expect(rows).toHaveLength(total)
  return rows.map(({ side, text }) => `${side}: ${text}`)
}

const readLines = async (taskId: string) =>
  (
    await stage.pool.query<{ actor: string; request_id: string }>(
      "select actor, request_id from audit_log where action = 'dispute.read' and after->>'task_id' = $1 order by id",
      [taskId],
    )
  ).rows.map(({ actor, request_id }) => [actor, request_id])

describe('the two sides of a task write to one another (decision 0232)', () => {
  test('both read what was said, newest first, a page at a time', async () => {
    const { taskId } = await acceptedJob()
    for (const [by, text] of [
      [publisher, 'Ring twice.'],
      [worker, 'Which bell?'],
      [publisher, 'The lower one.'],
    ] as const)
      await stage.market.sendMessage(by, taskId, text)
    const all = ['publisher: The lower one.', 'worker: Which bell?', 'publisher: Ring twice.']
    expect([await read(publisher, taskId), await read(worker, taskId)]).toEqual([all, all])
    const first = await stage.market.messages(worker, taskId, { ...page, limit: 2 })
    expect(first).toMatchObject({ total: 3, hasMore: true })
    const rest = await stage.market.messages(worker, taskId, { ...page, cursor: first.nextCursor })
    expect(rest.rows.map(({ text }) => text)).toEqual(['Ring twice.'])
  })

  test('the event names who wrote and is addressed to both, and the text stays with the task', async () => {
    const { taskId, executorId } = await acceptedJob()
    const { id } = await stage.market.sendMessage(worker, taskId, 'The gate is locked.')
    const { rows } = await stage.pool.query<{ data: unknown; wallets: string[] }>(
      `select o.data, array(select r.wallet from event_recipients r where r.xid = o.xid and r.seq = o.seq
          order by r.wallet) as wallets
        from outbox o where o.task_id = $1 and o.type = 'message.sent'`,
      [taskId],
    )
    expect(rows).toEqual([
      {
        data: { task_id: taskId, message_id: id, executor_id: executorId, by: 'worker' },
        wallets: [publisher.wallet, worker.wallet],
      },
    ])
  })

  test('nobody else writes or reads, and before the assignment and after the end nobody writes', async () => {
    const job = await appliedJob(stage)
    await expect(stage.market.sendMessage(publisher, job.taskId, 'Hello?')).rejects.toThrow(
      refusedWith('TASK_NOT_OPEN', { status: 'published' }),
    )
    await expect(stage.market.sendMessage(worker, job.taskId, 'Hello?')).rejects.toThrow(refusedWith('FORBIDDEN'))
    await expect(read(worker, job.taskId)).rejects.toThrow(refusedWith('FORBIDDEN'))
    const { taskId, submissionId } = await submittedJob(stage)
    await stage.market.sendMessage(worker, taskId, 'It is done.')
    for (const other of [stranger, arbiter, { kind: 'admin' } as const])
      await expect(read(other, taskId)).rejects.toThrow(refusedWith('FORBIDDEN'))
    await expect(stage.market.sendMessage(stranger, taskId, 'Hello?')).rejects.toThrow(refusedWith('FORBIDDEN'))
    await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
    await untilQuiet(stage)
    for (const by of [publisher, worker])
      await expect(stage.market.sendMessage(by, taskId, 'Thank you.')).rejects.toThrow(
        refusedWith('TASK_NOT_OPEN', { status: 'completed' }),
      )
    expect(await read(worker, taskId)).toEqual(['worker: It is done.'])
  })

  test('another worker finds a thread of its own, and who stepped down keeps the earlier one', async () => {
    const other = caller('8')
    await stage.market.ensureIdentity(other.wallet)
    const { taskId } = await acceptedJob()
    await stage.market.sendMessage(publisher, taskId, 'The key is under the mat.')
    await stage.market.withdraw(worker, taskId, null)
    await untilQuiet(stage)
    await expect(stage.market.sendMessage(worker, taskId, 'I am sorry.')).rejects.toThrow(refusedWith('FORBIDDEN'))
    const { executorId } = await stage.market.apply(other, taskId, { executorId: null, message: null })
    await assignJob(stage, { taskId, executorId, paymentAuth: await authFor(taskId, executorId) })
    await untilQuiet(stage)
    await stage.market.sendMessage(other, taskId, 'I am on my way.')
    expect(await read(other, taskId)).toEqual(['worker: I am on my way.'])
    expect(await read(worker, taskId)).toEqual(['publisher: The key is under the mat.'])
    expect(await read(publisher, taskId)).toHaveLength(2)
  })
})

describe('bounds (decision 0232)', () => {
  test('a full thread takes no more, from either side', async () => {
    const { taskId, executorId } = await acceptedJob()
    await fill(taskId, executorId, 199, 'someone')
    await stage.market.sendMessage(worker, taskId, 'The last one.')
    for (const by of [worker, publisher])
      await expect(stage.market.sendMessage(by, taskId, 'One more.')).rejects.toThrow(
        refusedWith('TASK_NOT_OPEN', { messages_max: 200 }),
      )
  })

  test('a wallet writes so much a day, over all of its tasks', async () => {
    const [one, two] = [await acceptedJob(), await acceptedJob()]
    const { rows } = await stage.pool.query<{ n: bigint }>(
      "select count(*) as n from task_messages where author = $1 and created_at > $2::timestamptz - interval '1 day'",
      [worker.wallet, stage.clock.now()],
    )
    const left = 300 - Number(rows[0]?.n)
    await fill(one.taskId, one.executorId, Math.min(left, 190), worker.wallet)
    await fill(two.taskId, two.executorId, Math.max(0, left - 190), worker.wallet)
    await expect(stage.market.sendMessage(worker, two.taskId, 'One more.')).rejects.toThrow(
      refusedWith('RATE_LIMITED', { limit: 300, remaining: 0 }),
    )
    await stage.market.sendMessage(publisher, two.taskId, 'Are you there?')
    stage.clock.advance(86_400_001)
  })

  test('twenty at once fill a thread to its bound and not beyond', async () => {
    const { taskId, executorId } = await acceptedJob()
    await fill(taskId, executorId, 195, 'someone')
    const sent = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => stage.market.sendMessage(publisher, taskId, `Message ${String(n)}`)),
    )
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })
})

test('of a disputed task whoever may rule reads every thread, and each look leaves a line', async () => {
  const { taskId, submissionId } = await submittedJob(stage)
  await stage.market.sendMessage(worker, taskId, 'The gate was open.')
  await stage.market.openDispute(publisher, submissionId, { reason: 'other', description: 'We do not agree.' })
  await stage.market.sendMessage(publisher, taskId, 'It was not.')
  const all = ['publisher: It was not.', 'worker: The gate was open.']
  expect(await readLines(taskId)).toEqual([])
  expect(await read(arbiter, taskId)).toEqual(all)
  expect((await stage.market.messages({ kind: 'admin' }, taskId, page, 'req-1')).total).toBe(2)
  expect(await readLines(taskId)).toEqual([
    [arbiter.wallet, ''],
    ['admin', 'req-1'],
  ])
  await expect(read(stranger, taskId)).rejects.toThrow(refusedWith('FORBIDDEN'))
  expect([await read(publisher, taskId), await read(worker, taskId)]).toEqual([all, all])
  expect(await readLines(taskId)).toHaveLength(2)
})

async function fill(taskId: string, executorId: string, count: number, author: string): Promise<void> {
  await stage.pool.query(
    `insert into task_messages (id, task_id, audience, executor_id, side, author, text, created_at)
      select gen_random_uuid(), $1, 'parties', $2, 'worker', $3, 'Said before.', $5 from generate_series(1, $4)`,
    [taskId, executorId, author, count, stage.clock.now()],
  )
}

async function authFor(taskId: string, executorId: string): Promise<string | null> {
  const challenge = await stage.market.assignChallenge(publisher, taskId, executorId)
  return challenge === null ? null : JSON.stringify(challenge.envelope)
}
