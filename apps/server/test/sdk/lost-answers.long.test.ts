import { SettlementPending, privateKeySigner, type Client } from '@ergon/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type Party } from '../http/live-market.ts'
import { startLineToMarket, type LineToMarket } from './line-to-market.ts'

/**
 * Whatever answer is lost, a job ends exactly once; and while money is on its way a client says so, not that it failed.
 */

let market: LineToMarket
beforeAll(async () => {
  market = await startLineToMarket({ SVC_SETTLE_WAIT_MS: '500' })
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

type Sides = { readonly publisher: Client; readonly worker: Client; readonly payer: Party; readonly payee: Party }

async function sides(options: Parameters<LineToMarket['client']>[0] = {}): Promise<Sides> {
  const [payer, payee] = [await market.live.party(5n), await market.live.party(0n)]
  const clientOf = ({ key }: Party): Client => market.client({ ...options, signer: privateKeySigner(key) })
  return { publisher: clientOf(payer), worker: clientOf(payee), payer, payee }
}

const offer = {
  title: 'Photograph the gate',
  instructions: 'Stand in front of the gate and write what you see.',
  category: 'simple_action',
  bounty_usd: 1.07,
  evidence_required: ['text_response'],
} as const

async function publishedAndApplied({ publisher, worker }: Sides) {
  const { id: task_id } = await publisher.tasks.publish({ ...offer, evidence_required: ['text_response'] })
  const { executor_id } = await worker.tasks.apply({ task_id, message: 'I am near.' })
  return { task_id, executor_id }
}

async function accepted(all: Sides) {
  const job = await publishedAndApplied(all)
  await all.publisher.assignWorker(job)
  return job
}

async function submitted(all: Sides) {
  const job = await accepted(all)
  const { submission_id } = await all.worker.tasks.submit({
    task_id: job.task_id,
    evidence: { text_response: 'It is open.' },
  })
  return { ...job, submission_id }
}

/** Jobs by how they end, and what is left then with the two of them. */
const jobs = {
  'is paid': {
    act: async (all: Sides) => all.publisher.approveSubmission({ submission_id: (await submitted(all)).submission_id }),
    left: [3_930_000n, 930_900n],
    status: 'completed',
  },
  'is cancelled': {
    act: async (all: Sides) => all.publisher.cancelTask({ task_id: (await accepted(all)).task_id }),
    left: [5_000_000n, 0n],
    status: 'cancelled',
  },
  'is left by its worker': {
    act: async (all: Sides) => all.worker.withdrawFromTask({ task_id: (await accepted(all)).task_id }),
    left: [5_000_000n, 0n],
    status: 'published',
  },
} as const

describe.each(Object.entries(jobs))('a job that %s', (_name, { act, left, status }) => {
  test('does so once, whichever answer of the service is lost on the way', async () => {
    for (let after = 0; ; after += 1) {
      const all = await sides()
      const loss = market.line.loseAnswer(after)
      await act(all)
      loss.forget()
      const balances = [await market.live.balance(all.payer.wallet), await market.live.balance(all.payee.wallet)]
      expect([after, ...balances]).toEqual([after, ...left])
      const { tasks } = await all.publisher.tasks.list({ publisher: all.payer.wallet })
      expect([after, tasks.map((task) => task.status)]).toEqual([after, [status]])
      if (!loss.hasHappened()) break
      if (after > 60) throw new Error('it goes on and on')
    }
    const health = await eventually(
      () => market.live.get('/api/v1/health/payments'),
      ({ body }) => body['in_flight'] === 0 && body['in_doubt'] === 0,
      30_000,
    )
    expect(health.body).toMatchObject({ in_flight: 0, in_doubt: 0, ledger_balanced: true })
  }, 300_000)
})

describe('while nobody can say where the money is', () => {
  /**
   * What an impatient client says while facilitator and chain are silent, and what a patient one says that makes the
   * same call later.
   */
  async function twice<T>(
    of: (all: Sides) => Party,
    all: Sides,
    taskId: string,
    call: (client: Client) => Promise<T>,
  ): Promise<{ readonly meanwhile: unknown; readonly later: T }> {
    const { facilitatorLine, chainLine } = market.live.rig
    const signer = privateKeySigner(of(all).key)
    facilitatorLine.mute()
    const asked = call(market.client({ signer, patienceMs: 2_000 })).catch((error: unknown) => error)
    await eventually(
      () => market.live.get('/api/v1/health/payments'),
      ({ body }) => body['in_flight'] !== 0 || body['in_doubt'] !== 0,
    )
    chainLine.mute()
    const meanwhile: unknown = await asked
    await Promise.all([facilitatorLine.open(), chainLine.open()])
    expect((await all.publisher.tasks.get({ task_id: taskId })).id).toBe(taskId)
    return { meanwhile, later: await call(market.client({ signer })) }
  }
  const ofPayer = ({ payer }: Sides): Party => payer
  const isPending = (task_id: string) =>
    expect.objectContaining({
      code: 'SETTLEMENT_PENDING',
      pending: true,
      retryable: true,
      taskId: task_id,
      idempotencyKey: expect.stringMatching(/./) as string,
    }) as unknown
  const aHash = expect.stringMatching(/^0x/) as string

  test('an assignment is pending, and the same call ends with one lock', async () => {
    const all = await sides()
    const job = await publishedAndApplied(all)
    const { meanwhile, later } = await twice(ofPayer, all, job.task_id, (client) => client.assignWorker(job))
    expect(meanwhile).toBeInstanceOf(SettlementPending)
    expect(meanwhile).toEqual(isPending(job.task_id))
    expect(later).toMatchObject({ status: 'accepted', executor_id: job.executor_id, escrow_tx: aHash })
    expect(await market.live.balance(all.payer.wallet)).toBe(3_930_000n)
  })

  test('a payment is pending, and the same call ends with one payment', async () => {
    const all = await sides()
    const { task_id, submission_id } = await submitted(all)
    const { meanwhile, later } = await twice(ofPayer, all, task_id, (client) =>
      client.approveSubmission({ submission_id }),
    )
    expect(meanwhile).toEqual(isPending(task_id))
    expect(later).toMatchObject({
      status: 'approved',
      payment_mode: 'fase2',
      gross_amount_usdc: 1.07,
      worker_net_usdc: 0.9309,
      platform_fee_usdc: 0.1391,
      payment_tx: aHash,
    })
    expect([await market.live.balance(all.payee.wallet), await market.live.balance(all.payer.wallet)]).toEqual([
      930_900n,
      3_930_000n,
    ])
  })

  test('a cancellation is pending, and the same call ends with the money back', async () => {
    const all = await sides()
    const { task_id } = await accepted(all)
    const { meanwhile, later } = await twice(ofPayer, all, task_id, (client) => client.cancelTask({ task_id }))
    expect(meanwhile).toEqual(isPending(task_id))
    expect(later).toMatchObject({ id: task_id, status: 'cancelled', refund_tx: aHash })
    expect(await market.live.balance(all.payer.wallet)).toBe(5_000_000n)
  })

  test('a step down is pending, and the same call ends with the money back', async () => {
    const all = await sides()
    const { task_id } = await accepted(all)
    const { meanwhile, later } = await twice(
      ({ payee }) => payee,
      all,
      task_id,
      (client) => client.withdrawFromTask({ task_id }),
    )
    expect(meanwhile).toEqual(isPending(task_id))
    expect(later).toMatchObject({ task_id, state: 'withdrawn', status: 'published' })
    expect(await market.live.balance(all.payer.wallet)).toBe(5_000_000n)
  })
})
