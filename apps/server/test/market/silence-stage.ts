import type { PolicyInput } from '@ergon/core'
import { expect } from 'vitest'
import { caughtUp, publisher, submittedJob, type Stage } from './stage.ts'

export const hourMs = 3_600_000
export const refusedWith = (code: string) => expect.objectContaining({ code }) as Error

export type SilentJob = Awaited<ReturnType<typeof submittedJob>>

/** What the stories of silence do, on the stage that is open then. */
export function silenceOn(open: () => Stage) {
  async function verified(job: SilentJob, at: Stage = open()): Promise<SilentJob> {
    await at.market.duties.verify()
    expect((await at.store.submission(job.submissionId))?.verifiedAt).not.toBeNull()
    return job
  }
  async function after(hours: number, at: Stage = open()): Promise<void> {
    at.clock.advance(hours * hourMs + 1)
    for (let round = 0; round < 3; round += 1) {
      await at.market.duties.expire()
      await at.market.duties.runTimers()
    }
  }
  async function told({ taskId }: { readonly taskId: string }, ...types: readonly string[]) {
    await caughtUp(open())
    const { rows } = await open().pool.query<{ type: string; data: Record<string, unknown> }>(
      'select type, data from outbox where task_id = $1 and type = any($2) order by seq',
      [taskId, types],
    )
    return rows
  }
  return {
    verified,
    after,
    told,
    /** Work that passed its checks, under a policy. */
    passedJob: async (policy: PolicyInput, at: Stage = open()): Promise<SilentJob> =>
      verified(await submittedJob(at, policy), at),
    /** Work that did not: its checks broke off before they were written. */
    unverifiedJob: (policy: PolicyInput): Promise<SilentJob> => submittedJob(open(), policy),
    statusOf: async ({ taskId }: { readonly taskId: string }, at: Stage = open()) =>
      (await at.market.readTask(publisher, taskId)).status,
    deadlineOf: async ({ taskId }: { readonly taskId: string }) =>
      (await open().market.readTask(publisher, taskId)).deadline,
  }
}
