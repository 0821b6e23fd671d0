import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../dispatch/send.ts'
import {
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  submit,
  type Applied,
  type Party,
} from './live-market.ts'
import { startLiveProcesses, type LiveProcesses } from './live-processes.ts'

/**
 * Everybody does everything at once while the line to the facilitator fails; in the end every dollar is where its task
 * says.
 */

let market: LiveProcesses
beforeAll(async () => {
  market = await startLiveProcesses({ SVC_SETTLE_WAIT_MS: '500' })
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

type Sides = { readonly publisher: Party; readonly worker: Party; readonly job: Applied }
type Act = (sides: Sides) => Promise<Reply>

const lines = ['good', 'slow', 'mute', 'closed', 'stopped'] as const

const cancel: Act = ({ publisher, job }) => publisher.call('DELETE', `/api/v1/tasks/${job.taskId}`)
const refund: Act = ({ publisher, job }) => publisher.call('POST', `/api/v1/escrow/${job.taskId}/refund`, {})
const submitText: Act = ({ worker, job }) =>
  worker.call('POST', `/api/v1/tasks/${job.taskId}/submit`, { evidence: { text_response: 'done' } })

async function withLine<T>(line: (typeof lines)[number], act: () => Promise<T>): Promise<T> {
  const { facilitatorLine, constellation } = market
  if (line === 'slow') facilitatorLine.slow(800)
  if (line === 'mute') facilitatorLine.mute()
  if (line === 'closed') await facilitatorLine.close()
  if (line === 'stopped') process.kill(constellation.chain.pid, 'SIGSTOP')
  try {
    return await act()
  } finally {
    if (line === 'stopped') process.kill(constellation.chain.pid, 'SIGCONT')
    await facilitatorLine.open()
  }
}

async function quiet(): Promise<void> {
  const health = await eventually(
    () => market.get('/api/v1/health/payments'),
    (reply) => reply.body['in_flight'] === 0 && reply.body['in_doubt'] === 0,
    60_000,
  )
  expect(health.body).toMatchObject({ in_flight: 0, in_doubt: 0, ledger_balanced: true })
}

const settled: Readonly<Record<string, readonly [publisher: bigint, worker: bigint]>> = {
  'published/pending_assignment': [5_000_000n, 0n],
  'cancelled/pending_assignment': [5_000_000n, 0n],
  'cancelled/refunded': [5_000_000n, 0n],
  'accepted/authorized': [3_930_000n, 0n],
  'in_progress/authorized': [3_930_000n, 0n],
  'verifying/authorized': [3_930_000n, 0n],
  'disputed/authorized': [3_930_000n, 0n],
  'completed/released': [3_930_000n, 930_900n],
}

/** What the chain holds for both sides is what the status of their task says. */
async function expectSettled({ publisher, worker, job }: Sides): Promise<void> {
  const task = await publisher.call('GET', `/api/v1/tasks/${job.taskId}`)
  const state = `${String(task.body['status'])}/${String(task.body['escrow_status'])}`
  expect(Object.keys(settled)).toContain(state)
  expect([state, await market.balance(publisher.wallet), await market.balance(worker.wallet)]).toEqual([
    state,
    ...(settled[state] ?? []),
  ])
}

async function sides(): Promise<Sides> {
  const [publisher, worker] = [await market.party(5n), await market.party(0n)]
  return { publisher, worker, job: await applied(publisher, worker) }
}

/** One after the other: the minter's account counts its transactions. */
async function fourSides(): Promise<readonly Sides[]> {
  return [await sides(), await sides(), await sides(), await sides()]
}

/**
 * The acts in turn, the distance growing with the index, so that each case meets the money at another point of its way.
 */
function later(index: number, acts: readonly (() => Promise<Reply>)[]): readonly Promise<Reply>[] {
  return acts.map(async (act, place) => {
    await pause(index * (place + 1) * 12)
    return act()
  })
}

function expectNoFault(replies: readonly Reply[]): void {
  for (const reply of replies) if (reply.status === 500) throw new Error(JSON.stringify(reply.body))
}

test.each(lines)('assigning twice, cancelling and submitting at once over a line that is %s', async (line) => {
  const all = await fourSides()
  const auths = await Promise.all(
    all.map(
      async ({ publisher, job }) => [await paymentAuth(publisher, job), await paymentAuth(publisher, job)] as const,
    ),
  )
  const replies = await withLine(line, () =>
    Promise.all(
      all.flatMap((one, index) => [
        ...(auths[index] ?? []).map((auth) => assign(one.publisher, one.job, auth)),
        ...later(index, [() => cancel(one), () => submitText(one), () => cancel(one), () => refund(one)]),
      ]),
    ),
  )
  expectNoFault(replies)
  await quiet()
  for (const one of all) await expectSettled(one)
})

test.each(lines)(
  'approving twice, rejecting, cancelling and asking for changes at once over a line that is %s',
  async (line) => {
    const all = await fourSides()
    const ready = await Promise.all(
      all.map(async (one) => {
        expectStatus(await assign(one.publisher, one.job, await paymentAuth(one.publisher, one.job)), 200)
        const submission = await submit(one.worker, one.job.taskId)
        return {
          ...one,
          submission,
          fields: await Promise.all([
            approveFields(one.publisher, submission),
            approveFields(one.publisher, submission),
          ]),
        }
      }),
    )
    const replies = await withLine(line, () =>
      Promise.all(
        ready.flatMap((one, index) => {
          const decide = (verdict: string, body: unknown): Promise<Reply> =>
            one.publisher.call('POST', `/api/v1/submissions/${one.submission}/${verdict}`, body)
          return [
            decide('approve', one.fields[0]),
            decide('approve', one.fields[1]),
            ...later(index, [
              () => cancel(one),
              () => decide('reject', { reason: 'This is not what was asked for.' }),
              () => decide('request-changes', { reason: 'Please write a little more about it.' }),
              () => submitText(one),
              () => refund(one),
            ]),
          ]
        }),
      ),
    )
    expectNoFault(replies)
    await quiet()
    for (const one of ready) await expectSettled(one)
  },
)
