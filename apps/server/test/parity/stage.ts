import {
  applied,
  approveFields,
  assign,
  aTask,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type Applied,
  type LiveMarket,
  type Party,
} from '../http/live-market.ts'
import { adminKey, asAdmin } from '../http/live-admin.ts'
import { liveChannels } from '../http/live-channels.ts'
import type { Fields } from './transport.ts'

export type Submitted = Applied & { readonly submissionId: string }

/** Who plays, and the way to a task in each state; the way there is always REST, only the call that counts is not. */
export type ParityStage = AsyncDisposable & {
  readonly live: LiveMarket
  readonly publisher: Party
  readonly worker: Party
  readonly stranger: Party
  readonly banned: Party
  /** The ledger of channels. */
  readonly channels: ReturnType<typeof liveChannels>['fake']
  published(): Promise<string>
  applied(change?: Fields): Promise<Applied>
  accepted(): Promise<Applied>
  submitted(): Promise<Submitted>
  completed(): Promise<Submitted>
  cancelled(): Promise<string>
}

export async function openParityStage(): Promise<ParityStage> {
  await using stack = new AsyncDisposableStack()
  const { fake: channels, wired } = liveChannels()
  const live = stack.use(
    await startLiveMarket({ SVC_ADMIN_KEY: adminKey, SVC_PUBLISH_PER_HOUR: '0' }, undefined, { channels: wired }),
  )
  const [publisher, worker, stranger, banned] = [
    await live.party(1_000n),
    await live.party(0n),
    await live.party(0n),
    await live.party(0n),
  ]
  for (const party of [worker, stranger, banned])
    expectStatus(await party.call('POST', '/api/v1/workers/register', { executor_type: 'agent' }), 201)
  expectStatus(
    await asAdmin(live, 'PUT', `/api/v1/admin/workers/${banned.wallet}/ban`, {
      banned: true,
      reason: 'Fake evidence.',
    }),
    200,
  )
  const published = async (): Promise<string> =>
    String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
  const accepted = async (): Promise<Applied> => {
    const job = await applied(publisher, worker)
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    return job
  }
  const submitted = async (): Promise<Submitted> => {
    const job = await accepted()
    const submissionId = await submit(worker, job.taskId)
    // The checks of the evidence run a moment later, and their verdicts are part of what is read.
    await eventually(
      () => worker.call('GET', `/api/v1/submissions/${submissionId}`),
      ({ body }) => body['verification'] === 'done',
    )
    return { ...job, submissionId }
  }
  const owned = stack.move()
  return {
    live,
    publisher,
    worker,
    stranger,
    banned,
    channels,
    published,
    accepted,
    submitted,
    applied: (change = {}) => applied(publisher, worker, change),
    async completed() {
      const job = await submitted()
      expectStatus(
        await publisher.call(
          'POST',
          `/api/v1/submissions/${job.submissionId}/approve`,
          await approveFields(publisher, job.submissionId),
        ),
        200,
      )
      return job
    },
    async cancelled() {
      const id = await published()
      expectStatus(await publisher.call('POST', `/api/v1/tasks/${id}/cancel`, {}), 200)
      return id
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
