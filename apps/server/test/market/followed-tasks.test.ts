import { expect, onTestFinished, test } from 'vitest'
import { followTask } from '../../src/api/a2a/follow.ts'
import { stranger } from './account-life.ts'
import { appliedJob, openStage } from './stage.ts'

test('an agent that is shut out is told no more of the task that it follows', async () => {
  const stage = await openStage()
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const { taskId } = await appliedJob(stage)
  let isLetIn = true
  let ring = (): void => undefined
  const onTask = (_taskId: string, heard: () => void): Disposable => {
    ring = heard
    return { [Symbol.dispose]: () => undefined }
  }
  const steps = followTask(
    { market: stage.market, onTask, stays: () => Promise.resolve(isLetIn) },
    { caller: stranger, taskId, from: null, said: [] },
    new AbortController().signal,
  )
  expect((await steps.next()).value).toMatchObject({ update: { kind: 'task', id: taskId } })
  const next = steps.next()
  isLetIn = false
  ring()
  expect(await next).toEqual({ done: true, value: undefined })
})
