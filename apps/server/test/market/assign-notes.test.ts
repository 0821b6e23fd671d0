import { inspect } from 'node:util'
import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { appliedJob, assignJob, openStage, publisher, worker } from './stage.ts'

test('an assignment without notes deletes none, unless an earlier one of the same worker brought some', async () => {
  await using stage = await openStage()
  const { pool, store } = stage
  let job = await appliedJob(stage)
  const asked: string[] = []
  const watched = new WeakSet<PoolClient>()
  pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    Object.assign(client, {
      query: (...args: unknown[]) => {
        asked.push(inspect(args[0]))
        return query(...args)
      },
    })
  })
  const deletes = (): number => asked.splice(0).filter((text) => text.includes('delete from task_words')).length
  const notesOf = async () => (await store.taskWords(job.taskId)).filter(({ kind }) => kind === 'assign')
  const assign = async (notes: string | null) => {
    const { envelope } = await stage.market.assignChallenge(publisher, job.taskId, job.executorId)
    await stage.market.assign(publisher, job.taskId, {
      executorId: job.executorId,
      notes,
      paymentAuth: JSON.stringify(envelope),
    })
  }
  await assignJob(stage, job)
  expect(deletes()).toBe(0)
  // A lock that is refused opens the task again, with the notes that were written.
  job = await appliedJob(stage)
  stage.chain.fault = (method) => (method === 'send' ? 'refused' : 'none')
  await expect(assign('Ring twice.')).rejects.toMatchObject({ code: 'LOCK_REVERTED' })
  stage.chain.fault = () => 'none'
  expect([await notesOf(), deletes()]).toMatchObject([[{ text: 'Ring twice.', worker: { wallet: worker.wallet } }], 0])
  await assign(null)
  expect([await notesOf(), deletes()]).toEqual([[], 1])
})
