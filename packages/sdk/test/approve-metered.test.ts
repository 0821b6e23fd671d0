import { describe, expect, test } from 'vitest'
import { ChallengeMismatch, createClient, ErgonError, type ApproveSubmissionInput } from '../src/index.ts'
import { recordingService, type Reply } from './recording-service.ts'
import { ids, payer, stranger, worker } from './small-market.ts'

type World = {
  readonly task?: object
  /** What the meter says each time it is read; the last goes on. */
  readonly meters?: readonly string[]
  readonly isMetered?: false
  /** What the approval answers, one after the other. */
  readonly answers?: readonly Reply[]
  /** Whether the work is approved once the approval was asked for so often. */
  readonly approvedAfter?: number
}
const tx = '3'.repeat(64)
const fine: Reply = { body: { task_id: ids.task, submission_id: ids.submission, status: 'approved', payment_tx: tx } }
const underWay: Reply = { body: { task_id: ids.task, submission_id: ids.submission, status: 'approving' } }
const inFlight: Reply = { status: 409, body: { code: 'APPROVAL_IN_FLIGHT', message: 'under way', retryable: false } }

/** Approves work of one metered task, and tells what was sent and how often the wallet signed a document. */
async function approved(
  { task = {}, meters = ['open'], isMetered, answers = [fine], approvedAfter = 1 }: World,
  input: Partial<ApproveSubmissionInput> = {},
) {
  let [posted, read, documents] = [0, 0, 0]
  const meter = () => ({
    state: meters[Math.min(read++, meters.length - 1)],
    ...{ settled_usd: 0.1, consumed_usd: 0.1, worker_usd: 0.087, fee_usd: 0.013, settlement_tx: tx },
  })
  const none: Reply = { status: 404, body: { code: 'TASK_NOT_FOUND', message: 'none' } }
  const routes: Readonly<Record<string, () => Reply>> = {
    [`GET /api/v1/submissions/${ids.submission}`]: () => ({
      body: {
        ...{ id: ids.submission, task_id: ids.task, executor_id: ids.worker },
        status: posted >= approvedAfter ? 'approved' : 'pending_review',
      },
    }),
    [`GET /api/v1/tasks/${ids.task}`]: () => ({
      body: {
        ...{ id: ids.task, agent_id: payer.address, bounty_usd: 1, payment_network: 'solana', payment_token: 'USDC' },
        ...{ escrow_status: 'none', payment_tx: tx, ...task },
      },
    }),
    [`GET /api/v1/tasks/${ids.task}/meter`]: () => (isMetered === false ? none : { body: meter() }),
    [`GET /api/v1/workers/${ids.worker}`]: () => ({ body: { id: ids.worker, wallet_address: worker.address } }),
    [`GET /api/v1/payments/${ids.task}`]: () => ({ body: { fee_tx: null, release_tx: tx, payment_mode: 'fase2' } }),
    'GET /api/v1/config': () => ({ body: { payment_mode: 'fase2' } }),
    [`POST /api/v1/submissions/${ids.submission}/approve`]: () => {
      posted += 1
      return answers[Math.min(posted, answers.length) - 1] ?? fine
    },
  }
  await using service = await recordingService(({ method, target }) => {
    return routes[`${method} ${target.split('?')[0] ?? ''}`]?.() ?? { status: 404, body: {} }
  })
  const signer = {
    ...payer,
    signTypedData: (document: Parameters<typeof payer.signTypedData>[0]) => {
      documents += 1
      return payer.signTypedData(document)
    },
  }
  const client = createClient({ baseUrl: service.url, signer, chainId: 31337, wait: () => Promise.resolve() })
  const outcome = await client.approveSubmission({ submission_id: ids.submission, ...input }).then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  )
  const sent = service.arrivals.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as unknown)
  return { ...outcome, documents, sent }
}

describe('metered work', () => {
  test('is approved without a signature, and its sum is what was accepted', async () => {
    const { value, documents, sent } = await approved({}, { rating: 90, feedback: 'All of them.' })
    expect(value).toMatchObject({
      ...{ status: 'approved', network: 'solana', payment_tx: tx, fee_tx: tx },
      ...{ gross_amount_usdc: 0.1, worker_net_usdc: 0.087, platform_fee_usdc: 0.013 },
    })
    expect(documents).toBe(0)
    expect(sent).toEqual([{ rating: 90, feedback: 'All of them.' }])
  })

  test.each<[string, World, number]>([
    ['is not asked for again where it was approved', { approvedAfter: 0 }, 0],
    ['is waited for until its channel has paid', { answers: [underWay], meters: ['open', 'closing', 'settled'] }, 1],
    ['comes after an end that is under way', { meters: ['closing', 'closing', 'settled'] }, 1],
    ['goes on where another approval is under way', { answers: [inFlight], meters: ['open', 'closing', 'settled'] }, 1],
  ])('%s', async (_what, world, posts) => {
    const { value, error, sent } = await approved(world)
    expect([value?.status, error, sent.length]).toEqual(['approved', undefined, posts])
  })

  test.each<[string, World, Partial<ApproveSubmissionInput>]>([
    ['bounty', {}, { bounty_usd: 2 }],
    ['network', {}, { payment_network: 'base' }],
    ['token', {}, { payment_token: 'EURC' }],
    ['worker wallet', {}, { worker_wallet: stranger.address }],
    ['payer', { task: { agent_id: stranger.address } }, {}],
  ])('of another %s than was agreed is not approved', async (term, world, pins) => {
    const { error, sent } = await approved(world, pins)
    expect([error instanceof ChallengeMismatch, (error as ChallengeMismatch).term, sent]).toEqual([true, term, []])
  })

  test('that the service refuses is refused with its words', async () => {
    const refusal: Reply = { status: 409, body: { code: 'PAYOUT_NON_POSITIVE', message: 'Nothing was accepted.' } }
    const { error } = await approved({ answers: [refusal], approvedAfter: 9 })
    expect(error instanceof ErgonError && error.code).toBe('PAYOUT_NON_POSITIVE')
  })

  test('whose approval stays in doubt throws the doubt', async () => {
    const { error } = await approved({ answers: [inFlight], approvedAfter: 9 })
    expect(error instanceof ErgonError && error.code).toBe('APPROVAL_IN_FLIGHT')
  })
})

test('a bounty on Solana without a meter says whose signature it needs, and nothing is sent', async () => {
  const { error, sent } = await approved({ isMetered: false })
  expect([error instanceof TypeError, String(error), sent]).toEqual([
    true,
    expect.stringContaining('submissions.approveChallenge'),
    [],
  ])
})
