import { errorsOf, operations, type OperationName } from '@ergon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appliedJob, assignJob, gateTask, openStage, publisher, worker, type Job, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

const refusal = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => (error as { readonly code?: unknown }).code, // a refusal of the domain has one
  )
const change = (set: string, { taskId }: Job): Promise<unknown> =>
  stage.pool.query(`update tasks set ${set} where id = $1`, [taskId])
const challenge = ({ taskId, executorId }: Job): Promise<unknown> =>
  stage.market.assignChallenge(publisher, taskId, executorId)

const told: readonly (readonly [OperationName, string, (job: Job) => Promise<unknown>])[] = [
  ...(['tasks.assignChallenge', 'tasks.assign'] as const).flatMap((name) => {
    const ask = name === 'tasks.assign' ? (job: Job) => assignJob(stage, job) : challenge
    const after = (set: string) => async (job: Job) => {
      await change(set, job)
      return ask(job)
    }
    return [
      [name, 'ESCROW_NOT_ASSIGNABLE', after("status = 'assigning'")],
      [name, 'DEADLINE_PASSED', after("deadline = now() - interval '100 years'")],
      [name, 'PARTY_MISMATCH', after("target = 'robot'")],
      [name, 'REPUTATION_TOO_LOW', after('min_reputation = 99')],
    ] as const
  }),
]

test.each(told)('%s lists %s, with which it refuses', async (name, code, call) => {
  expect(await refusal(call(await appliedJob(stage)))).toBe(code)
  expect(errorsOf(operations[name])).toContain(code)
})

test('tasks.setPolicy lists ARBITER_UNKNOWN, with which it refuses', async () => {
  const { task } = await stage.market.publish(publisher, gateTask())
  expect(await refusal(stage.market.setPolicy(publisher, task.id, { arbiter: worker.wallet }))).toBe('ARBITER_UNKNOWN')
  expect(errorsOf(operations['tasks.setPolicy'])).toContain('ARBITER_UNKNOWN')
})
