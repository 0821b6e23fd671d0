import {
  bytesToHex,
  escrowAuthorizationChallenge,
  hashTypedData,
  lifecycleOrderTypedData,
  networks,
  privateKeySigner,
  relayedGiveFeedbackTypedData,
  transferAuthorizationToWire,
  transferWithAuthorizationTypedData,
  type Address,
  type EscrowTerms,
  type LifecycleOrder,
  type PaymentInfo,
  type RelayedGiveFeedback,
  type TransferAuthorization,
} from '@ergon/protocols'
import type { Arrival, Reply } from './recording-service.ts'

const { localnet } = networks
const lower = (address: string | undefined): Address => (address ?? '').toLowerCase() as Address
export const payer = privateKeySigner('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a')
export const worker = privateKeySigner('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba')
export const stranger = privateKeySigner('0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e')
export const ids = {
  task: '01890000-0000-7000-8000-000000000001',
  worker: '01890000-0000-7000-8000-000000000002',
  submission: '01890000-0000-7000-8000-000000000003',
  listing: '01890000-0000-7000-8000-000000000004',
}
export const token = {
  name: 'USD Coin',
  version: '2',
  chainId: 31337,
  verifyingContract: lower(localnet.tokens['USDC']?.address),
}
export const deployment = {
  escrow: lower(localnet.escrow?.escrow),
  collector: lower(localnet.escrow?.collector),
  operator: lower(localnet.escrow?.operator),
}
export const rating = {
  registry: lower(localnet.erc8004?.reputation),
  delegate: lower(localnet.erc8004?.ratingDelegate),
}
export const treasury: Address = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const hash: `0x${string}` = `0x${'ab'.repeat(32)}`

/** What the market lies about, member by member. */
export type Lies = {
  readonly terms?: Partial<EscrowTerms>
  readonly order?: Partial<LifecycleOrder>
  readonly info?: Partial<PaymentInfo>
  readonly payout?: Partial<TransferAuthorization>
  readonly rating?: Partial<RelayedGiveFeedback>
  readonly prepared?: Readonly<Record<string, unknown>>
  readonly task?: Readonly<Record<string, unknown>>
  readonly document?: Readonly<Record<string, unknown>>
  readonly listing?: Readonly<Record<string, unknown>>
  readonly ordered?: Readonly<Record<string, unknown>>
  readonly reclaim?: Readonly<Record<string, unknown>>
  /** Words of the reclaim call, by their place. */
  readonly call?: Readonly<Record<number, string>>
  /** Rewrites any answer before it is sent. */
  readonly rewrite?: (route: string, body: unknown) => unknown
}
export type MarketOptions = {
  readonly mode?: 'fase1' | 'fase2'
  readonly lies?: Lies
  readonly delegated?: boolean
  /** What the task's status is on each read after a 202. */
  readonly polls?: readonly Readonly<Record<string, unknown>>[]
  readonly failedNote?: string
  /** So many steps are in the payment log from before. */
  readonly stepsBefore?: number
}

/** A market of one task of 1 dollar, one worker and one submission, that can lie about what is to be signed. */
export function smallMarket(options: MarketOptions = {}): (arrival: Arrival) => Reply {
  const { mode = 'fase2', lies = {}, polls = [] } = options
  let decided = false
  let read = 0
  const now = Math.floor(Date.now() / 1_000)
  const task = () => ({
    id: ids.task,
    status: 'published',
    agent_id: payer.address,
    bounty_usd: 1,
    deadline: new Date((now + 86_400) * 1_000).toISOString(),
    executor_id: null,
    payment_network: 'localnet',
    payment_token: 'USDC',
    escrow_status: mode === 'fase1' ? 'none' : 'pending_assignment',
    escrow_tx: null,
    payment_tx: hash,
    ...lies.task,
    ...(decided ? polls[Math.min(read++, polls.length - 1)] : {}),
  })
  const begun = polls.length > 0
  const routes: Readonly<Record<string, (target: string) => unknown>> = {
    [`GET /api/v1/tasks/${ids.task}`]: task,
    [`GET /api/v1/workers/${ids.worker}`]: () => ({ id: ids.worker, wallet_address: worker.address }),
    [`GET /api/v1/tasks/${ids.task}/assign/challenge`]: () => assignChallenge(now, lies),
    [`POST /api/v1/tasks/${ids.task}/assign`]: () => ({
      task_id: ids.task,
      executor_id: ids.worker,
      status: begun ? 'assigning' : 'accepted',
      worker_wallet: worker.address,
      escrow_tx: begun ? null : hash,
      escrow_status: 'authorized',
    }),
    [`GET /api/v1/submissions/${ids.submission}`]: () => ({
      id: ids.submission,
      task_id: ids.task,
      executor_id: ids.worker,
      status: 'pending_review',
      ...(decided ? polls[Math.min(read++, polls.length - 1)] : {}),
    }),
    [`GET /api/v1/submissions/${ids.submission}/approve/challenge`]: () => ({
      submission_id: ids.submission,
      lifecycle_order: null,
      settlement_auth_worker: null,
      settlement_auth_fee: null,
      ...(mode === 'fase1' ? directChallenge(now, lies) : releaseChallenge(now, lies)),
    }),
    [`POST /api/v1/submissions/${ids.submission}/approve`]: () => ({
      task_id: ids.task,
      submission_id: ids.submission,
      status: begun ? 'approving' : 'approved',
      payment_tx: begun ? null : hash,
    }),
    [`GET /api/v1/payments/events/${ids.task}`]: (target) => {
      const steps = Array.from({ length: options.stepsBefore ?? 0 }, (_, at) => ({
        id: `e${String(at)}`,
        status: 'failed',
        note: 'LOCK_REVERTED',
      }))
      if (decided && options.failedNote !== undefined)
        steps.push({ id: 'f', status: 'failed', note: options.failedNote })
      const offset = Number(new URL(target, 'http://market').searchParams.get('offset') ?? 0)
      const events = steps.slice(offset, offset + 100)
      return { events, count: events.length, total: steps.length, has_more: offset + events.length < steps.length }
    },
    [`GET /api/v1/payments/${ids.task}`]: () => ({ fee_tx: hash, release_tx: hash }),
    [`GET /api/v1/h2a/tasks/${ids.task}/assign/challenge`]: () => assignChallenge(now, lies),
    [`POST /api/v1/h2a/tasks/${ids.task}/assign`]: () => ({
      task_id: ids.task,
      executor_id: ids.worker,
      status: begun ? 'assigning' : 'accepted',
      worker_wallet: worker.address,
      escrow_tx: begun ? null : hash,
      escrow_status: 'authorized',
    }),
    [`GET /api/v1/h2a/tasks/${ids.task}/approve/challenge`]: () => ({
      submission_id: ids.submission,
      lifecycle_order: null,
      settlement_auth_worker: null,
      settlement_auth_fee: null,
      ...(mode === 'fase1' ? directChallenge(now, lies) : releaseChallenge(now, lies)),
    }),
    [`POST /api/v1/h2a/tasks/${ids.task}/approve`]: () => ({
      task_id: ids.task,
      submission_id: ids.submission,
      status: begun ? 'approving' : 'approved',
      task_status: 'completed',
      worker_tx: begun ? null : hash,
      fee_tx: null,
      dispute_id: null,
      notes: null,
    }),
    [`GET /api/v1/services/${ids.listing}`]: () => ({
      id: ids.listing,
      seller_executor_id: ids.worker,
      seller_wallet: worker.address,
      unit_price_usd: 1,
      payment_network: 'localnet',
      accepted_networks: ['localnet'],
      ...lies.listing,
    }),
    [`POST /api/v1/services/${ids.listing}/order`]: () => ({
      task_id: ids.task,
      listing_id: ids.listing,
      seller_executor_id: ids.worker,
      bounty_usd: 1,
      payment_network: 'localnet',
      ...lies.ordered,
    }),
    [`GET /api/v1/escrow/task/${ids.task}/reclaim`]: () => ({
      task_id: ids.task,
      chain_id: 31337,
      escrow: deployment.escrow,
      calldata: reclaimCalldata(lies.call),
      payer: payer.address,
      amount_usd: 1,
      eligible_at: new Date().toISOString(),
      eligible: true,
      ...lies.reclaim,
    }),
    'POST /api/v1/reputation/relay/prepare': () => prepareRating(now, options),
    'POST /api/v1/reputation/relay/submit': () => ({
      task_id: ids.task,
      transaction_hash: hash,
      authored_by: payer.address,
    }),
  }
  return ({ method, target }) => {
    const route = `${method} ${target.split('?')[0] ?? ''}`
    const said = routes[route]?.(target)
    const body = lies.rewrite === undefined ? said : lies.rewrite(route, said)
    if (method === 'POST' && !route.endsWith('/order')) decided = true
    return body === undefined ? { status: 404, body: {} } : { status: 200, body }
  }
}

function assignChallenge(now: number, lies: Lies): unknown {
  const challenge = escrowAuthorizationChallenge({
    chainId: 31337,
    ...deployment,
    token,
    payer: payer.address,
    receiver: worker.address,
    amount: 1_000_000n,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    preApprovalExpiry: now + 3_600,
    authorizationExpiry: now + 8 * 86_400,
    refundExpiry: now + 15 * 86_400,
    salt: 7n,
    ...lies.terms,
  })
  const typed_data = { ...challenge.typed_data, message: { ...challenge.typed_data.message, ...lies.document } }
  return {
    task_id: ids.task,
    executor_id: ids.worker,
    accepts: [{ scheme: 'escrow', extra: { typed_data, envelope: challenge.envelope } }],
  }
}

function releaseChallenge(now: number, lies: Lies): object {
  const paymentInfo: PaymentInfo = {
    operator: deployment.operator,
    payer: payer.address,
    receiver: worker.address,
    token: token.verifyingContract,
    maxAmount: 1_000_000n,
    preApprovalExpiry: now + 3_600,
    authorizationExpiry: now + 86_400,
    refundExpiry: now + 2 * 86_400,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    feeReceiver: deployment.operator,
    salt: 2n ** 255n + 9n,
    ...lies.info,
  }
  const order: LifecycleOrder = {
    action: 'release',
    amount: 1_000_000n,
    deadline: now + 600,
    nonce: hash,
    paymentInfo,
    ...lies.order,
  }
  return {
    lifecycle_order: {
      typed_data: lifecycleOrderTypedData(order, 31337),
      order: { action: order.action, deadline: order.deadline, nonce: order.nonce },
    },
  }
}

function directChallenge(now: number, lies: Lies): object {
  const offer = (to: Address, value: bigint, lie: Partial<TransferAuthorization> = {}) => {
    const authorization: TransferAuthorization = {
      from: payer.address,
      to,
      value,
      validAfter: 0n,
      validBefore: BigInt(now + 600),
      nonce: hash,
      ...lie,
    }
    return {
      typed_data: transferWithAuthorizationTypedData(token, authorization),
      envelope: {
        x402Version: 1,
        scheme: 'exact',
        network: 'localnet',
        payload: { authorization: transferAuthorizationToWire(authorization), signature: '0x' },
      },
    }
  }
  return {
    settlement_auth_worker: offer(worker.address, 870_000n, lies.payout),
    settlement_auth_fee: offer(treasury, 130_000n),
  }
}

function prepareRating(now: number, { lies = {}, delegated = false }: MarketOptions): unknown {
  const message: RelayedGiveFeedback = {
    registry: rating.registry,
    agentId: 5n,
    value: 80n,
    valueDecimals: 0,
    tag1: 'worker_rating',
    tag2: 'simple_action',
    endpoint: '',
    feedbackURI: 'http://127.0.0.1/feedback',
    feedbackHash: hash,
    deadline: now + 600,
    nonce: hash,
    ...lies.rating,
  }
  const typed_data = relayedGiveFeedbackTypedData({ chainId: 31337, verifyingContract: payer.address }, message)
  return {
    task_id: ids.task,
    direction: 'publisher_rates_executor',
    score: 80,
    network: 'localnet',
    ratee_agent_id: 5,
    rater_wallet: payer.address,
    deadline: message.deadline,
    nonce: hash,
    tag1: message.tag1,
    tag2: message.tag2,
    endpoint: '',
    feedback_uri: message.feedbackURI,
    feedback_hash: hash,
    digest: bytesToHex(hashTypedData(typed_data)),
    typed_data,
    chain_id: 31337,
    delegate: rating.delegate,
    delegated,
    account_nonce: 0,
    rater_role: 'publisher',
    ratee_role: 'worker',
    ...lies.prepared,
  }
}

/** `reclaim(PaymentInfo)`, its first five words those of the one payment here. */
export function reclaimCalldata(lies: Readonly<Record<number, string>> = {}): string {
  const truth = [deployment.operator, payer.address, worker.address, token.verifyingContract, '0xf4240']
  return `0xe1a2a66d${Array.from({ length: 12 }, (_, index) => (lies[index] ?? truth[index] ?? '0x01').slice(2).padStart(64, '0')).join('')}`
}
