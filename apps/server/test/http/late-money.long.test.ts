import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../dispatch/send.ts'
import {
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  expectUndecided,
  paymentAuth,
  submit,
  type Applied,
  type Party,
} from './live-market.ts'
import { startLiveProcesses, type LiveProcesses } from './live-processes.ts'

/** The chain and the facilitator answer late or not at all; every dollar is found where it belongs all the same. */

let market: LiveProcesses
beforeAll(async () => {
  market = await startLiveProcesses({ SVC_SETTLE_WAIT_MS: '400' })
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

type Sides = { readonly publisher: Party; readonly worker: Party; readonly job: Applied }
type Event = { readonly type: string; readonly status: string }

async function twoSides(): Promise<Sides> {
  const [publisher, worker] = [await market.party(5n), await market.party(0n)]
  return { publisher, worker, job: await applied(publisher, worker) }
}

async function assignedTask({ publisher, job }: Sides): Promise<void> {
  const reply = await assign(publisher, job, await paymentAuth(publisher, job))
  if (reply.status !== 200) expectStatus(reply, 202)
  await taskStatus(publisher, job, 'accepted')
}

const taskStatus = async (publisher: Party, job: Applied, status: string): Promise<void> => {
  expect(
    (
      await eventually(
        () => publisher.call('GET', `/api/v1/tasks/${job.taskId}`),
        (reply) => reply.body['status'] === status,
      )
    ).body['status'],
  ).toBe(status)
}

/** Every claim ended, the books balanced, and the worker paid exactly once in them. */
async function expectPaidOnce({ publisher, worker, job }: Sides): Promise<void> {
  await taskStatus(publisher, job, 'completed')
  const health = await eventually(
    () => market.get('/api/v1/health/payments'),
    (reply) => reply.body['in_flight'] === 0 && reply.body['in_doubt'] === 0,
  )
  expect(health.body).toMatchObject({ in_flight: 0, in_doubt: 0, ledger_balanced: true })
  expect(await market.balance(worker.wallet)).toBe(930_900n)
  expect(await market.balance(publisher.wallet)).toBe(3_930_000n)
  const events = (await publisher.call('GET', `/api/v1/payments/events/${job.taskId}`)).body[
    'events'
  ] as readonly Event[] // the contract's output
  expect(events.filter((event) => event.type === 'disburse_worker').map((event) => event.status)).toEqual(['success'])
}

async function whileChainIsPaused<T>(act: () => Promise<T>): Promise<T> {
  const { pid } = market.constellation.chain
  process.kill(pid, 'SIGSTOP')
  try {
    // One thread takes the signal and stops the others: on a busy machine they go on for a while, and mine.
    await eventually(
      () => Promise.resolve(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')),
      (stat) => stat.includes(') T '),
    )
    return await act()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

test('assign while the facilitator answers after the wait is 202 assigning, cannot be doubled, and becomes accepted', async () => {
  const sides = await twoSides()
  const { publisher, job } = sides
  const auth = await paymentAuth(publisher, job)
  market.facilitatorLine.slow(1_500)
  const reply = await assign(publisher, job, auth)
  expect([reply.status, reply.body['status'], reply.body['escrow_tx']]).toEqual([202, 'assigning', null])
  const again = await assign(publisher, job, auth)
  expect([again.status, again.body.detail?.['code'], again.body.detail?.['retryable']]).toEqual([
    409,
    'ESCROW_NOT_ASSIGNABLE',
    true,
  ])
  await taskStatus(publisher, job, 'accepted')
  await market.facilitatorLine.open()
  expect(await market.balance(publisher.wallet)).toBe(3_930_000n)
})

test.each(['slow', 'mute'] as const)(
  'approve while the answers of the facilitator are %s is undecided, cannot be doubled, and pays once',
  async (failure) => {
    const sides = await twoSides()
    const { publisher, worker, job } = sides
    await assignedTask(sides)
    const submissionId = await submit(worker, job.taskId)
    const fields = await approveFields(publisher, submissionId)
    if (failure === 'slow') market.facilitatorLine.slow(1_500)
    else market.facilitatorLine.mute()
    const approve = (): Promise<Reply> => publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields)
    const reply = await approve()
    expectUndecided(reply)
    if (reply.status === 202) expect(reply.body['status']).toBe('approving')
    const again = await approve()
    expect([
      again.status,
      ['APPROVAL_IN_FLIGHT', 'ESCROW_NOT_RELEASABLE'].includes(String(again.body.detail?.['code'])),
    ]).toEqual([409, true])
    await market.facilitatorLine.open()
    await expectPaidOnce(sides)
  },
)

test('approve while the chain is down loses nothing: answered at once, approvable again, paid once', async () => {
  const sides = await twoSides()
  const { publisher, worker, job } = sides
  await assignedTask(sides)
  const submissionId = await submit(worker, job.taskId)
  const fields = await approveFields(publisher, submissionId)
  const approve = (): Promise<Reply> => publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields)
  const reply = await whileChainIsPaused(async () => {
    const first = await approve()
    // The reconciler looks at the claim and finds nobody to ask.
    if (first.status === 202)
      expect(
        (
          await eventually(
            () => market.get('/api/v1/health/payments'),
            (health) => health.body['in_doubt'] === 1,
          )
        ).body['in_doubt'],
      ).toBe(1)
    return first
  })
  expect([202, 502, 503]).toContain(reply.status)
  if (reply.status !== 202) expect(reply.body.detail?.['retryable']).toBe(true)
  await eventually(
    async () => {
      const seen = await publisher.call('GET', `/api/v1/submissions/${submissionId}`)
      if (seen.body['status'] === 'approved') return true
      await approve()
      return false
    },
    (approved) => approved,
  )
  await expectPaidOnce(sides)
})

test('assign and cancel while the chain is down lock and refund at most once', async () => {
  const sides = await twoSides()
  const { publisher, job } = sides
  const auth = await paymentAuth(publisher, job)
  const reply = await whileChainIsPaused(() => assign(publisher, job, auth))
  expect([202, 402, 502, 503]).toContain(reply.status)
  await eventually(
    async () => {
      const task = await publisher.call('GET', `/api/v1/tasks/${job.taskId}`)
      if (task.body['status'] === 'accepted') return true
      await assign(publisher, job, auth)
      return false
    },
    (accepted) => accepted,
  )
  expect(await market.balance(publisher.wallet)).toBe(3_930_000n)
  const cancelled = await whileChainIsPaused(() => publisher.call('DELETE', `/api/v1/tasks/${job.taskId}`))
  expect([200, 202, 502, 503]).toContain(cancelled.status)
  await eventually(
    async () => {
      const task = await publisher.call('GET', `/api/v1/tasks/${job.taskId}`)
      if (task.body['status'] === 'cancelled') return true
      await publisher.call('DELETE', `/api/v1/tasks/${job.taskId}`)
      return false
    },
    (done) => done,
  )
  expect(await market.balance(publisher.wallet)).toBe(5_000_000n)
  const health = await eventually(
    () => market.get('/api/v1/health/payments'),
    (one) => one.body['in_flight'] === 0,
  )
  expect(health.body).toMatchObject({ in_flight: 0, in_doubt: 0, ledger_balanced: true })
})
