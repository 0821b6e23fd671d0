import type { Dispute } from '../disputes/dispute.ts'
import type { Movement, MovementKind } from '../escrow/movement.ts'
import type { DirectPayment } from '../escrow/direct-payment.ts'
import type { Payment } from '../escrow/payment.ts'
import type { Place } from '../flows/close-dispute.ts'
import type { CaptureOrder, ChargeOrder, RailOrder, VoidOrder } from '../settlements/order.ts'
import { claimed, type Settlement } from '../settlements/settlement.ts'
import type { Offer } from '../settlement-offers/offer.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import { aSubmission, aTask } from './factories.ts'
import { scriptedDeps, scriptedNow, type Script, type ScriptedDeps } from './scripted-deps.ts'

/** A task whose bounty of 10 USDC is held, and all that may belong to its end. */

const now = scriptedNow
const seconds = Math.floor(now.getTime() / 1_000)
const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }

export const payment: Payment = {
  network: 'localnet',
  asset,
  operator: 'operator',
  payer: 'payer',
  receiver: 'receiver',
  token: 'token',
  maxAmount: 10_000_000n,
  preApprovalExpiry: seconds + 3_600,
  authorizationExpiry: seconds + 86_400,
  refundExpiry: seconds + 172_800,
  minFeeBps: 0,
  maxFeeBps: 1_300,
  feeReceiver: 'operator',
  salt: 1n,
  hash: 'hash',
}

export const heldTask = (change: Partial<Task> = {}): Task & { readonly paymentAuth: null } => ({
  ...aTask({
    id: 'task',
    status: 'verifying',
    escrowStatus: 'releasing',
    publisherWallet: 'payer',
    executorId: 'executor',
    deadline: new Date(now.getTime() + 1),
    ...change,
  }),
  paymentAuth: null,
})

const amount = (atomic: bigint) => ({ atomic, asset })
const step = (atomic: bigint) => ({ key: 'key', payment, amount: amount(atomic), issuedAt: seconds })
export const authorize: RailOrder = {
  kind: 'authorize',
  key: 'key',
  payment,
  authorization: { validAfter: 0n, validBefore: BigInt(seconds + 60), nonce: 'nonce', signature: '0x' },
}
export const capture = (atomic = payment.maxAmount): CaptureOrder => ({ ...step(atomic), kind: 'capture', order: null })
export const giveBackOf = (atomic = payment.maxAmount): VoidOrder => ({ ...step(atomic), kind: 'void' })
export const charge = (change: Partial<DirectPayment> = {}): ChargeOrder => ({
  kind: 'charge',
  key: 'key',
  transfer: {
    network: 'localnet',
    amount: amount(8_700_000n),
    token: 'token',
    from: 'payer',
    to: 'receiver',
    validAfter: 0n,
    validBefore: BigInt(seconds + 60),
    nonce: 'nonce',
    signature: '0x',
    ...change,
  },
})

export function settlementOf<O extends RailOrder>(
  purpose: Settlement['purpose'],
  order: O,
  change: Partial<Settlement> = {},
): Settlement & { readonly order: O } {
  const about = { taskId: 'task', purpose, subject: 'hash', submissionId: 'submission', executorId: 'executor' }
  return { ...claimed('settlement', now, { ...about, order }), ...change, order }
}

let logs = 0
export const moved = (kind: MovementKind, atomic = payment.maxAmount, change: Partial<Movement> = {}): Movement => {
  logs += 1
  return {
    network: 'localnet',
    txHash: `0x${kind}`,
    blockNumber: 7n,
    logIndex: logs,
    hash: 'hash',
    kind,
    atomic,
    feeBps: kind === 'captured' || kind === 'charged' ? 1_300 : null,
    ...change,
  }
}

export const submission = (change: Partial<Submission> = {}): Submission =>
  aSubmission({ id: 'submission', taskId: 'task', executorId: 'executor', ...change })

export const dispute = (change: Partial<Dispute> = {}): Dispute => ({
  id: 'dispute',
  taskId: 'task',
  submissionId: 'submission',
  status: 'resolving',
  openedBy: 'publisher',
  reason: 'other',
  description: '',
  criteria: [],
  resolution: { verdict: 'split', splitPct: 40, reason: 'Half of it.' },
  resolvedAt: null,
  createdAt: now,
  ...change,
})

export const offer = (change: Partial<Offer> = {}): Offer => ({
  id: 'offer',
  taskId: 'task',
  executorId: 'executor',
  side: 'worker',
  words: {
    network: 'localnet',
    payment: 'hash',
    payer: 'payer',
    worker: 'receiver',
    asset,
    toWorker: 6_000_000n,
    toPayer: 4_000_000n,
    nonce: '0x01',
  },
  message: null,
  signature: '0x',
  answer: '0x',
  payments: null,
  status: 'accepted',
  createdAt: now,
  expiresAt: new Date(now.getTime() + 3_600_000),
  endedAt: null,
  ...change,
})

/** The locked task of a transaction over a script; what it writes is in `asked`. */
export function placeOn(task: Task, script: Script = {}): { readonly place: Place } & ScriptedDeps {
  const one = scriptedDeps({
    lockSubmission: submission(),
    lockDisputeOf: null,
    lockRulingOf: null,
    lockOffer: null,
    lockOffers: [],
    movements: [],
    taskWords: [],
    pendingApplications: [],
    agentOf: null,
    addMovement: true,
    hasOpenSettlement: false,
    refuseFeeOf: null,
    escrowPayment: payment,
    lockTask: task,
    ...script,
  })
  let tx: Place['tx'] | undefined
  void one.deps.store.transaction(async (own) => {
    tx = own
    return Promise.resolve()
  })
  if (tx === undefined) throw new Error('no transaction')
  one.asked.length = 0
  return { ...one, place: { deps: one.deps, tx, task, now } }
}

/** Nothing is held: the payer pays directly. */
export const direct = { status: 'verifying', escrowStatus: 'none' } as const
