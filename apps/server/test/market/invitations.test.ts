import type { WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishedBy } from './keyed-scenes.ts'
import { refusedWith } from './settle-stage.ts'
import { openStage, publisher, untilQuiet, worker, type Stage } from './stage.ts'

const caller = (n: number): WalletCaller => ({
  kind: 'wallet',
  wallet: `0x${n.toString(16).padStart(40, '0')}`,
  agentId: n,
  via: 'signature',
})

let stage: Stage
let executorId: string
beforeAll(async () => {
  stage = await openStage('fase2')
  executorId = (await stage.market.registerWorker(worker, { name: 'Wanda', party: 'agent' })).id
})
afterAll(() => stage[Symbol.asyncDispose]())

const openTask = async (by = publisher): Promise<string> => (await publishedBy(stage, by)).id

async function told(taskId: string): Promise<unknown[]> {
  const { rows } = await stage.pool.query<{ wallet: string }>(
    `select r.wallet from outbox o join event_recipients r on r.xid = o.xid and r.seq = o.seq
      where o.task_id = $1 and o.type = 'worker.invited' order by r.wallet`,
    [taskId],
  )
  return rows.map(({ wallet }) => wallet)
}

test('a worker is invited once, by id or wallet, and is told; nothing is assigned', async () => {
  const taskId = await openTask()
  const first = await stage.market.invite(publisher, taskId, executorId)
  expect(first).toMatchObject({ taskId, executorId, publisher: publisher.wallet })
  expect(await stage.market.invite(publisher, taskId, worker.wallet.toUpperCase().replace('0X', '0x'))).toEqual(first)
  expect(await told(taskId)).toEqual([publisher.wallet, worker.wallet].sort())
  expect(await stage.market.readTask(worker, taskId)).toMatchObject({ status: 'published', executorId: null })
  await stage.market.apply(worker, taskId, { executorId: null, message: null })
  await untilQuiet(stage)
})

test('by its publisher alone, whom it did not block, while the worker could apply', async () => {
  const taskId = await openTask()
  await expect(stage.market.invite(caller(7), taskId, executorId)).rejects.toThrow(refusedWith('FORBIDDEN'))
  await expect(stage.market.invite(publisher, taskId, caller(99).wallet)).rejects.toThrow(
    refusedWith('WORKER_NOT_FOUND'),
  )
  await stage.market.block(worker, publisher.wallet)
  await expect(stage.market.invite(publisher, taskId, executorId)).rejects.toThrow(refusedWith('PARTY_BLOCKED'))
  await stage.market.unblock(worker, publisher.wallet)
  await stage.market.apply(worker, taskId, { executorId: null, message: null })
  await expect(stage.market.invite(publisher, taskId, executorId)).rejects.toMatchObject({
    code: 'already_applied',
    message: 'This worker has already applied to the task.',
  })
  const ended = await openTask()
  await stage.market.cancel(publisher, ended, null)
  await expect(stage.market.invite(publisher, ended, executorId)).rejects.toThrow(refusedWith('TASK_NOT_OPEN'))
})

test('as often as the day of a publisher and the day of a worker let', async () => {
  stage.clock.advance(48 * 3_600_000)
  const wanted = await stage.market.registerWorker(caller(20), { name: 'Wes', party: 'agent' })
  for (let n = 0; n < 20; n++) {
    const by = caller(100 + n)
    await stage.market.invite(by, await openTask(by), wanted.id)
  }
  await expect(stage.market.invite(publisher, await openTask(), wanted.id)).rejects.toThrow(
    refusedWith('RATE_LIMITED', { limit: 20 }),
  )
  for (let n = 0; n < 20; n++) await stage.market.invite(publisher, await openTask(), executorId)
  const { rows } = await stage.pool.query<{ n: bigint }>(
    'select count(*) as n from task_invitations where executor_id = $1 and at > $2',
    [executorId, new Date(stage.clock.now().getTime() - 3_600_000)],
  )
  expect(Number(rows[0]?.n)).toBe(20)
  const third = await stage.market.registerWorker(caller(30), { name: 'Wim', party: 'agent' })
  await expect(stage.market.invite(publisher, await openTask(), third.id)).rejects.toThrow(
    refusedWith('RATE_LIMITED', { limit: 20 }),
  )
  stage.clock.advance(25 * 3_600_000)
  await expect(stage.market.invite(publisher, await openTask(), third.id)).resolves.toMatchObject({
    executorId: third.id,
  })
})
