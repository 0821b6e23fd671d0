import type {
  AcceptedTick,
  Channel,
  ChannelOrder,
  Distribution,
  Finding,
  Following,
  Movement,
  NewEvent,
  NewTask,
  Offer,
  Payment,
  Rating,
  RailOrder,
  Ruling,
  Settlement,
  SettlementPurpose,
  Store,
} from '@ergon/core'
import { aSubmission, aTask } from '@ergon/core/testing'

/** Ids as they are everywhere: UUIDs, a number of a kind. */
export const uuid = (kind: number, n: number): string =>
  `01950000-0000-7000-8${kind.toString(16).padStart(3, '0')}-${n.toString(16).padStart(12, '0')}`
export const taskId = (t: number): string => uuid(1, t)
export const workerId = (w: number): string => uuid(2, w)
export const submissionId = (t: number): string => uuid(3, t)
export const disputeId = uuid(4, 0)
export const settlementId = (n: number): string => uuid(5, n)
export const ratingId = (n: number): string => uuid(6, n)

export const start = new Date('2026-11-21T12:00:00Z')
/** Every moment is its own, so that no two rows are due at once. */
export const later = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000)

export const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 } as const
export const wallets = [
  '0x1111111111111111111111111111111111111111',
  '0x2222222222222222222222222222222222222222',
  '0x3333333333333333333333333333333333333333',
] as const
export const publisherWallet = wallets[0]
export const workerWallet = (w: number): string => wallets[w + 1] ?? wallets[1]

export const payment = (t: number, turn = 0): Payment => ({
  network: 'localnet',
  asset,
  operator: '0xop',
  payer: publisherWallet,
  receiver: workerWallet(0),
  token: 'token',
  maxAmount: 10_000_000n,
  preApprovalExpiry: 1,
  authorizationExpiry: 2,
  refundExpiry: 3,
  minFeeBps: 0,
  maxFeeBps: 1_300,
  feeReceiver: '0xop',
  salt: BigInt(turn),
  hash: `0xhash${String(t)}${String(turn)}`,
})

export const channelId = (n: number): string => `channel ${String(n)}`
export const meterTerms = { unit: 'scan', price: 7n, cap: 1_000n } as const

export const channel = (n: number, t: number, w: number): Channel => ({
  ...{ id: channelId(n), taskId: taskId(t), executorId: workerId(w), asset },
  ...{
    payer: 'buyer',
    payee: 'operator',
    worker: 'worker',
    voucherSigner: 'operator',
    voucherKey: null,
    status: 'open',
  },
  ...{ unit: 'scan', price: 7n, limit: 10n ** 12n, deposit: 10n ** 12n, measured: 0n, cumulative: 0n },
  ...{ measuredUntil: later(n), vouchers: 0, signature: null, boundAt: later(n), updatedAt: later(n) },
  ...{ closing: null, paid: null, end: null },
})

/** An order of the first channel. */
export const channelOrder = (n: number): ChannelOrder => ({
  ...{ id: uuid(14, n), channelId: channelId(0), act: n % 2 === 0 ? 'end' : 'reclaim', wire: 'AA==' },
  ...{ signature: `order ${String(n)}`, lastValidHeight: BigInt(n), settled: 7n, deposit: 10n ** 12n },
  ...{ status: 'sent', sentAt: later(n) },
})

/** A tick of the first channel. */
export const tick = (n: number, key: string | null): AcceptedTick => ({
  ...{
    id: uuid(13, n),
    channelId: channelId(0),
    index: n,
    amount: 7n,
    cumulative: BigInt(n) * 7n,
    measured: BigInt(n),
  },
  ...{ signature: `signed ${String(n)}`, evidence: { seen: n }, note: null, author: publisherWallet, at: later(n) },
  idempotency: key === null ? null : { key, bodyHash: 'body' },
})

const order = (purpose: SettlementPurpose, t: number): RailOrder => {
  const amount = { atomic: 10_000_000n, asset }
  if (purpose === 'payout' || purpose === 'fee') {
    return {
      kind: 'charge',
      key: `charge:${purpose}`,
      transfer: {
        network: 'localnet',
        amount,
        from: publisherWallet,
        to: workerWallet(0),
        token: 'token',
        nonce: `0x${purpose}`,
        validAfter: 0n,
        validBefore: 9n,
        signature: '0x',
      },
    }
  }
  if (purpose === 'lock')
    return {
      kind: 'authorize',
      key: `authorize:${String(t)}`,
      payment: payment(t),
      authorization: { validAfter: 0n, validBefore: 9n, nonce: '0xlock', signature: '0x' },
    }
  return { kind: 'void', key: `void:${String(t)}`, payment: payment(t), amount, issuedAt: 1 }
}

export const purposes = [
  'lock',
  'release',
  'refund',
  'payout',
  'fee',
  'award',
  'remainder',
  'return',
  'stepdown',
  'stray',
] as const satisfies readonly SettlementPurpose[]

export function settlement(n: number, purpose: SettlementPurpose, t: number): Settlement {
  const subject =
    purpose === 'lock'
      ? taskId(t)
      : purpose === 'payout' || purpose === 'fee'
        ? `${purpose}:${submissionId(t)}`
        : payment(t).hash
  return {
    id: settlementId(n),
    taskId: taskId(t),
    submissionId: purpose === 'lock' || purpose === 'refund' || purpose === 'stepdown' ? null : submissionId(t),
    executorId: workerId(0),
    purpose,
    subject,
    order: order(purpose, t),
    status: 'claimed',
    txHash: null,
    attempts: 0,
    sentUntil: n % 2 === 0 ? later(n) : null,
    isWaiting: false,
    mustLand: purpose === 'fee',
    rating: null,
    offerId: null,
    createdAt: later(-1_000 + n),
  }
}

/** Logs of two payments; two of them stand in one transaction. */
export const movement = (k: number, n: number, kind: Movement['kind'] = 'captured'): Movement => ({
  network: 'localnet',
  txHash: `0xtx${String(k % 2)}`,
  logIndex: k % 3,
  blockNumber: BigInt(5 + (k % 2)),
  hash: payment(k % 2).hash,
  kind,
  atomic: BigInt(n + 1),
  feeBps: kind === 'captured' ? 1_300 : null,
})

export const distribution = (k: number): Distribution => ({
  network: 'localnet',
  txHash: `0xsweep${String(k % 2)}`,
  logIndex: (k % 3) - 1,
  blockNumber: BigInt(4 + (k % 4)),
  asset,
  atomic: 5n,
})

export const following = (n: number, k: number): Following => ({
  network: 'localnet',
  first: BigInt(n),
  followed: { number: BigInt(n % 7), at: later(n) },
  head: { number: BigInt(k), at: later(n + 1) },
  readAt: later(n),
})

export function rating(n: number, t: number, direction: Rating['direction'], status: Rating['status']): Rating {
  return {
    id: ratingId(n),
    taskId: taskId(t),
    direction,
    rater: publisherWallet,
    ratee: workerWallet(0),
    terms: {
      network: 'localnet',
      agentId: 7,
      score: 80,
      tag1: 'a',
      tag2: 'b',
      endpoint: '',
      feedbackUri: 'u',
      feedbackHash: '0x',
    },
    comment: null,
    document: new Uint8Array([1, 2, n % 256]),
    status,
    txHash: null,
    feedbackIndex: null,
    attempts: 0,
  }
}

export function task(t: number): NewTask {
  return {
    ...aTask({
      id: taskId(t),
      createdAt: later(-5_000 + t),
      updatedAt: later(-5_000 + t),
      deadline: later(5_000 + t),
      publisherWallet,
    }),
    paymentAuth: null,
  }
}

export function event(n: number, t: number, w: number | null): NewEvent {
  return w === null
    ? ({
        id: uuid(7, n),
        type: 'task.expired',
        taskId: taskId(t),
        at: later(n),
        data: { task_id: taskId(t) },
      } satisfies NewEvent<'task.expired'>)
    : ({
        id: uuid(7, n),
        type: 'worker.applied',
        taskId: taskId(t),
        at: later(n),
        data: { task_id: taskId(t), application_id: uuid(8, n), executor_id: workerId(w) },
      } satisfies NewEvent<'worker.applied'>)
}

export function created(n: number, t: number): NewEvent<'task.created'> {
  return {
    id: uuid(9, n),
    type: 'task.created',
    taskId: taskId(t),
    at: later(n),
    data: {
      task_id: taskId(t),
      title: 'Photograph the gate',
      category: 'simple_action',
      bounty_usd: 10,
      network: 'localnet',
    },
  }
}

export function finding(scope: string, subject: number, n: number): Finding & { readonly scope: string } {
  return {
    scope,
    kind: 'stuck',
    subject: String(subject),
    taskId: taskId(0),
    settlementId: null,
    network: 'localnet',
    asset,
    atomic: BigInt(n),
    detail: `seen ${String(n)}`,
  }
}

/** Two tasks, two workers, one submission in dispute, money under way: something of everything. */
export async function fill(store: Store): Promise<void> {
  for (const t of [0, 1]) await store.publish(task(t), created(t, t), { key: `key ${String(t)}`, bodyHash: 'body' })
  for (const w of [0, 1]) await store.putWorker({ id: workerId(w), wallet: workerWallet(w), at: start })
  await store.putIdentity('localnet', workerWallet(0), { agentId: 7, txHash: null }, start)
  await store.leaseSweep({ id: uuid(10, 0), asset, key: 'sweep 0', attempts: 0 }, later(-900), later(-800))
  await store.transaction(async (tx) => {
    await tx.insertApplication({
      id: uuid(8, 0),
      taskId: taskId(0),
      executorId: workerId(0),
      status: 'pending',
      message: 'near',
      createdAt: start,
    })
    await tx.insertSubmission(
      aSubmission({ id: submissionId(0), taskId: taskId(0), executorId: workerId(0), submittedAt: start }),
    )
    await tx.addVerification(
      aSubmission({ id: submissionId(0), taskId: taskId(0), executorId: workerId(0), submittedAt: start }),
      { device: { clock: null, utcOffsetMin: null }, files: [], fix: null },
    )
    await tx.insertDispute({
      id: disputeId,
      taskId: taskId(0),
      submissionId: submissionId(0),
      status: 'open',
      openedBy: 'worker',
      reason: 'quality_issue' as never,
      description: 'no',
      criteria: [],
      resolution: null,
      resolvedAt: null,
      createdAt: start,
    })
    await tx.putEscrow(taskId(0), payment(0))
    for (const [n, purpose] of (['refund', 'payout', 'fee', 'remainder'] as const).entries())
      await tx.claimSettlement(settlement(n, purpose, purpose === 'refund' ? 1 : 0), later(-700 + n))
    await tx.post({
      id: uuid(11, 0),
      taskId: taskId(0),
      asset,
      at: start,
      postings: [
        { account: 'wallet:a', atomic: -10_000_000n },
        { account: `escrow:${payment(0).hash}`, atomic: 10_000_000n },
      ],
    })
    await tx.putRating(rating(0, 0, 'publisher_rates_executor', 'due'), later(-600), later(-601))
    await tx.insertChannel(channel(0, 0, 0))
    await tx.addMovement(movement(0, 0, 'authorized'), { taskId: taskId(0), settlementId: null })
  })
}

export const offerId = (n: number): string => uuid(20, n)
export const rulingId = (n: number): string => uuid(21, n)

export function offer(n: number, t: number, w: number, isPaid: boolean): Offer {
  return {
    id: offerId(n),
    taskId: taskId(t),
    executorId: workerId(w),
    side: n % 2 === 0 ? 'publisher' : 'worker',
    words: {
      network: asset.network,
      payment: payment(t).hash,
      payer: publisherWallet,
      worker: workerWallet(w),
      asset,
      toWorker: BigInt(n),
      toPayer: 5n,
      nonce: `0x${String(n)}`,
    },
    message: n % 3 === 0 ? 'Half of it.' : null,
    signature: '0xsigned',
    answer: null,
    payments: isPaid ? { payout: '{}', fee: null } : null,
    status: 'open',
    createdAt: later(n),
    expiresAt: later(n + 3_600),
    endedAt: null,
  }
}

export function ruling(n: number, t: number): Ruling {
  return {
    id: rulingId(n),
    disputeId,
    taskId: taskId(t),
    arbiter: publisherWallet,
    verdict: 'split',
    splitPct: 40,
    reason: 'Half of it is there.',
    criteria: ['The gate is on it.'],
    nonce: `0x${String(n)}`,
    deadline: later(n + 600),
    signature: '0xsigned',
    status: 'standing',
    appealedBy: null,
    appealReason: null,
    createdAt: later(n),
    appealUntil: later(n + 86_400),
    endedAt: null,
  }
}
